//! Networks as a whole: against PyTorch, against plain networks in double precision, and facts about their output.

pub(crate) mod check;
mod gat;
mod golden;
