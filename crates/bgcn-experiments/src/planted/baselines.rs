//! Simple rankings of edges, which the link model has to beat. The higher the score, the more suspicious the edge.

use bgcn_core::Error;
use bgcn_core::data::{Dataset, Scaling, Split};
use bgcn_core::graph::Graph;
use bgcn_core::links::UnitRows;
use bgcn_core::posterior::Posterior;

/// Beside the baselines, not one of them: it sees the training labels as the link model does.
pub const WITH_LABELS: &str = "classes and labels";

/// The names of the rankings, in the order of tables.
pub const NAMES: [&str; 6] = ["classes", WITH_LABELS, "cosine", "jaccard", "adamic-adar", "degrees"];

/// Scores of every observed edge, by the name of the ranking.
///
/// ```text
/// classes              −Σ_k p_ak p_bk, predicted
/// classes and labels   the same, the classes of training nodes known
/// cosine               −cos(x_a, x_b), words weighted by inverse document frequency; none without features
/// jaccard              −|N_a ∩ N_b| / |N_a ∪ N_b|, without the edge itself
/// adamic-adar          −Σ_{c in both} 1 / ln d_c
/// degrees              −d_a d_b
/// ```
pub fn scores(
    (data, split): (&Dataset, &Split),
    posterior: &Posterior,
    scaling: Scaling,
) -> Result<Vec<(&'static str, Vec<f64>)>, Error> {
    let graph = &data.graph;
    let of = |like: &dyn Fn(u32, u32) -> f64| graph.edge_list().map(|(a, b)| -like(a, b)).collect::<Vec<f64>>();
    let known = with_labels(data, split, posterior);
    let classes = |p: &[f32]| of(&|a, b| same(p, posterior.classes, a, b));
    let mut scores = vec![(NAMES[0], classes(&posterior.probabilities)), (NAMES[1], classes(&known))];
    if let Some(rows) = UnitRows::of(&data.features, scaling)? {
        scores.push((NAMES[2], of(&|a, b| cosine(&rows, a, b))));
    }
    scores.push((NAMES[3], of(&|a, b| jaccard(graph, a, b))));
    scores.push((NAMES[4], of(&|a, b| common(graph, a, b).map(|c| 1.0 / (graph.degree(c) as f64).ln()).sum())));
    scores.push((NAMES[5], of(&|a, b| graph.degree(a) as f64 * graph.degree(b) as f64)));
    Ok(scores)
}

/// The product of two rows.
fn same(values: &[f32], columns: usize, a: u32, b: u32) -> f64 {
    let row = |a: u32| &values[a as usize * columns..][..columns];
    row(a).iter().zip(row(b)).map(|(x, y)| f64::from(x * y)).sum()
}

/// The probabilities [n, c], of training nodes 1 for their class.
fn with_labels(data: &Dataset, split: &Split, posterior: &Posterior) -> Vec<f32> {
    let mut p = posterior.probabilities.clone();
    for &a in &split.train {
        let row = &mut p[a as usize * posterior.classes..][..posterior.classes];
        row.fill(0.0);
        row[data.labels.class(a).expect("training nodes are labelled") as usize] = 1.0;
    }
    p
}

/// Neighbours of both; at least of degree 2.
fn common(graph: &Graph, a: u32, b: u32) -> impl Iterator<Item = u32> {
    graph.neighbours(a).iter().copied().filter(move |&c| graph.has_edge(c, b))
}

fn jaccard(graph: &Graph, a: u32, b: u32) -> f64 {
    let both = common(graph, a, b).count();
    // The edge is counted at both ends.
    let all = graph.degree(a) + graph.degree(b) - 2 - both;
    both as f64 / all.max(1) as f64
}

/// The cosine of two nodes, in double precision.
fn cosine(rows: &UnitRows, a: u32, b: u32) -> f64 {
    match rows {
        UnitRows::Sparse(rows) => {
            let ((i, x), (j, y)) = (rows.row(a as usize), rows.row(b as usize));
            let value = |column: &u32| j.binary_search(column).map_or(0.0, |place| y[place]);
            i.iter().zip(x).map(|(column, x)| f64::from(x * value(column))).sum()
        }
        UnitRows::Dense(rows) => same(&rows.values, rows.columns, a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::{FeatureRows, Features};

    #[test]
    fn neighbours_are_counted_without_the_edge_itself() {
        // A triangle 0 1 2 with a tail at 2, and an edge apart.
        let graph = Graph::from_edges(6, &[(0, 1), (0, 2), (1, 2), (2, 3), (4, 5)]).unwrap();
        assert_eq!(jaccard(&graph, 0, 1), 1.0);
        assert_eq!(jaccard(&graph, 0, 2), 0.5);
        assert_eq!((jaccard(&graph, 2, 3), jaccard(&graph, 4, 5)), (0.0, 0.0));
        assert_eq!(common(&graph, 0, 1).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn cosines_are_of_rows_and_without_features_there_are_none() {
        let dense = FeatureRows::Dense { columns: 2, values: &[1.0, 0.0, 3.0, 4.0, 0.0, 0.0] };
        let data = Dataset::builder(3).features(dense).build().unwrap();
        let rows = UnitRows::of(&data.features, Scaling::AsIs).unwrap().unwrap();
        assert!((cosine(&rows, 0, 1) - 0.6).abs() < 1e-6 && cosine(&rows, 0, 2) == 0.0);
        assert!(UnitRows::of(&Features::Identity(3), Scaling::UnitRows).unwrap().is_none());
    }
}
