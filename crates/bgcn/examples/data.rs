//! A generated citation network, its split, and a round trip through CSV files.
//!
//!     cargo run -p bgcn --example data

use bgcn::data::generate::Generator;
use bgcn::data::read::table;
use bgcn::data::write::{Existing, write};
use bgcn::data::{Error, SplitKind};
use bgcn::rng::Seed;

fn main() -> Result<(), Error> {
    let seed = Seed::new(1);
    let network = Generator::params().nodes(500).classes(4).check()?.generate(seed)?;
    let about = network.describe();
    println!("{} nodes, {} edges, homophily {:.2}", about.nodes, about.edges, about.homophily.unwrap_or(f64::NAN));

    let split = network.split(&SplitKind::Random, 5, seed)?;
    println!("{} training, {} validation, {} test nodes", split.train.len(), split.validation.len(), split.test.len());

    let folder = std::env::temp_dir().join(format!("bgcn-example-{}", std::process::id()));
    write(&network, &folder, Existing::Replace)?;
    let again = table::read(&table::Files::in_folder(&folder)?, &table::ReadOptions::default())?;
    println!("read back equal: {}", again.graph == network.graph && again.features == network.features);
    std::fs::remove_dir_all(&folder).ok();
    Ok(())
}
