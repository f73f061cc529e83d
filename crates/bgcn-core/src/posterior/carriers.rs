//! Parts of a fit on their way to other machines, as bytes: what a part is and how parts are put together stays here,
//! who carries them out is [`Carriers`]' business.
//! Paper: W_siv ~ p(W | Y_L, X, G_iv), and the evidence of each graph model of an average.
//!
//! Both sides know the recipe and the task. All parts of a round share a start: the pretrained weights, or the
//! predictions that inference starts from. An order is a drawn graph, or the number of a graph model; an answer is what
//! [`super::parts`] or [`super::average`] would have found here. Numbers travel as their bits.
//!
//! ```text
//! order    u32: kind, member, v, i; for networks the edges of G_iv, two numbers each
//! answer   networks: f32, S matrices [n, c], then the weights; evidence: f64, log p̃ of every hidden link, then the rest
//! ```

use super::Watch;
use super::average::{evidence_of, score_from, score_numbers};
use super::parts::{Done, Part, carry_out_here};
use super::task::{Problem, Setup, Task};
use crate::Error;
use crate::graph::Graph;
use crate::kernels::Matrix;
use crate::network::Weights;
use crate::recipe::Recipe;

/// Whoever carries out parts of a fit in place of the threads of this pool.
pub trait Carriers: Sync {
    /// How many parts are worth handing over at once; each of them holds a graph in memory.
    fn at_a_time(&self) -> usize;

    /// Has [`carry_out_parts`] called with `start` and every order, anywhere; the answers in the order of the orders.
    fn carry_out(&self, start: Vec<u8>, orders: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Error>;
}

/// Carries out parts of the fit of `recipe` to `task`, which other machines ordered.
pub fn carry_out_parts(
    recipe: &Recipe,
    task: Task<'_>,
    (start, orders): (&[u8], &[Vec<u8>]),
    watch: Watch<'_>,
) -> Result<Vec<Vec<u8>>, Error> {
    let problem = Problem::new(recipe, task)?;
    let setup = problem.setup(recipe, task);
    orders.iter().map(|order| answer(&setup, start, order, watch)).collect()
}

const NETWORKS: u32 = 0;
const EVIDENCE: u32 = 1;

fn answer(setup: &Setup<'_>, start: &[u8], order: &[u8], watch: Watch<'_>) -> Result<Vec<u8>, Error> {
    let order = words(order)?;
    let (Some(&[kind, member, v, i]), edges) = (order.first_chunk::<4>(), order.get(4..).unwrap_or_default()) else {
        return Err(damaged());
    };
    let member = member as usize;
    if member >= setup.recipe.members.len() {
        return Err(damaged());
    }
    match kind {
        NETWORKS => {
            let edges: Vec<(u32, u32)> = edges.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
            let graph = Graph::from_edges(setup.graph.nodes(), &edges)?;
            let part = Part { member, seed: setup.seed.member(member), v: v as usize, i: i as usize, graph: &graph };
            let mut done = carry_out_here(setup, &weights_of(setup, start)?, &[part], watch)?;
            let Done { softmaxes, weights } = done.pop().expect("one for the part");
            let mut numbers: Vec<f32> = softmaxes.iter().flat_map(Matrix::values).collect();
            numbers.extend(flat(&weights));
            Ok(bytes(numbers.into_iter().map(f32::to_le_bytes)))
        }
        EVIDENCE => {
            let predicted: Vec<f32> = words(start)?.into_iter().map(f32::from_bits).collect();
            let score = evidence_of(setup, member, &predicted, watch)?;
            Ok(bytes(score_numbers(&score).into_iter().map(f64::to_le_bytes)))
        }
        _ => Err(damaged()),
    }
}

/// The networks of drawn graphs, trained elsewhere.
pub(super) fn networks(
    setup: &Setup<'_>,
    carriers: &dyn Carriers,
    pretrained: &Weights,
    parts: &[Part<'_>],
) -> Result<Vec<Done>, Error> {
    let order = |part: &Part<'_>| {
        let head = [NETWORKS, part.member as u32, part.v as u32, part.i as u32];
        let edges = part.graph.edge_list().flat_map(|(a, b)| [a, b]);
        bytes(head.into_iter().chain(edges).map(u32::to_le_bytes))
    };
    let start = bytes(flat(pretrained).map(f32::to_le_bytes));
    let answers = carriers.carry_out(start, parts.iter().map(order).collect())?;
    let (n, c, samples) = (setup.x.nodes(), setup.train.outputs(), setup.recipe.schedule.samples);
    let done = |answer: Vec<u8>| {
        let numbers: Vec<f32> = words(&answer)?.into_iter().map(f32::from_bits).collect();
        let (rows, weights) = numbers.split_at_checked(samples * n * c).ok_or_else(damaged)?;
        let softmaxes = rows.chunks_exact((n * c).max(1)).map(|rows| matrix(rows, c)).collect();
        Ok(Done { softmaxes, weights: filled(setup, weights)? })
    };
    counted(answers, parts.len())?.into_iter().map(done).collect()
}

/// The evidence of every graph model of the average, found elsewhere.
pub(super) fn evidence(
    setup: &Setup<'_>,
    carriers: &dyn Carriers,
    predicted: &[f32],
) -> Result<Vec<super::average::Score>, Error> {
    let members = setup.recipe.members.len();
    let order = |member: usize| bytes([EVIDENCE, member as u32, 0, 0].map(u32::to_le_bytes));
    let start = bytes(predicted.iter().map(|p| p.to_le_bytes()));
    let answers = carriers.carry_out(start, (0..members).map(order).collect())?;
    let score = |answer: Vec<u8>| {
        let numbers = answer.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        score_from(numbers.collect()).ok_or_else(damaged)
    };
    counted(answers, members)?.into_iter().map(score).collect()
}

fn counted(answers: Vec<Vec<u8>>, wanted: usize) -> Result<Vec<Vec<u8>>, Error> {
    if answers.len() == wanted { Ok(answers) } else { Err(damaged()) }
}

fn damaged() -> Error {
    Error::Request("a part of the fit came back damaged; run the same version of bgcn on every machine".into())
}

fn bytes<const K: usize>(numbers: impl IntoIterator<Item = [u8; K]>) -> Vec<u8> {
    numbers.into_iter().flatten().collect()
}

fn words(bytes: &[u8]) -> Result<Vec<u32>, Error> {
    if !bytes.len().is_multiple_of(4) {
        return Err(damaged());
    }
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect())
}

fn matrix(rows: &[f32], columns: usize) -> Matrix {
    let mut matrix = Matrix::zeros(rows.len() / columns.max(1), columns);
    rows.chunks_exact(columns.max(1)).enumerate().for_each(|(r, row)| matrix.row_mut(r).copy_from_slice(row));
    matrix
}

/// Every number of the weights, padding of parts included.
fn flat(weights: &Weights) -> impl Iterator<Item = f32> {
    weights.tensors.iter().flat_map(|tensor| tensor.value.values())
}

fn weights_of(setup: &Setup<'_>, start: &[u8]) -> Result<Weights, Error> {
    let numbers: Vec<f32> = words(start)?.into_iter().map(f32::from_bits).collect();
    filled(setup, &numbers)
}

fn filled(setup: &Setup<'_>, numbers: &[f32]) -> Result<Weights, Error> {
    let mut weights = Weights::zeros(setup.network.shapes());
    let mut left = numbers;
    for tensor in &mut weights.tensors {
        let value = &mut tensor.value;
        for r in 0..value.rows() {
            let (row, rest) = left.split_at_checked(value.columns()).ok_or_else(damaged)?;
            value.row_mut(r).copy_from_slice(row);
            left = rest;
        }
    }
    if left.is_empty() { Ok(weights) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Split, SplitKind, demo};
    use crate::posterior::{Fit, fit, fit_with};
    use crate::recipe::Plan;
    use crate::rng::Seed;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Carries parts out one by one, the last first.
    struct Elsewhere<'a> {
        recipe: &'a Recipe,
        task: Task<'a>,
        parts: AtomicUsize,
    }

    impl Carriers for Elsewhere<'_> {
        fn at_a_time(&self) -> usize {
            5
        }

        fn carry_out(&self, start: Vec<u8>, orders: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Error> {
            self.parts.fetch_add(orders.len(), Ordering::Relaxed);
            let one = |order: &Vec<u8>| {
                let orders = std::slice::from_ref(order);
                Ok(carry_out_parts(self.recipe, self.task, (&start, orders), &|_| ControlFlow::Continue(()))?.remove(0))
            };
            let mut answers = orders.iter().rev().map(one).collect::<Result<Vec<_>, Error>>()?;
            answers.reverse();
            Ok(answers)
        }
    }

    fn both(plan: Plan) -> (Fit, Fit, usize) {
        let data = demo();
        let split: Split = data.split(&SplitKind::Random, 5, Seed::new(1)).unwrap();
        let (recipe, task) = (plan.resolve(&data).unwrap(), Task { data: &data, split: &split, seed: Seed::new(3) });
        let watch: Watch<'_> = &|_| ControlFlow::Continue(());
        let carriers = Elsewhere { recipe: &recipe, task, parts: AtomicUsize::new(0) };
        let there = fit_with(&recipe, task, watch, &carriers).unwrap();
        (fit(&recipe, task, watch).unwrap(), there, carriers.parts.into_inner())
    }

    fn same(here: &Fit, there: &Fit) {
        let rows = |fit: &Fit| fit.predictions.classes().unwrap().probabilities.clone();
        assert_eq!(rows(here), rows(there));
        assert_eq!(here.learned.to_bytes(), there.learned.to_bytes());
        assert_eq!(here.weights, there.weights);
    }

    #[test]
    fn graphs_lambdas_and_members_of_algorithm1_give_the_same_bytes_elsewhere() {
        for network in ["gcn", "chebnet", "gat"] {
            let plan = Plan::of_method(&format!("{network}+auto")).unwrap();
            let plan = plan.set("schedule.kind", "algorithm1").set("schedule.pretraining", 10);
            let plan = plan.set("schedule.draws", 3).set("schedule.graph_epochs", 2).set("schedule.samples", 2);
            let (here, there, parts) = both(plan);
            same(&here, &there);
            assert_eq!(parts, 2 + 2 * 3, "{network}: two graph models weighed, three graphs of each");
        }
    }

    #[test]
    fn members_of_an_average_are_weighed_elsewhere_in_the_other_schedule_too() {
        let plan = Plan::of_method("gcn+auto").unwrap();
        let plan = plan.set("schedule.pretraining", 10).set("schedule.draws", 4).set("schedule.averaged", 2);
        let (here, there, parts) = both(plan);
        same(&here, &there);
        assert_eq!(parts, 2);
    }

    #[test]
    fn what_is_no_order_is_refused() {
        let data = demo();
        let split = data.split(&SplitKind::Random, 5, Seed::new(1)).unwrap();
        let recipe = Plan::of_method("gcn+copying").unwrap().resolve(&data).unwrap();
        let task = Task { data: &data, split: &split, seed: Seed::new(3) };
        for wrong in [vec![], vec![1, 2, 3], vec![9; 16], vec![0; 16]] {
            let orders = [wrong];
            let found = carry_out_parts(&recipe, task, (&[], &orders), &|_| ControlFlow::Continue(()));
            assert!(found.unwrap_err().to_string().contains("same version"));
        }
    }
}
