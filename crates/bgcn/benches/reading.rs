//! How long reading an edge list with names takes, and how much memory: `reading write FILE [EDGES]`, then
//! `reading FILE`; without a file a small one is made and read.

use bgcn_core::data::{Dataset, NodeIds};
use bgcn_files::read::ReadOptions;
use bgcn_files::{Places, load};
use std::io::Write as _;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    match &arguments[..] {
        [word, file] if word == "write" => write(file, 10_000_000),
        [word, file, edges] if word == "write" => write(file, edges.parse()?),
        [file] => read(file),
        [] => {
            let file = std::env::temp_dir().join(format!("bgcn-reading-{}.csv", std::process::id()));
            let path = file.to_string_lossy();
            let done = write(&path, 100_000).and_then(|()| read(&path));
            std::fs::remove_file(&file)?;
            done
        }
        _ => Err("give a file, or `write` and a file".into()),
    }
}

/// Random edges among a tenth as many nodes, whose names have up to 15 letters.
fn write(file: &str, edges: u64) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    writeln!(out, "supplier,customer")?;
    let mut state = 1u64;
    let mut node = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % (edges / 10).max(2)
    };
    for _ in 0..edges {
        writeln!(out, "company_{:x},company_{:x}", node() * 7919, node() * 7919)?;
    }
    Ok(out.flush()?)
}

fn read(file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let begun = Instant::now();
    let data = load(file, &Places::default(), &ReadOptions::default())?;
    let seconds = begun.elapsed().as_secs_f64();
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    let (text, kept) = (std::fs::metadata(file)?.len() as usize, kept(&data));
    println!("{} nodes, {} edges in {seconds:.2} s; {:?}", data.nodes(), data.graph.edges(), data.remarks);
    println!("file {:.0} MB, dataset {:.0} MB", megabytes(text), megabytes(kept));
    if let Some(peak) = peak() {
        let limit = 2 * kept + text;
        println!("peak {:.0} MB; twice the dataset and the file are {:.0} MB", megabytes(peak), megabytes(limit));
    }
    Ok(())
}

/// Bytes of the finished dataset.
fn kept(data: &Dataset) -> usize {
    let names = match &data.ids {
        NodeIds::Numbered(_) => 0,
        NodeIds::Named(names) => names.iter().map(|name| name.capacity() + size_of::<String>()).sum(),
    };
    size_of_val(data.graph.offsets()) + size_of_val(data.graph.targets()) + names + 8 * data.nodes()
}

/// The most memory that this process has had, in bytes; known on Linux.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.trim().trim_end_matches(" kB").parse::<usize>().ok()?)
}
