//! Networks as a whole: against PyTorch, against plain networks in double precision, and facts about their output.

mod gat;
mod golden;
