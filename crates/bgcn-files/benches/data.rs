//! Building and reading graphs: `cargo bench -p bgcn-files --bench data`.

use bgcn_core::data::generate::Generator;
use bgcn_core::graph::Graph;
use bgcn_core::rng::{For, Random, Seed};
use bgcn_files::read::planetoid;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::PathBuf;

fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("graph/build");
    group.sample_size(10);
    for (nodes, edges) in [(10_000u64, 100_000), (1_000_000, 10_000_000)] {
        let mut random = Seed::new(1).at(For::Generate, [0; 3]).fast();
        let list: Vec<(u32, u32)> =
            (0..edges).map(|_| (random.below(nodes) as u32, random.below(nodes) as u32)).collect();
        group.bench_function(format!("{nodes}x{edges}"), |b| {
            b.iter(|| Graph::build(nodes as usize, black_box(&list)).unwrap())
        });
    }
}

fn generate(c: &mut Criterion) {
    let mut group = c.benchmark_group("data/generate");
    group.sample_size(10);
    for nodes in [2_000, 100_000] {
        let generator = Generator { nodes, mean_degree: 20.0, ..Generator::default() };
        group.bench_function(format!("{nodes}"), |b| b.iter(|| generator.generate(Seed::new(1)).unwrap()));
    }
}

fn read(c: &mut Criterion) {
    let Some(folder) = std::env::var_os("BGCN_DATA").map(PathBuf::from) else {
        println!("data/planetoid skipped: set BGCN_DATA to a folder with the Planetoid files");
        return;
    };
    let mut group = c.benchmark_group("data/planetoid");
    group.sample_size(20);
    for name in ["cora", "citeseer", "pubmed"] {
        group.bench_function(name, |b| b.iter(|| planetoid::read(&folder, name).unwrap()));
    }
}

criterion_group!(benches, build, generate, read);
criterion_main!(benches);
