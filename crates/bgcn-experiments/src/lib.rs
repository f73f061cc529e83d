//! The paper's protocols: trials, tables and studies, on top of the `bgcn` library.
