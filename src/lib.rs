//! Isolde proves who wins knight's-move Isolation.
//!
//! Two knights on a board of up to 128 cells. Each player places one, then they take turns to move.
//! Every visited cell is gone for good, and the player who cannot move has lost.
//!
//! # Ask about a position
//!
//! An [`Analyst`] is the front door: it answers questions about the positions of one board, from
//! [tables](Tables) and by solving, and chooses the machine word by the size of the board.
//!
//! ```
//! use isolde::{Analyst, Control, Player, Position, Request, Settings, Tables};
//!
//! let position: Position = "7x7: d4 b3 f5".parse()?;
//! let analyst = Analyst::new(Settings::default(), &Tables::none(position.size()))?;
//! let analysis = analyst.analyse(&position, Request::winners(), &Control::unlimited().into(), |so_far| {
//!     // Called whenever the answer has become better.
//!     assert_eq!(so_far.winner(), Some(Player::First));
//! });
//! assert_eq!(analysis.known.map(|known| known.origin.to_string()), Some("mirror center".to_string()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Look at the rules
//!
//! ```
//! use isolde::{Part, Player, Position};
//!
//! let position: Position = "7x7: d4 b3 f5".parse()?;
//! assert_eq!(position.turn(), Player::Second);
//! assert_eq!(position.legal_moves().len(), 5);
//! assert_eq!(position.part(Player::First), Some(Part::Prey));
//! # Ok::<(), isolde::notation::Error>(())
//! ```
//!
//! # Play
//!
//! ```
//! use std::time::Duration;
//! use isolde::play::{Agent, Limit, Means};
//! use isolde::{Position, Settings, Tables};
//!
//! let position: Position = "8x8: d4".parse()?;
//! let means = Means { settings: Settings::default(), tables: Tables::none(position.size()), wants_line: false };
//! let mut best = Agent::Best.chooser(&means, 0)?;
//! let decision = best.choose(&position, &Limit::Time(Duration::from_millis(50)).start(), &mut |_| {});
//! assert!(decision.basis.value().is_some(), "a mirror proves that the second player wins");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `cli` (on by default) builds the program `isolde` and the module `cli`. A library user
//!   switches it off: `isolde = { version = "0.2", default-features = false }`.
//! - `serve` (on by default) builds the explorer, the module `serve`, and with `cli` its command.
//!
//! # Map
//!
//! The modules stand in the order of their layers; each uses only those above it.
//!
//! | module | what it has |
//! |---|---|
//! | [`game`] | the rules: boards, positions, symmetries, notation |
//! | [`drawing`] | pictures as SVG |
//! | [`solve`] | exact answers about duels; the search |
//! | [`table`] | proven results on disk |
//! | [`analysis`] | everything known about a position, in one answer that improves; all openings of a board |
//! | [`build`] | long work that can stop and continue: tables built, merged, verified |
//! | [`certificate`] | proofs on disk that others can check |
//! | [`strategies`] | mirrors and followers, checked |
//! | [`play`] | players: heuristics, lookahead, proof |
//! | [`arena`] | games between players, and their statistics |
//! | [`claims`] | published sentences about the game, decided |
//! | [`engine`] | the UCI protocol |
//! | [`tune`] | where the learned numbers of the search come from |
//! | `serve` | the explorer: an HTTP server and its page |
//! | `cli` | the command line |

#![warn(clippy::unwrap_used)]

mod mapped;

pub mod game;

pub mod drawing;

pub mod solve;

pub mod table;

pub mod analysis;

pub mod build;

pub mod certificate;

pub mod strategies;

pub mod play;

pub mod arena;

pub mod claims;

pub mod engine;

pub mod tune;

#[cfg(feature = "serve")]
pub mod serve;

#[cfg(feature = "cli")]
pub mod cli;

pub use analysis::{Analysis, Analyst, Judged, Request};
pub use game::board::{Board, Colour, DoesNotFit, Size, SizeError};
pub use game::cells::{Cell, Cells, Iter, MAX_CELLS, Word};
pub use game::duel::{Duel, Part};
pub use game::outcome::{Choice, Outcome, Value};
pub use game::perft::{lines_by_copying, lines_by_taking_back, perft, perft_while};
pub use game::position::{IllegalMove, Player, Position, Setup, SetupError, UnknownPlayer};
pub use game::symmetry::{Canonical, Symmetries, Symmetry};
pub use game::{notation, zobrist};
pub use solve::{Control, Known, Origin, Question, Settings, SolverError, Stopped};
pub use table::Tables;

/// The README's examples, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
