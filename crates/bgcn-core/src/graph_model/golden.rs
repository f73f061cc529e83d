//! A round of `sbm` and of `dcsbm` against golden/blocks.py, which visits every pair. That of `mmsb` is in its own
//! proofs.

use super::dcsbm::{Dcsbm, DcsbmParams};
use super::sbm::{Sbm, SbmParams};
use super::{Belief, BlockMatrix, GraphModel as _};
use crate::graph::Graph;
use crate::rng::{For, Seed};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    settings: Settings,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Settings {
    prior_strength: f64,
    damping: f64,
    block_prior: f64,
    degree_prior: f64,
}

#[derive(Deserialize)]
struct Case {
    n: usize,
    k: usize,
    edges: Vec<(u32, u32)>,
    p: Vec<f32>,
    sbm: Labels,
    dcsbm: Labels,
}

/// B at the start; q, B and what the lower bound has gained after a round.
#[derive(Deserialize)]
struct Labels {
    start: Vec<f64>,
    q: Vec<f64>,
    b: Vec<f64>,
    gain: f64,
}

/// Memberships are kept in single precision.
fn assert_close(ours: impl IntoIterator<Item = f64>, numpy: &[f64], what: &str) {
    let ours: Vec<f64> = ours.into_iter().collect();
    assert_eq!(ours.len(), numpy.len(), "{what}");
    for (ours, numpy) in ours.iter().zip(numpy) {
        assert!((ours - numpy).abs() < 5e-6 * numpy.abs().max(1.0), "{what}: {ours}, NumPy has {numpy}");
    }
}

fn entries(b: &BlockMatrix) -> Vec<f64> {
    (0..b.k()).flat_map(|k| b.row(k).to_vec()).collect()
}

fn widened(rows: &[f32]) -> Vec<f64> {
    rows.iter().map(|&x| f64::from(x)).collect()
}

#[test]
fn a_round_of_sbm_and_of_dcsbm_matches_numpy() {
    let golden = include_str!("../../tests/golden/blocks.json");
    let Golden { settings, cases } = serde_json::from_str(golden).unwrap();
    let stream = || Seed::new(1).at(For::Lambda, [0; 3]);
    for case in cases {
        let graph = Graph::from_edges(case.n, &case.edges).unwrap();
        let (k, belief) = (case.k, Belief { k: case.k, rows: &case.p });
        let nodes = 0..case.n as u32;
        let blocks = SbmParams {
            prior_strength: settings.prior_strength,
            damping: settings.damping,
            block_prior: settings.block_prior,
            ..SbmParams::new(k)
        };
        let mut sbm = Sbm::start(&blocks.clone().check().unwrap(), &graph, belief).unwrap();
        assert_close(entries(sbm.posterior.blocks()), &case.sbm.start, "sbm, first B");
        let before = sbm.posterior.lower_bound();
        sbm.infer(1, stream()).unwrap();
        assert_close(nodes.clone().flat_map(|a| widened(sbm.posterior.q().row(a))), &case.sbm.q, "sbm, q");
        assert_close(entries(sbm.posterior.blocks()), &case.sbm.b, "sbm, B");
        assert!((sbm.posterior.lower_bound() - before - case.sbm.gain).abs() < 1e-4);

        let params = DcsbmParams { degree_prior: settings.degree_prior, blocks }.check().unwrap();
        let mut dcsbm = Dcsbm::start(&params, &graph, belief).unwrap();
        assert_close(entries(dcsbm.posterior.blocks()), &case.dcsbm.start, "dcsbm, first B");
        let before = dcsbm.posterior.lower_bound();
        dcsbm.infer(1, stream()).unwrap();
        assert_close(nodes.flat_map(|a| widened(dcsbm.posterior.q().row(a))), &case.dcsbm.q, "dcsbm, q");
        assert_close(entries(dcsbm.posterior.blocks()), &case.dcsbm.b, "dcsbm, B");
        assert!((dcsbm.posterior.lower_bound() - before - case.dcsbm.gain).abs() < 1e-4);
    }
}
