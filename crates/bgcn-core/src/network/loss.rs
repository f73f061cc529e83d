//! What training minimises: the mean over the labelled nodes of −log p(label), or of half the squared error.
//! Paper: cross entropy over the training set. Squared error is its Gaussian counterpart, for numbers.
//! Symbols: `z` [n, c] before softmax; `d_z` its gradient.

use super::Error;
use crate::data::Labels;
use crate::kernels::{Matrix, softmax};

/// Which loss, decided by the labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Softmax cross entropy, for classes.
    CrossEntropy,
    /// Half the squared error: a normal density with fixed variance, for numbers. One output.
    SquaredError,
}

/// The labels of some nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Targets {
    nodes: Vec<u32>,
    of: Of,
    outputs: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Of {
    Classes(Vec<u32>),
    Values(Vec<f32>),
}

impl Targets {
    /// The labels of the given nodes; each must have one.
    pub fn new(labels: &Labels, nodes: &[u32]) -> Result<Self, Error> {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        let known = match labels {
            Labels::Classes { of, .. } => of.len(),
            Labels::Values(of) => of.len(),
        };
        if nodes.is_empty() {
            return Err(Error::Request("the set of labelled nodes is empty; a network needs at least one".into()));
        }
        if let Some(&a) = nodes.iter().find(|&&a| a as usize >= known || !labels.is_known(a)) {
            let text = format!("node {a} is to be learned from, but it has no label; leave it out of the training set");
            return Err(Error::Request(text));
        }
        let of = match labels {
            Labels::Classes { of, .. } => Of::Classes(nodes.iter().filter_map(|&a| of[a as usize]).collect()),
            Labels::Values(of) => Of::Values(nodes.iter().filter_map(|&a| of[a as usize]).collect()),
        };
        Ok(Self { nodes, of, outputs: labels.classes().max(1) })
    }

    /// Nodes with their classes; nothing where the labels are numbers.
    pub fn classes(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let classes: &[u32] = match &self.of {
            Of::Classes(of) => of,
            Of::Values(_) => &[],
        };
        self.nodes.iter().copied().zip(classes.iter().copied())
    }

    /// The nodes, ascending.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The loss that fits.
    pub fn loss(&self) -> Loss {
        match self.of {
            Of::Classes(_) => Loss::CrossEntropy,
            Of::Values(_) => Loss::SquaredError,
        }
    }

    /// How many outputs a network for them has: one per class, or one.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The mean loss of `z`.
    pub fn mean_loss(&self, z: &Matrix) -> f64 {
        let sum: f64 = (0..self.nodes.len()).map(|i| self.node_loss(i, z)).sum();
        sum / self.nodes.len() as f64
    }

    /// The mean loss, and its gradient in the rows of the nodes.
    pub fn gradient(&self, z: &Matrix, d_z: &mut Matrix) -> f64 {
        d_z.shape(z.rows(), z.columns());
        let weight = 1.0 / self.nodes.len() as f32;
        let mut sum = 0.0;
        if self.loss() == Loss::CrossEntropy {
            softmax(&self.nodes, z, d_z);
        }
        for (i, &a) in self.nodes.iter().enumerate() {
            let d = d_z.row_mut(a as usize);
            match &self.of {
                Of::Classes(of) => {
                    let p = &mut d[of[i] as usize];
                    // A probability this small has lost its digits: take the logarithm of what it comes from.
                    sum += if *p > 1e-30 { -f64::from(p.ln()) } else { self.node_loss(i, z) };
                    *p -= 1.0;
                    d.iter_mut().for_each(|d| *d *= weight);
                }
                Of::Values(of) => {
                    d[0] = weight * (z.row(a as usize)[0] - of[i]);
                    sum += self.node_loss(i, z);
                }
            }
        }
        sum / self.nodes.len() as f64
    }

    /// The loss of node number `i`.
    fn node_loss(&self, i: usize, z: &Matrix) -> f64 {
        let z = z.row(self.nodes[i] as usize);
        match &self.of {
            Of::Classes(of) => {
                let largest = z.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let sum: f32 = z.iter().map(|&v| (v - largest).exp()).sum();
                f64::from(sum.ln()) + f64::from(largest - z[of[i] as usize])
            }
            Of::Values(of) => 0.5 * f64::from(z[0] - of[i]).powi(2),
        }
    }
}

impl Loss {
    /// The network's prediction: softmax of `z` in the given rows, or `z` itself for numbers.
    pub fn predictions(self, z: &Matrix, rows: &[u32], out: &mut Matrix) {
        out.shape(z.rows(), z.columns());
        match self {
            Self::CrossEntropy => softmax(rows, z, out),
            Self::SquaredError => {
                rows.iter().for_each(|&a| out.row_mut(a as usize).copy_from_slice(z.row(a as usize)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(of: &[Option<u32>]) -> Labels {
        Labels::Classes { names: vec!["a".into(), "b".into(), "c".into()], of: of.to_vec() }
    }

    #[test]
    fn gradients_are_the_differences_of_the_loss() {
        let z = Matrix::from_rows(3, 3, &[0.3, -1.0, 2.0, 5.0, 5.0, 5.0, 0.1, 0.2, -0.4]);
        let targets = Targets::new(&classes(&[Some(1), None, Some(2)]), &[2, 0]).unwrap();
        let numbers = Targets::new(&Labels::Values(vec![Some(0.7), None, Some(-2.0)]), &[0, 2]).unwrap();
        for (targets, z) in [(targets, z), (numbers, Matrix::from_rows(3, 1, &[0.5, 9.0, 1.0]))] {
            let mut d_z = Matrix::default();
            targets.gradient(&z, &mut d_z);
            for &a in targets.nodes() {
                for j in 0..z.columns() {
                    let at = |shift: f32| {
                        let mut z = z.clone();
                        z.row_mut(a as usize)[j] += shift;
                        targets.mean_loss(&z)
                    };
                    let slope = (at(0.01) - at(-0.01)) / 0.02;
                    assert!((slope - f64::from(d_z.row(a as usize)[j])).abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn huge_outputs_neither_overflow_nor_lose_the_answer() {
        let z = Matrix::from_rows(1, 3, &[1e30, 0.0, -1e30]);
        let targets = Targets::new(&classes(&[Some(0)]), &[0]).unwrap();
        assert_eq!(targets.mean_loss(&z), 0.0);
    }

    #[test]
    fn nodes_without_labels_are_refused_by_name() {
        let error = Targets::new(&classes(&[Some(0), None]), &[0, 1]).unwrap_err().to_string();
        assert!(error.contains("node 1"), "{error}");
        assert!(Targets::new(&classes(&[Some(0)]), &[7]).is_err());
        assert!(Targets::new(&classes(&[Some(0)]), &[]).is_err());
    }
}
