//! The weights of a network: named matrices, for Adam, L2 and files.

use crate::kernels::{Matrix, padded};
use crate::rng::{Random as _, Stream};
use serde::{Deserialize, Serialize};

/// One weight matrix before it has values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Such as `w0`; unique in the network.
    pub name: String,
    /// Inputs.
    pub rows: usize,
    /// Outputs of each part.
    pub columns: usize,
    /// How many matrices [rows, columns] stand side by side, each padded on its own: ChebyNet's polynomials, GAT's
    /// heads.
    pub parts: usize,
    /// Whether the L2 penalty applies.
    pub decay: bool,
}

/// A weight matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its name and sizes.
    pub shape: Shape,
    /// [rows, parts × padded(columns)], or [rows, columns] where there is one part.
    pub value: Matrix,
}

impl Tensor {
    /// All zeros.
    pub fn zeros(shape: Shape) -> Self {
        let columns = if shape.parts == 1 { shape.columns } else { shape.parts * padded(shape.columns) };
        Self { value: Matrix::zeros(shape.rows, columns), shape }
    }

    /// Row `r` of part `part`, without padding.
    pub fn part_row(&self, part: usize, r: usize) -> &[f32] {
        &self.value.row(r)[part * padded(self.shape.columns)..][..self.shape.columns]
    }

    /// Row `r` of part `part`, for writing.
    pub fn part_row_mut(&mut self, part: usize, r: usize) -> &mut [f32] {
        &mut self.value.row_mut(r)[part * padded(self.shape.columns)..][..self.shape.columns]
    }
}

/// All weights of a network, or their gradient.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// In the order of `Network::shapes`.
    pub tensors: Vec<Tensor>,
}

impl Weights {
    /// All zeros.
    pub fn zeros(shapes: Vec<Shape>) -> Self {
        Self { tensors: shapes.into_iter().map(Tensor::zeros).collect() }
    }

    /// Uniform in ±√(6 / (rows + columns)), part by part (Glorot and Bengio, 2010; as in Kipf and Welling's code).
    pub fn glorot(shapes: Vec<Shape>, stream: &mut Stream) -> Self {
        let mut weights = Self::zeros(shapes);
        let mut random = stream.fast();
        for tensor in &mut weights.tensors {
            let bound = (6.0 / (tensor.shape.rows + tensor.shape.columns) as f64).sqrt();
            for part in 0..tensor.shape.parts {
                for r in 0..tensor.shape.rows {
                    for value in tensor.part_row_mut(part, r) {
                        *value = (bound * (2.0 * random.unit() - 1.0)) as f32;
                    }
                }
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};

    #[test]
    fn glorot_fills_every_part_within_its_bound_and_leaves_the_padding() {
        let shape = Shape { name: "w".into(), rows: 50, columns: 7, parts: 4, decay: true };
        let weights = Weights::glorot(vec![shape], &mut Seed::new(1).at(For::Weights, [0; 3]));
        let tensor = &weights.tensors[0];
        assert_eq!(tensor.value.columns(), 32);
        let bound = (6.0f32 / 57.0).sqrt();
        let filled: Vec<f32> = tensor.value.data().iter().copied().filter(|&w| w != 0.0).collect();
        assert_eq!(filled.len(), 50 * 7 * 4);
        assert!(filled.iter().all(|w| w.abs() <= bound) && filled.iter().any(|w| w.abs() > 0.95 * bound));
    }
}
