//! A split in arrays: masks, or the numbers of nodes.

use super::Npz;
use bgcn_core::data::{BadInput, Labels, Split};

/// The names of the arrays of each set: the numbers of nodes, then masks.
const INDICES: [[&str; 2]; 3] = [["idx_train", "train_idx"], ["idx_val", "val_idx"], ["idx_test", "test_idx"]];
const MASKS: [[&str; 2]; 3] = [["train_mask", "train_masks"], ["val_mask", "val_masks"], ["test_mask", "test_masks"]];

impl Npz<'_> {
    /// The split, where there is one. Nodes without label are left out of it, and counted in a remark.
    pub(super) fn split(&self, labels: &Labels, nodes: usize) -> Result<Option<Split>, BadInput> {
        let mut sets: [Vec<u32>; 3] = Default::default();
        let mut found = false;
        let mut several = 0;
        for (set, (indices, masks)) in sets.iter_mut().zip(INDICES.iter().zip(&MASKS)) {
            if let Some((name, array)) = self.first_of(indices)? {
                *set = array.positions(nodes).map_err(self.at(name))?;
                found = true;
            } else if let Some(&name) = masks.iter().find(|name| self.has(name)) {
                let (mask, count) = self.mask(name, nodes)?;
                *set = mask;
                several = several.max(count);
                found = true;
            }
        }
        if !found {
            return Ok(None);
        }
        if several > 1 {
            self.remark(format!("the masks hold {several} splits; the first is used"));
        }
        let given: usize = sets.iter().map(Vec::len).sum();
        sets.iter_mut().for_each(|set| set.retain(|&a| labels.is_known(a)));
        let left_out = given - sets.iter().map(Vec::len).sum::<usize>();
        if left_out > 0 {
            self.remark(format!("{left_out} nodes of the split have no label and are left out of it"));
        }
        let [train, validation, test] = sets;
        let split = Split { train, validation, test };
        split.check(labels, nodes).map_err(|error| BadInput::new(self.file, "", error.to_string()))?;
        if split.train.is_empty() {
            self.remark("the split is not used, for it has no labelled node to learn from");
            return Ok(None);
        }
        Ok(Some(split))
    }

    /// The nodes of a mask, of the first of several, and how many there are.
    fn mask(&self, name: &str, nodes: usize) -> Result<(Vec<u32>, usize), BadInput> {
        let array = self.required(name)?;
        let marks = array.whole().map_err(self.at(name))?;
        let by_rows = name.ends_with('s');
        // Node a of the first set, and how many sets there are.
        let (step, count) = match *array.shape() {
            [n] if n == nodes => (1, 1),
            [sets, n] if n == nodes && sets > 0 && (by_rows || sets != n) => (1, sets),
            [n, sets] if n == nodes && sets > 0 => (sets, sets),
            ref shape => {
                let allowed = format!("a mark for each of {nodes} nodes is needed");
                return Err(self.bad(name, format!("shape {shape:?}"), allowed));
            }
        };
        if let Some(odd) = marks.iter().find(|&&mark| mark != 0 && mark != 1) {
            return Err(self.bad(name, format!("the mark {odd}"), "marks are true or false, 1 or 0"));
        }
        Ok(((0..nodes as u32).filter(|&a| marks[a as usize * step] == 1).collect(), count))
    }
}
