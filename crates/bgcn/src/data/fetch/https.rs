//! One file after another over HTTPS.

use crate::data::{Error, KnownFile};
use std::time::Duration;

pub(super) struct Client {
    agent: ureq::Agent,
    address: String,
}

impl Client {
    pub(super) fn new(address: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(15)))
            .timeout_global(Some(Duration::from_secs(300)))
            .user_agent(concat!("bgcn/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into(), address: address.trim_end_matches('/').into() }
    }

    /// The bytes at the address of `file`; a body longer than the file should be is cut off and fails the later check.
    pub(super) fn get(&self, file: &KnownFile) -> Result<Vec<u8>, Error> {
        let address = format!("{}/{}", self.address, file.name);
        let failed = |why: ureq::Error| Error::Fetch(format!("{address}: {why}"));
        let mut response = self.agent.get(&address).call().map_err(failed)?;
        response.body_mut().with_config().limit(file.bytes + 1).read_to_vec().map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
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
    fn a_refusal_or_a_cut_answer_names_the_address() {
        for response in [
            &b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\na",
            b"nonsense",
        ] {
            let address = serve_once(response);
            let error = Client::new(&address).get(&FILE).unwrap_err().to_string();
            assert!(error.contains(&format!("{address}/abc")), "{error}");
        }
    }
}
