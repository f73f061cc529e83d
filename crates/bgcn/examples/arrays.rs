//! Arrays of one's own. Without arguments a small graph; with a folder of raw numbers (sources.u32, targets.u32,
//! features.f32, labels.i32 with -1 for none) those, and how long it took and how much memory at most.

use bgcn::{Dataset, FeatureRows, Request, Source, SplitChoice, unwatched};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

struct Arrays {
    sources: Vec<u32>,
    targets: Vec<u32>,
    features: Vec<f32>,
    labels: Vec<Option<u32>>,
}

impl Arrays {
    /// Two rings of ten, each with a label.
    fn small() -> Self {
        let ends = |step: u32| (0..20).map(move |a| a / 10 * 10 + (a + step) % 10);
        Self {
            sources: (0..20).collect(),
            targets: ends(1).collect(),
            features: (0..20).flat_map(|a| [(a / 10) as f32, (a % 3) as f32]).collect(),
            labels: (0..20).map(|a| (a % 10 == 0).then_some(a / 10)).collect(),
        }
    }

    fn read(folder: &Path) -> std::io::Result<Self> {
        let words = |name: &str| -> std::io::Result<Vec<[u8; 4]>> {
            let bytes = std::fs::read(folder.join(name))?;
            Ok(bytes.as_chunks::<4>().0.to_vec())
        };
        Ok(Self {
            sources: words("sources.u32")?.into_iter().map(u32::from_le_bytes).collect(),
            targets: words("targets.u32")?.into_iter().map(u32::from_le_bytes).collect(),
            features: words("features.f32")?.into_iter().map(f32::from_le_bytes).collect(),
            labels: words("labels.i32")?.into_iter().map(|w| u32::try_from(i32::from_le_bytes(w)).ok()).collect(),
        })
    }
}

/// The most memory that this process has had, in bytes, where the system has it (Linux).
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arrays = match std::env::args().nth(1) {
        Some(folder) => Arrays::read(Path::new(&folder))?,
        None => Arrays::small(),
    };
    let begun = Instant::now();
    let nodes = arrays.labels.len();
    let columns = arrays.features.len() / nodes;
    let data = Dataset::builder(nodes)
        .edge_index(&arrays.sources, &arrays.targets)
        .features(FeatureRows::Dense { columns, values: &arrays.features })
        .labels(&arrays.labels)
        .build()?;
    let edges = data.graph.edges();
    let request = Request::of_data(Arc::new(data), Source::default()).split(SplitChoice::All);
    let run = bgcn::on_threads(0, || request.run(&unwatched))??;
    let seconds = begun.elapsed().as_secs_f64();
    let posterior = run.predictions().classes().ok_or("labels are classes")?;
    println!("{nodes} nodes, {edges} edges: p(first class of node 0) = {:.3}", posterior.row(0)[0]);
    println!("seconds {seconds:.3}");
    println!("peak {}", peak().unwrap_or(0));
    Ok(())
}
