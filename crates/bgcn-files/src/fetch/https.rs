//! One file after another over HTTPS, by the `curl` command that Linux distributions, macOS and Windows come with.

use crate::KnownFile;
use bgcn_core::data::Error;
use std::io::{self, Read as _};
use std::process::{Command, Stdio};

/// The tests serve files on loopback, where there is no certificate.
const PROTOCOL: &str = if cfg!(test) { "=http" } else { "=https" };

pub(super) struct Client {
    curl: &'static str,
    address: String,
}

impl Client {
    pub(super) fn new(address: &str) -> Self {
        Self { curl: "curl", address: address.trim_end_matches('/').into() }
    }

    /// The bytes at the address of `file`; a body longer than the file should be is cut off and fails the later check.
    pub(super) fn get(&self, file: &KnownFile) -> Result<Vec<u8>, Error> {
        let address = format!("{}/{}", self.address, file.name);
        let failed = |why: String| Error::Fetch(format!("{address}: {why}"));
        let broken = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => failed("there is no `curl` command here to download with. Install curl".into()),
            _ => failed(format!("curl could not be run: {error}")),
        };
        let mut child = self.command(&address, file).spawn().map_err(broken)?;
        let mut body = Vec::new();
        let output = child.stdout.take().expect("the output is piped");
        output.take(file.bytes + 1).read_to_end(&mut body).map_err(broken)?;
        let ended = child.wait_with_output().map_err(broken)?;
        if ended.status.success() || body.len() as u64 > file.bytes {
            return Ok(body);
        }
        let reason = String::from_utf8_lossy(&ended.stderr);
        let reason = reason.trim();
        Err(failed(if reason.is_empty() { format!("curl failed, {}", ended.status) } else { reason.into() }))
    }

    fn command(&self, address: &str, file: &KnownFile) -> Command {
        let mut curl = Command::new(self.curl);
        curl.args(["--fail", "--location", "--silent", "--show-error", "--globoff", "--proto", PROTOCOL]);
        curl.args(["--connect-timeout", "15", "--max-time", "300", "--max-filesize", &file.bytes.to_string()]);
        curl.args(["--user-agent", concat!("bgcn/", env!("CARGO_PKG_VERSION")), "--url", address]);
        curl.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        curl
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::net::TcpListener;

    /// Answers one request on loopback with `response`, then ends.
    fn serve_once(response: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let _ = socket.read(&mut [0; 2048]);
            let _ = socket.write_all(response);
        });
        address
    }

    const FILE: KnownFile = KnownFile { name: "abc", bytes: 3, sha256: "" };

    #[test]
    fn gets_the_bytes_of_a_file() {
        let address = serve_once(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
        assert_eq!(Client::new(&address).get(&FILE).unwrap(), b"abc");
    }

    #[test]
    fn a_body_of_unknown_length_is_cut_one_byte_after_its_file() {
        let address = serve_once(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcdefgh");
        let body = Client::new(&address).get(&FILE);
        // Newer versions of curl stop at the limit themselves.
        assert!(body.as_ref().is_ok_and(|body| body == b"abcd") || body.is_err(), "{body:?}");
    }

    #[test]
    fn a_refusal_or_a_cut_answer_names_the_address_and_the_reason() {
        for (response, reason) in [
            (&b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"[..], "404"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\na", "2 bytes"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd", "size"),
            (b"HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\nContent-Length: 0\r\n\r\n", "rotocol"),
            (b"nonsense", ""),
        ] {
            let address = serve_once(response);
            let error = Client::new(&address).get(&FILE).unwrap_err().to_string();
            assert!(error.contains(&format!("{address}/abc: curl")) && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn without_curl_the_message_asks_for_it() {
        let client = Client { curl: "no-such-curl", ..Client::new("http://127.0.0.1:9") };
        let error = client.get(&FILE).unwrap_err().to_string();
        assert!(error.contains("Install curl"), "{error}");
    }
}
