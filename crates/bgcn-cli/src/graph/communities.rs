//! The communities in λ, for any model.

use bgcn_core::data::{Dataset, Labels};
use bgcn_core::graph_model::{Array, Parameters};
use bgcn_core::metrics::normalized_mutual_information;
use serde_json::Value;

/// Communities and the nodes' memberships.
pub struct Communities {
    pub k: usize,
    /// [n, k]
    rows: Vec<f32>,
    /// `[k]` rates of links inside; `None` where the model has none.
    pub strengths: Option<Vec<f64>>,
    /// The least and the greatest rate between two of them, where the model has rates and there are two.
    pub between: Option<[f64; 2]>,
}

impl Communities {
    /// `None` where λ has none.
    pub fn of(lambda: &Parameters) -> Option<Self> {
        let k = lambda.small.get("communities")?.as_u64()? as usize;
        let rows = match ["pi", "q", "classes"].iter().find_map(|name| lambda.arrays.get(*name))? {
            Array::Rows { values, .. } => values.clone(),
            Array::Labels(labels) => {
                let row = |&label: &u32| (0..k as u32).map(move |class| f32::from(u8::from(class == label)));
                labels.iter().flat_map(row).collect()
            }
        };
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let (beta, b) = (lambda.small.get("beta"), lambda.small.get("b"));
        let strength = |i: usize| match (beta, b) {
            (Some(beta), _) => Some(number(&beta[i])),
            (_, Some(b)) => Some(number(&b[i][i])),
            _ => None,
        };
        let pairs = (0..k).flat_map(|i| (0..i).map(move |l| (i, l)));
        let rates: Vec<f64> = match (lambda.small.get("delta"), b) {
            (Some(delta), _) => vec![number(delta)],
            (_, Some(b)) => pairs.map(|(i, l)| number(&b[i][l])).collect(),
            _ => Vec::new(),
        };
        let ends = |ends: Option<[f64; 2]>, x: f64| Some(ends.map_or([x, x], |[low, high]| [low.min(x), high.max(x)]));
        let between = rates.into_iter().fold(None, ends);
        Some(Self { k, rows, strengths: (0..k).map(strength).collect(), between })
    }

    /// Every node's memberships.
    fn each(&self) -> impl Iterator<Item = &[f32]> {
        self.rows.chunks_exact(self.k)
    }

    /// The strongest community of every node; of equals, the first.
    pub fn labels(&self) -> Vec<u32> {
        let strongest =
            |row: &[f32]| (1..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best }) as u32;
        self.each().map(strongest).collect()
    }

    /// Expected sizes `[k]`.
    pub fn sizes(&self) -> Vec<f64> {
        let mut sizes = vec![0.0; self.k];
        self.each().for_each(|row| sizes.iter_mut().zip(row).for_each(|(size, &p)| *size += f64::from(p)));
        sizes
    }

    /// For each community, the nodes it is strongest in, and of these those with over 90 %.
    pub fn hard_and_sure(&self) -> Vec<(usize, usize)> {
        let mut counts = vec![(0, 0); self.k];
        for (label, row) in self.labels().into_iter().zip(self.each()) {
            let (hard, over_90) = &mut counts[label as usize];
            *hard += 1;
            *over_90 += usize::from(row[label as usize] > 0.9);
        }
        counts
    }

    /// Agreement of the strongest communities with the classes, where there are classes.
    pub fn agreement(&self, data: &Dataset) -> Option<f64> {
        let labels = self.labels();
        let pairs: Vec<(u32, u32)> =
            (0..).zip(labels).filter_map(|(a, label)| Some((label, data.labels.class(a)?))).collect();
        (!pairs.is_empty()).then(|| normalized_mutual_information(&pairs))
    }

    /// The classes where there are as many, else numbers.
    pub fn names(&self, data: &Dataset) -> Vec<String> {
        match &data.labels {
            Labels::Classes { names, .. } if names.len() == self.k => names.clone(),
            _ => (1..=self.k).map(|k| format!("community {k}")).collect(),
        }
    }
}
