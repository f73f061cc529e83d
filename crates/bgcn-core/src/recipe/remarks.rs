//! Notes and warnings about a recipe on a dataset, before it is fitted.

use super::Recipe;
use crate::data::{Dataset, Scaler};

/// Sampled pairs above which a fit takes more than about a minute: Pubmed has 4.4e9, at 100 million a second.
const MANY_PAIRS: f64 = 6e9;

/// Homophily below which an assortative model is doubtful.
const LOW_HOMOPHILY: f64 = 0.5;

impl Recipe {
    /// Notes and warnings, each a sentence or two; most data needs none.
    pub fn remarks(&self, data: &Dataset) -> Vec<String> {
        // Features that cannot be scaled are refused by the fit.
        let scaler = Scaler::fit(self.scaling, &data.features);
        let mut remarks = scaler.map_or(Vec::new(), |scaler| scaler.remarks(&data.feature_names));
        let pairs = self.sampled_pairs(data.nodes());
        if pairs > MANY_PAIRS {
            remarks.push(format!(
                "note: the paper's minibatches grow with the square of the nodes; here they visit {:.0} billion pairs, \
                 which takes about {:.0} minutes. The preset published-linear has the same sums in linear time",
                pairs / 1e9,
                pairs / 6e9
            ));
        }
        let homophily = data.graph.homophily(|a| data.labels.class(a));
        if self.graph_model() == "mmsbm"
            && let Some(homophily) = homophily.filter(|&h| h < LOW_HOMOPHILY)
        {
            remarks.push(format!(
                "warning: only {:.0} % of the edges join equal classes; the block model assumes that most do, so it \
                 may not suit this graph. Compare with the graph model copying or observed",
                100.0 * homophily
            ));
        }
        remarks
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Dataset, karate};
    use crate::recipe::{Plan, Preset};

    #[test]
    fn a_graph_that_joins_unlike_nodes_is_no_case_for_the_block_model() {
        let labels = [Some(0), Some(1), Some(0), Some(1)];
        let data = Dataset::builder(4).edges(&[(0, 1), (1, 2), (2, 3)]).labels(&labels).build().unwrap();
        let remarks = |model, data: &Dataset| Plan::new().graph_model(model).resolve(data).unwrap().remarks(data);
        assert!(remarks("mmsbm", &data)[0].contains("only 0 % of the edges"));
        assert!(remarks("copying", &data).is_empty() && remarks("mmsbm", &karate()).is_empty());
    }

    #[test]
    fn minibatches_on_a_large_graph_are_announced() {
        let data = Dataset::builder(200_000).labels(&[Some(0); 200_000]).build().unwrap();
        let recipe = Plan::new().preset(Preset::Published).resolve(&data).unwrap();
        assert!(recipe.remarks(&data)[0].contains("billion pairs"));
    }
}
