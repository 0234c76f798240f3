//! `isolde map`: a picture of all openings of a board.

mod drawing;
mod svg;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::document::Document;
use super::folders::{self, Folders};
use super::limits::{Limits, status};
use super::openings::solve_openings;
use super::{Failure, Status, output, with_word_for};
use crate::board::Size;
use crate::cells::{Cell, Cells, Word};
use crate::notation::cell_name;
use crate::position::Player;
use crate::solve::{Opening, Solver};
use crate::table::Shelf;
use crate::verify::{JudgedClass, Openings};

/// Draw who wins every opening of a board
///
/// One small board for each first placement, up to symmetry, on which every reply has the colour, and the number, of the player who wins by it. Openings that break the colour law, by
/// which the player to move wins exactly when both knights stand on one colour, are marked.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 7x7
    board: String,
    /// Write the picture to a file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the same as data
    #[arg(long, conflicts_with = "svg")]
    json: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde map 5x5                          in the terminal
  isolde map 7x7 --svg openings.svg       as a picture
  isolde map 6x6 --json                   as data

Exit codes: 0 drawn, 2 bad input, 3 not all proven within the limits, 130 interrupted.";

/// One first placement, and what is known of each reply.
#[derive(Serialize)]
struct Placement {
    first: String,
    /// How many placements this one stands for, itself and its images.
    stands_for: usize,
    replies: Vec<Reply>,
    #[serde(skip)]
    cell: Cell,
}

#[derive(Serialize)]
struct Reply {
    second: String,
    winner: &'static str,
    /// Whether the opening breaks the colour law.
    exception: bool,
    #[serde(skip)]
    cell: Cell,
    #[serde(skip)]
    by: Option<Player>,
}

#[derive(Serialize)]
struct Map {
    board: String,
    winner: &'static str,
    placements: Vec<Placement>,
    nodes: u64,
    seconds: f64,
    #[serde(skip)]
    size: Size,
}

impl Map {
    fn replies(&self) -> impl Iterator<Item = &Reply> {
        self.placements.iter().flat_map(|placement| &placement.replies)
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    with_word_for!(size, draw(args, size))
}

fn draw<W: Word>(args: &Args, size: Size) -> Result<Status, Failure> {
    let settings = args.limits.settings::<W>(size)?;
    let shelf = Shelf::open(size, &args.folders.list()?);
    folders::warn_of(shelf.take_faults());
    // A bad path is told before the work, not after it.
    let document = args.svg.as_deref().map(Document::begin).transpose()?;
    let solver = Solver::<W>::new(size, settings)?.with_source(Arc::new(shelf));
    let (control, started) = (args.limits.control(), Instant::now());
    let openings = solve_openings(&solver, settings, &control);
    let map = Map {
        board: size.to_string(),
        winner: openings.winner().map_or("unknown", Player::name),
        placements: placements(&openings),
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
        size,
    };
    match document {
        Some(document) => document.finish(&svg::picture(&map), &format!("{} drawn in", map.board))?,
        None if args.json => output::json(&map)?,
        None => drawing::write(&map)?,
    }
    Ok(status(openings.is_complete()))
}

/// One placement of each class, with all its replies.
fn placements(openings: &Openings) -> Vec<Placement> {
    let size = openings.size;
    let cells = || Cells::<u128>::first_cells(size.cells()).into_iter();
    let mut placements: Vec<Placement> = Vec::new();
    for first in cells() {
        let reply = |second: Cell| {
            let judged = openings.class_of(Opening { first, second });
            let by = judged.and_then(|judged| judged.winner);
            Reply {
                second: cell_name(size, second),
                winner: by.map_or("unknown", Player::name),
                exception: judged.is_some_and(JudgedClass::breaks_colour_law),
                cell: second,
                by,
            }
        };
        // The images of a placement are those that begin the openings of its classes.
        let stands_for_it = |known: &&mut Placement| {
            let some = cells().find(|&second| second != known.cell).map(|second| Opening { first: known.cell, second });
            let class = some.and_then(|opening| openings.class_of(opening));
            class.is_some_and(|judged| judged.class.members.iter().any(|member| member.first == first))
        };
        match placements.iter_mut().find(stands_for_it) {
            Some(known) => known.stands_for += 1,
            None => {
                let replies = cells().filter(|&second| second != first).map(reply).collect();
                placements.push(Placement { first: cell_name(size, first), stands_for: 1, replies, cell: first });
            }
        }
    }
    placements
}
