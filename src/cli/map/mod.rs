//! `isolde map`: draws who wins every opening of a board.

mod drawing;
mod svg;

use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::document::Document;
use super::folders::Folders;
use super::limits::{Limits, status};
use super::openings::solve_openings;
use super::{Failure, Status, output};
use crate::analysis::{Analyst, JudgedClass, Openings};
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
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

Exit codes: 0 drawn, 2 bad input, 3 not everything proven within the limits, 130 interrupted.";

/// One first placement, and the winner for each reply.
#[derive(Serialize)]
struct Placement {
    first: String,
    /// How many placements this one stands for: itself and its images.
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
    let settings = args.limits.settings(size)?;
    let tables = args.folders.tables(size)?;
    // Before the work, so that a bad path is reported at once.
    let document = args.svg.as_deref().map(Document::begin).transpose()?;
    let analyst = Analyst::new(settings, &tables)?;
    let (control, started) = (args.limits.control(), Instant::now());
    let openings = solve_openings(&analyst, &Position::empty(size), Question::Winner, settings, &control);
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

/// One first placement of each symmetry class, with all its replies.
fn placements(openings: &Openings) -> Vec<Placement> {
    let size = openings.size;
    let mut placements: Vec<Placement> = Vec::new();
    for first in openings.firsts() {
        let reply = |(opening, judged): (Opening, &JudgedClass)| Reply {
            second: cell_name(size, opening.second),
            winner: judged.winner().map_or("unknown", Player::name),
            exception: judged.breaks_colour_law(),
            cell: opening.second,
            by: judged.winner(),
        };
        // A placement is an image of a known one if it begins an opening of the same class.
        let stands_for_it = |known: &&mut Placement| {
            let class = openings.after(known.cell).next();
            class.is_some_and(|(_, judged)| judged.class.members.iter().any(|member| member.first == first))
        };
        match placements.iter_mut().find(stands_for_it) {
            Some(known) => known.stands_for += 1,
            None => {
                let replies = openings.after(first).map(reply).collect();
                placements.push(Placement { first: cell_name(size, first), stands_for: 1, replies, cell: first });
            }
        }
    }
    placements
}
