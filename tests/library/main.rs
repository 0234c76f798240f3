//! The library: the rules, the solver, tables, players and claims, compared with an oracle that
//! shares nothing with them.

#[path = "../support/mod.rs"]
mod support;

mod analysis;
mod arena;
mod build;
mod claims_oracle;
mod corpus;
mod engine;
mod enumerate;
mod hash;
mod heuristics;
mod laws;
mod lines;
mod notation;
mod openings;
mod perft;
mod play;
mod rooms;
mod rules;
mod solve;
mod strategies;
mod strategy;
mod symmetry;
mod table;
mod tables;
