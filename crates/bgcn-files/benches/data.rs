//! Building and reading graphs: `cargo bench -p bgcn-files --bench data`.

#[path = "../../bgcn-core/benches/timed/mod.rs"]
mod timed;

use bgcn_core::data::generate::Generator;
use bgcn_core::graph::Graph;
use bgcn_core::rng::{For, Random, Seed};
use bgcn_files::read::planetoid;
use std::path::PathBuf;
use timed::time;

fn build() {
    for (nodes, edges) in [(10_000u64, 100_000), (1_000_000, 10_000_000)] {
        let mut random = Seed::new(1).at(For::Generate, [0; 3]).fast();
        let list: Vec<(u32, u32)> =
            (0..edges).map(|_| (random.below(nodes) as u32, random.below(nodes) as u32)).collect();
        time(&format!("graph/build/{nodes}x{edges}"), Some(edges), || Graph::build(nodes as usize, &list).unwrap());
    }
}

fn generate() {
    for nodes in [2_000, 100_000] {
        let generator = Generator { nodes, mean_degree: 20.0, ..Generator::default() };
        time(&format!("data/generate/{nodes}"), None, || generator.generate(Seed::new(1)).unwrap());
    }
}

fn read() {
    let Some(folder) = std::env::var_os("BGCN_DATA").map(PathBuf::from) else {
        println!("data/planetoid skipped: set BGCN_DATA to a folder with the Planetoid files");
        return;
    };
    for name in ["cora", "citeseer", "pubmed"] {
        time(&format!("data/planetoid/{name}"), None, || planetoid::read(&folder, name).unwrap());
    }
}

fn main() {
    build();
    generate();
    read();
}
