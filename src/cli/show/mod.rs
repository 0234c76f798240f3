//! `isolde show`: draws and describes a position.

mod games;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::asked::Asked;
use super::{Failure, Status, output, picture};
use crate::game::board::Colour;
use crate::game::cells::Cells;
use crate::game::notation::{cell_name, cell_names, quoted};
use crate::game::position::{Player, Position, Setup};
use crate::game::symmetry::Symmetries;
use crate::game::zobrist;

/// Draw a position and describe it
///
/// Shows the legal moves, each knight's region (the cells that it can still reach), who is hunter
/// and who is prey, and the canonical form. The canonical form blocks all dead cells and is the
/// least image under the board's symmetries, with the mover as N.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("position", |asked| asked.help("A board, a line of play, a position, or a file with records of games")))]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The number of the game, for a file with several games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Show the position after this many plies of a game [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Show all positions of a game, one after the other
    #[arg(long, conflicts_with_all = ["ply", "json"])]
    replay: bool,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde show 7x7
  isolde show \"7x7: d4 b3 f5\"
  isolde show \"8/8/2N5/4n3/3*4/8/8/8 b\" --json
  isolde show game.json --replay           a game saved by `isolde play --save`
  isolde show games.jsonl --game 3         a game saved by `isolde tournament --games`";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let text = args.asked.text();
    if Path::new(&text).is_file() {
        return games::run(args, &text);
    }
    if args.game.is_some() || args.ply.is_some() || args.replay {
        return Err(Failure::Input(format!(
            "--game, --ply and --replay go with a file of records, and {} is not a file",
            quoted(&text)
        )));
    }
    let report = described(args.asked.written()?.position());
    (if args.json { output::json(&report) } else { write_text(&report) })?;
    Ok(Status::Answered)
}

/// The description, as data.
#[derive(Serialize)]
struct Report {
    board: String,
    position: String,
    turn: &'static str,
    /// The winner, if the game is over.
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
    drawn: Position,
}

#[derive(Serialize)]
struct Knight {
    cell: String,
    /// How many cells the knight could move to now.
    liberties: usize,
    /// How many cells the knight can still reach.
    region: usize,
    /// Hunter or prey, once both knights are placed.
    part: Option<String>,
}

#[derive(Serialize)]
struct CanonicalForm {
    position: String,
    /// The symmetry that maps the position to its canonical form.
    symmetry: &'static str,
}

fn described(position: &Position) -> Report {
    let setup = position.setup();
    let (board, size, free) = (position.board(), position.size(), position.free());
    let knight = |player| {
        position.knight(player).map(|cell| Knight {
            cell: cell_name(size, cell),
            liberties: (board.knight_moves(cell) & free).len(),
            region: board.flood(Cells::only(cell), free).len(),
            part: position.part(player).map(|part| part.to_string()),
        })
    };
    let duel = position.duel::<u128>();
    let canonical = duel.map(|duel| {
        let canonical = Symmetries::new(board).canonical(board, duel);
        let position = Setup::of_duel(board, canonical.duel).to_string();
        CanonicalForm { position, symmetry: canonical.symmetry.name() }
    });
    Report {
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
        drawn: position.clone(),
    }
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
