//! The only place with SIMD or `unsafe`: sparse products, dropout, Adam.

mod cpu;

pub use cpu::cpu_features;
