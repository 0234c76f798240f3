//! `isolde show`: a position drawn and described.

mod games;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::{Failure, Status, output, picture, with_word_for};
use crate::board::Colour;
use crate::cells::{Cells, Word};
use crate::notation::{self, cell_name, cell_names};
use crate::position::{Player, Position, Setup};
use crate::symmetry::Symmetries;
use crate::zobrist;

/// Draw a position and say what can be seen in it
///
/// The mover's legal moves, each knight's region (the cells that it can still reach), who is hunter and who prey, and the
/// canonical form: dead cells blocked, then the least of all images under the board's symmetries, the mover as N.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A board, a line of play, a position, or a file with records of games
    position: String,
    /// Of a file with several games, this one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Of a game, the position after so many plies [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Of a game, all positions one after the other
    #[arg(long, conflicts_with_all = ["ply", "json"])]
    replay: bool,
    /// Write the same as data
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde show 7x7
  isolde show \"7x7: d4 b3 f5\"
  isolde show \"8/8/2N5/4n3/3*4/8/8/8 b\" --json
  isolde show game.json --replay           a game that `isolde play --save` has saved
  isolde show games.jsonl --game 3         a game of `isolde tournament --games`";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    if Path::new(&args.position).is_file() {
        return games::run(args);
    }
    if args.game.is_some() || args.ply.is_some() || args.replay {
        return Err(Failure::Input(format!(
            "--game, --ply and --replay go with a file of records, and there is no file {}",
            args.position
        )));
    }
    let report = described(notation::parse(&args.position)?)?;
    (if args.json { output::json(&report) } else { write_text(&report) })?;
    Ok(Status::Answered)
}

fn described(setup: Setup) -> Result<Report, notation::Error> {
    with_word_for!(setup.size, report(setup))
}

/// All that is shown, as data.
#[derive(Serialize)]
struct Report {
    board: String,
    position: String,
    turn: &'static str,
    /// Who has won, if the game is over.
    winner: Option<&'static str>,
    first: Option<Knight>,
    second: Option<Knight>,
    legal_moves: Vec<String>,
    free: Vec<String>,
    blocked: Vec<String>,
    /// Free cells that neither knight can reach.
    dead: Vec<String>,
    free_dark: usize,
    free_light: usize,
    canonical: Option<CanonicalForm>,
    /// The Zobrist hash, in hexadecimal.
    hash: Option<String>,
    #[serde(skip)]
    drawn: Position<u128>,
}

#[derive(Serialize)]
struct Knight {
    cell: String,
    /// How many cells it could move to now.
    liberties: usize,
    /// How many cells it can still reach.
    region: usize,
    /// Hunter or prey, once both knights are placed.
    part: Option<String>,
}

#[derive(Serialize)]
struct CanonicalForm {
    position: String,
    /// Takes the position to its canonical form.
    symmetry: &'static str,
}

fn report<W: Word>(setup: Setup) -> Result<Report, notation::Error> {
    let position = Position::<W>::new(setup)?;
    let (board, size, free) = (position.board(), position.size(), position.free());
    let knight = |player| {
        position.knight(player).map(|cell| Knight {
            cell: cell_name(size, cell),
            liberties: (board.knight_moves(cell) & free).len(),
            region: board.flood(Cells::only(cell), free).len(),
            part: position.part(player).map(|part| part.to_string()),
        })
    };
    let duel = position.duel();
    let canonical = duel.map(|duel| {
        let canonical = Symmetries::new(board).canonical(board, duel);
        let position = Setup::of_duel(board, canonical.duel).to_string();
        CanonicalForm { position, symmetry: canonical.symmetry.name() }
    });
    Ok(Report {
        board: size.to_string(),
        position: setup.to_string(),
        turn: position.turn().name(),
        winner: position.winner().map(Player::name),
        first: knight(Player::First),
        second: knight(Player::Second),
        legal_moves: cell_names(size, position.legal_moves()),
        free: cell_names(size, free),
        blocked: cell_names(size, setup.blocked),
        dead: duel.map_or_else(Vec::new, |duel| cell_names(size, free.except(duel.live(board)))),
        free_dark: (free & board.coloured(Colour::Dark)).len(),
        free_light: (free & board.coloured(Colour::Light)).len(),
        canonical,
        hash: duel.map(|duel| format!("0x{:016x}", zobrist::hash(duel))),
        drawn: Position::new(setup)?,
    })
}

fn write_text(report: &Report) -> io::Result<()> {
    let mut out = output::answer();
    let placing = (if report.turn == "first" { &report.first } else { &report.second }).is_none();
    let state = match (report.winner, placing) {
        (Some(winner), false) => format!("{winner} has won: {} cannot move", report.turn),
        (Some(winner), true) => format!("{winner} has won: {} cannot place", report.turn),
        (None, false) => format!("{} to move", report.turn),
        (None, true) => format!("{} to place", report.turn),
    };
    writeln!(out, "{}\n", output::styled(output::STRONG, format!("{}, {state}", report.board)))?;
    picture::draw(&mut out, &report.drawn)?;
    writeln!(out)?;
    for (name, letter, style, knight) in
        [("first", 'N', output::FIRST, &report.first), ("second", 'n', output::SECOND, &report.second)]
    {
        let facts = match knight {
            None => "not placed yet".to_string(),
            Some(Knight { cell, liberties, region, part }) => {
                let part = part.as_ref().map(|part| format!("{part}, ")).unwrap_or_default();
                let liberties = format!("{liberties} {}", output::plural(*liberties, "liberty"));
                format!("{} on {cell}: {part}{liberties}, region of {region}", output::styled(style, letter))
            }
        };
        output::fact(&mut out, name, &facts)?;
    }
    let moves = match (report.legal_moves.as_slice(), placing) {
        ([], _) => "none".to_string(),
        ([only], true) => format!("only {only} is free"),
        (cells, true) => format!("any of {} free cells", cells.len()),
        (cells, false) => format!("{} ({})", cells.join(" "), cells.len()),
    };
    output::fact(&mut out, "moves", &moves)?;
    let dead = if report.dead.is_empty() { String::new() } else { format!(", {} dead", report.dead.len()) };
    output::fact(&mut out, "free", &format!("{} dark and {} light cells{dead}", report.free_dark, report.free_light))?;
    output::fact(&mut out, "position", &report.position)?;
    if let Some(CanonicalForm { position, symmetry }) = &report.canonical {
        output::fact(&mut out, "canonical", &format!("{position}  (by {symmetry})"))?;
    }
    if let Some(hash) = &report.hash {
        output::fact(&mut out, "hash", hash)?;
    }
    out.flush()
}
