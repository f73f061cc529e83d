//! Where inference starts: a network's output, labels, or random memberships.
//! Paper: Algorithm 1 starts from the network's output; "Posterior inference for the MMSBM" fixes nothing else.
//! Differs: delta may be found from the graph, and a community without a link inside starts at the graph's density.
//! Symbols: beta_k = 2 (edges inside k) / (n_k² + 1), with each node in its strongest community.

use super::gradient::Gradient;
use super::langevin::Rates;
use super::{Lambda, Mmsbm, MmsbmParams, Work};
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::blocks::memberships::{assign_normalised, fits, strongest};
use crate::graph_model::{Belief, Error};
use crate::kernels::Aligned;
use crate::rng::{Random as _, Stream};
use crate::setting::OrAuto;

/// Share of its own label that a labelled node starts with; the rest is spread evenly, so that inference can move it.
const OWN_LABEL: f64 = 0.9;

/// delta stays this far below the weakest community.
const BELOW_BETA: f64 = 0.1;

/// Where inference starts.
pub enum Start<'a> {
    /// A belief over communities, such as a network's softmax.
    Belief(Belief<'a>),
    /// One community per node.
    Labels(&'a [u32]),
    /// phi ~ Gamma(1/K, 1), as the authors' first run. Often fails to find communities, as the paper says.
    Random(Stream),
}

impl<'g> Mmsbm<'g> {
    /// The block model of `graph`, before any inference.
    pub fn start(params: &Checked<MmsbmParams>, graph: &'g Graph, start: Start<'_>) -> Result<Self, Error> {
        Ok(Self::from_lambda(params, graph, begin(params, graph, start)?))
    }

    /// Starts again, keeping the memory, and the row sums where a first run has found them.
    pub(crate) fn start_again(&mut self, start: Start<'_>) -> Result<(), Error> {
        self.lambda = begin(&self.params, self.graph, start)?;
        if self.scaled {
            self.t = 0;
        } else {
            self.reset_sums();
        }
        Ok(())
    }

    /// Goes on from a given λ, such as one read from a file.
    pub fn resume(params: &Checked<MmsbmParams>, graph: &'g Graph, lambda: Lambda) -> Result<Self, Error> {
        fits((lambda.n(), lambda.k()), graph, params.communities)?;
        Ok(Self::from_lambda(params, graph, lambda))
    }

    fn from_lambda(params: &Checked<MmsbmParams>, graph: &'g Graph, lambda: Lambda) -> Self {
        let mut model = Self {
            graph,
            params: params.clone(),
            phi_sum: Vec::new(),
            theta_sum: Vec::new(),
            belief: Aligned::default(),
            t: 0,
            scaled: false,
            finding_scales: false,
            rates: Rates::default(),
            watched: Vec::new(),
            work: Work { gradient: Gradient::zeros(&lambda), ..Work::default() },
            lambda,
        };
        model.reset_sums();
        model
    }
}

fn begin(params: &MmsbmParams, graph: &Graph, start: Start<'_>) -> Result<Lambda, Error> {
    let (n, k) = (graph.nodes(), params.communities);
    let drawn: Vec<f32>;
    let rows: &[f32] = match start {
        Start::Belief(belief) => {
            fits((belief.rows.len() / belief.k.max(1), belief.k), graph, k)?;
            belief.rows
        }
        Start::Labels(labels) => {
            fits((labels.len(), k), graph, k)?;
            if let Some((a, label)) = labels.iter().enumerate().find(|(_, label)| **label as usize >= k) {
                return Err(Error::start(format!("node {a} has label {label}; labels run from 0 to {}", k - 1)));
            }
            drawn = spread(labels, k);
            &drawn
        }
        Start::Random(mut stream) => {
            (drawn, _) = random_rows(n, k, &mut stream);
            &drawn
        }
    };
    let labels: Vec<u32> = rows.chunks_exact(k).map(strongest).collect();
    let (mut beta, delta) = strengths(graph, &labels, k);
    if params.scale_iterations > 0 {
        // The authors' code leaves a community without a link inside at 0.
        let inside = |k: u32| graph.edge_list().any(|(a, b)| labels[a as usize] == k && labels[b as usize] == k);
        (0..).zip(&mut beta).filter(|(k, _)| !inside(*k)).for_each(|(_, beta)| *beta = 0.0);
    }
    let delta = match params.delta {
        OrAuto::Auto => delta,
        OrAuto::Fixed(delta) => delta,
    };
    Lambda::new(k, rows, beta, delta)
}

fn spread(labels: &[u32], k: usize) -> Vec<f32> {
    let other = ((1.0 - OWN_LABEL) / k as f64) as f32;
    let mut rows = vec![other; labels.len() * k];
    for (row, &label) in rows.chunks_exact_mut(k).zip(labels) {
        row[label as usize] += OWN_LABEL as f32;
    }
    rows
}

/// pi [n, k] of phi ~ Gamma(1/K, 1), and the row sums of phi `[n]`.
pub(super) fn random_rows(n: usize, k: usize, stream: &mut Stream) -> (Vec<f32>, Vec<f32>) {
    let mut random = stream.fast();
    let (mut rows, mut sums) = (vec![0.0; n * k], Vec::with_capacity(n));
    let mut phi = vec![0.0; k];
    for row in rows.chunks_exact_mut(k) {
        // Gamma(1/K) underflows for many communities; a row of zeros is drawn again.
        loop {
            phi.iter_mut().for_each(|phi| *phi = random.gamma(1.0 / k as f64));
            if assign_normalised(row, phi.iter().copied()) {
                sums.push(phi.iter().sum::<f64>() as f32);
                break;
            }
        }
    }
    (rows, sums)
}

/// beta `[k]` and the automatic delta for hard labels.
pub(crate) fn strengths(graph: &Graph, labels: &[u32], k: usize) -> (Vec<f64>, f64) {
    let n = graph.nodes() as f64;
    let (mut size, mut inside) = (vec![0f64; k], vec![0f64; k]);
    labels.iter().for_each(|&label| size[label as usize] += 1.0);
    for (a, b) in graph.edge_list() {
        let label = labels[a as usize];
        inside[label as usize] += f64::from(u8::from(label == labels[b as usize]));
    }
    let pairs = 0.5 * n * (n - 1.0).max(0.0);
    let density = (graph.edges() as f64 / pairs.max(1.0)).clamp(1e-9, 0.9);
    let strength = |k: usize| match inside[k] {
        0.0 => density,
        edges => (2.0 * edges / (size[k] * size[k] + 1.0)).min(0.9),
    };
    let beta: Vec<f64> = (0..k).map(strength).collect();
    let within: f64 = size.iter().map(|size| 0.5 * size * (size - 1.0).max(0.0)).sum();
    // Half a link more than were seen, over one pair more: never 0, never 0/0.
    let between = (graph.edges() as f64 - inside.iter().sum::<f64>() + 0.5) / (pairs - within + 1.0);
    let weakest = beta.iter().copied().fold(1.0, f64::min);
    (beta, between.min(BELOW_BETA * weakest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph_model::mmsbm::Inference;
    use crate::rng::{For, Seed};

    fn two_triangles() -> Graph {
        Graph::from_edges(6, &[(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)]).unwrap()
    }

    #[test]
    fn strengths_are_those_worked_out_by_hand() {
        let (beta, delta) = strengths(&two_triangles(), &[0, 0, 0, 1, 1, 1], 3);
        assert!((beta[0] - 0.6).abs() < 1e-15 && (beta[1] - 0.6).abs() < 1e-15);
        assert!((beta[2] - 7.0 / 15.0).abs() < 1e-15, "an empty community starts at the graph's density");
        assert!((delta - 0.1 * beta[2]).abs() < 1e-15, "capped below the weakest community");
    }

    #[test]
    fn a_start_that_does_not_fit_says_what_does_not() {
        let graph = two_triangles();
        let params = MmsbmParams::alone(2, Inference::Linear).check().unwrap();
        let start = |start| Mmsbm::start(&params, &graph, start).unwrap_err().to_string();
        assert!(start(Start::Labels(&[0, 1])).contains("2 nodes, the graph 6"));
        assert!(start(Start::Labels(&[0, 1, 2, 0, 0, 0])).contains("node 2 has label 2"));
        assert!(start(Start::Belief(Belief { k: 3, rows: &[1.0; 18] })).contains("3 communities, the settings 2"));
        assert!(start(Start::Belief(Belief { k: 0, rows: &[] })).contains("0 communities"));
    }

    #[test]
    fn random_starts_are_on_the_simplex_even_for_many_communities() {
        let graph = Graph::empty(50);
        let params = MmsbmParams::alone(400, Inference::Linear).check().unwrap();
        let stream = Seed::new(3).at(For::Lambda, [0; 3]);
        let model = Mmsbm::start(&params, &graph, Start::Random(stream)).unwrap();
        for a in 0..50 {
            assert!((model.lambda().row(a).iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }
}
