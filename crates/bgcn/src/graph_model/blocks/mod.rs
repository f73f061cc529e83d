//! What the block models share: memberships, the block matrix, walks over pairs, draws within and between blocks.
//! Paper: nothing of its own; each model's page says which equation it serves.

pub(crate) mod grouped;
pub(crate) mod labels;
pub(crate) mod line;
pub(crate) mod matrix;
pub(crate) mod memberships;
pub(crate) mod pairs;
pub(crate) mod points;
pub(crate) mod rows;
pub(crate) mod walk;
