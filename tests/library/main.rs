//! The library: the rules, the solver, tables, players and claims, compared with an oracle that
//! shares nothing with them.

#[path = "../support/mod.rs"]
mod support;

mod analysis;
mod arena;
mod atlas;
mod build;
mod campaign;
mod certificate;
mod certificate_lies;
mod claims_oracle;
mod corpus;
mod description;
mod drawing;
mod endgames;
mod engine;
mod enumerate;
mod hash;
mod heuristics;
mod laws;
mod lines;
mod mirroring;
mod notation;
mod openings;
mod perft;
mod play;
mod resume;
mod review;
mod rooms;
mod rules;
mod solve;
mod strategies;
mod strategy;
mod symmetry;
mod table;
mod tables;
mod tune;
