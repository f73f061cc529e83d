//! The `bgcn` command.

fn main() {}
