//! The order of inference, drawing and training: the authors' code, or Algorithm 1 as printed.

mod algorithm1;
mod published;

pub(super) use algorithm1::run as algorithm1;
pub(super) use published::{plain, run as published};
