//! `isolde map`: draws who wins every opening of a board.

mod drawing;
mod svg;

use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::document::Document;
use super::folders::Folders;
use super::limits::{Limits, status};
use super::openings::{Winner, class_name, csv, rows, solve_openings};
use super::{Failure, Status, output};
use crate::analysis::{Analyst, JudgedClass, Openings};
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::notation::cell_name;
use crate::game::position::Position;
use crate::solve::{Opening, Question};

/// Draw who wins every opening of a board
///
/// Draws one small board for each first placement, up to symmetry. Each cell shows the colour and
/// the number of the player who wins if the second player places there. By the colour law, the
/// player to move wins exactly when both knights stand on one colour. Openings that break the law
/// are marked.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 7x7
    board: String,
    /// Write the picture to an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the answer as JSON
    #[arg(long, conflicts_with = "svg")]
    json: bool,
    /// Print every opening as CSV, like `isolde solve --csv`
    #[arg(long, conflicts_with_all = ["svg", "json"])]
    csv: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde map 5x5                          in the terminal
  isolde map 7x7 --svg openings.svg       as a picture
  isolde map 6x6 --json                   as JSON
  isolde map 6x6 --csv                    every opening as CSV: first, second, winner, plies

Exit codes: 0 drawn, 2 bad input, 3 not everything proven within the limits, 130 interrupted.";

/// One first placement, and the winner for each reply.
#[derive(Serialize)]
struct Placement {
    first: String,
    /// How many placements this one stands for: itself and its images.
    stands_for: usize,
    replies: Vec<Reply>,
    /// Such as `a1 (4 cells)`.
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    cell: Cell,
}

#[derive(Serialize)]
struct Reply {
    second: String,
    winner: Winner,
    /// Whether the opening breaks the colour law.
    exception: bool,
    #[serde(skip)]
    cell: Cell,
}

#[derive(Serialize)]
struct Map {
    board: String,
    winner: Winner,
    placements: Vec<Placement>,
    nodes: u64,
    seconds: f64,
    #[serde(skip)]
    verdict: String,
    #[serde(skip)]
    size: Size,
}

impl Map {
    fn new(openings: &Openings, nodes: u64, seconds: f64) -> Self {
        Self {
            board: openings.size.to_string(),
            winner: Winner(openings.winner()),
            placements: placements(openings),
            nodes,
            seconds,
            verdict: openings.verdict(),
            size: openings.size,
        }
    }

    fn replies(&self) -> impl Iterator<Item = &Reply> {
        self.placements.iter().flat_map(|placement| &placement.replies)
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    let settings = args.limits.settings(size)?;
    let tables = args.folders.tables(size)?;
    // Before the work, so that a bad path is reported at once.
    let document = args.svg.as_deref().map(Document::begin).transpose()?;
    let analyst = Analyst::new(settings, &tables)?;
    let (control, started) = (args.limits.control(), Instant::now());
    let openings = solve_openings(&analyst, &Position::empty(size), Question::Winner, settings, &control);
    let map = Map::new(&openings, control.nodes(), started.elapsed().as_secs_f64());
    match document {
        Some(document) => document.finish(&svg::picture(&map), &format!("{} drawn in", map.board))?,
        None if args.json => output::json(&map)?,
        None if args.csv => csv(&rows(&openings))?,
        None => drawing::print(&map)?,
    }
    args.folders.tell_about(&tables, map.seconds);
    Ok(status(openings.is_complete()))
}

/// One first placement of each symmetry class, with all its replies.
fn placements(openings: &Openings) -> Vec<Placement> {
    let size = openings.size;
    let reply = |(opening, judged): (Opening, &JudgedClass)| Reply {
        second: cell_name(size, opening.second),
        winner: Winner(judged.winner()),
        exception: judged.breaks_colour_law(),
        cell: opening.second,
    };
    let placement = |cells: &Vec<Cell>| Placement {
        first: cell_name(size, cells[0]),
        stands_for: cells.len(),
        replies: openings.after(cells[0]).map(reply).collect(),
        name: class_name(size, cells),
        cell: cells[0],
    };
    openings.placements.iter().map(placement).collect()
}
