//! `isolde show`: draws and describes a position.

mod games;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::asked::Asked;
use super::document::Document;
use super::{Failure, Status, output, picture};
use crate::analysis::{CanonicalForm, Description, Knight};
use crate::drawing;
use crate::game::notation::{Written, quoted};
use crate::game::position::Position;

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
    /// Draw the position in an SVG file; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "replay"])]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  isolde show 7x7
  isolde show \"7x7: d4 b3 f5\"
  isolde show \"8/8/2N5/4n3/3*4/8/8/8 b\" --json
  isolde show \"7x7: d4 b3 f5\" --svg position.svg
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
    let asked = args.asked.written()?;
    if let Some(file) = &args.svg {
        write_svg(file, &asked)?;
        return Ok(Status::Answered);
    }
    let described = Description::of(&asked);
    (if args.json { output::json(&described) } else { write_text(&described, asked.position()) })?;
    Ok(Status::Answered)
}

/// Draws a position as SVG.
fn write_svg(file: &Path, asked: &Written) -> Result<(), Failure> {
    let picture = drawing::svg(asked.position());
    if file != Path::new("-") {
        return Document::begin(file)?.finish(&picture, &format!("{asked} drawn in"));
    }
    let mut out = output::answer();
    out.write_all(picture.as_bytes())?;
    Ok(out.flush()?)
}

fn write_text(report: &Description, position: &Position) -> io::Result<()> {
    let mut out = output::answer();
    let placing = report.is_placing();
    let state = match (report.winner, placing) {
        (Some(winner), false) => format!("{winner} has won: {} cannot move", report.turn),
        (Some(winner), true) => format!("{winner} has won: {} cannot place", report.turn),
        (None, false) => format!("{} to move", report.turn),
        (None, true) => format!("{} to place", report.turn),
    };
    writeln!(out, "{}\n", output::styled(output::STRONG, format!("{}, {state}", report.board)))?;
    picture::draw(&mut out, position)?;
    writeln!(out)?;
    for (name, letter, style, knight) in
        [("first", 'N', output::FIRST, &report.first), ("second", 'n', output::SECOND, &report.second)]
    {
        let facts = match knight {
            None => "not placed yet".to_string(),
            Some(Knight { cell, liberties, region, part, .. }) => {
                let part = part.map(|part| format!("{part}, ")).unwrap_or_default();
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
