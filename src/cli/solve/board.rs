//! All openings of a board, or of a board and a first placement.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::{Args, Resumed, tell_about_checkpoint, unusual_start, verdict, write_mirror};
use crate::analysis::{JudgedClass, Openings};
use crate::cli::limits::status;
use crate::cli::openings::{OpeningRow, Winner, class_name, csv, rows, solve_openings, subject, table_names, write_colours};
use crate::cli::output::{grouped, styled, write_headline};
use crate::cli::{Failure, Status, output};
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::solve::Opening;

#[derive(Serialize)]
struct Report {
    board: String,
    /// The position that the openings start from, if it is not the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    winner: Winner,
    /// Counted after both placements, if both place as well as they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    /// The mirror by which the second player wins the board, if there is one.
    mirror: Option<&'static str>,
    openings: Vec<OpeningRow>,
    /// The tables that were asked.
    tables: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<Resumed>,
    nodes: u64,
    seconds: f64,
}

pub(super) fn run(args: &Args, start: &Position) -> Result<Status, Failure> {
    let settings = args.limits.settings(start.size())?;
    let analyst = args.analyst(start.size(), settings)?;
    let (control, started) = (args.limits.control(), Instant::now());
    let openings = solve_openings(&analyst, start, args.question(), settings, &control);
    let report = Report {
        board: start.size().to_string(),
        position: unusual_start(start),
        winner: Winner(openings.winner()),
        plies: openings.plies(),
        mirror: openings.mirror.map(Symmetry::name),
        openings: rows(&openings),
        tables: table_names(&analyst),
        resumed: analyst.checkpoint().map(Resumed::from),
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    if args.csv {
        csv(&report.openings)?;
    } else if args.json {
        output::json(&report)?;
    } else {
        write_text(args, &report, start, &openings)?;
    }
    args.folders.tell_about(analyst.tables(), report.seconds);
    tell_about_checkpoint(&analyst);
    let is_complete = |judged: &JudgedClass| judged.known.as_ref().is_some_and(|known| args.is_complete(known));
    Ok(status(openings.classes.iter().all(is_complete)))
}

fn write_text(args: &Args, report: &Report, start: &Position, openings: &Openings) -> io::Result<()> {
    let mut out = output::answer();
    let plies = report.plies.filter(|_| args.distance);
    let verdict = match openings.is_empty() {
        true => "the first player wins; the second cannot place".to_string(),
        false => verdict(report.winner, plies, openings.mirror, start.knight(Player::First).is_some()),
    };
    write_headline(&mut out, &subject(start), &verdict)?;
    if !openings.is_empty() {
        if openings.mirror.is_some() {
            write_mirror(&mut out)?;
        }
        write_placements(&mut out, args, start, openings)?;
        write_colours(&mut out, openings)?;
        let [proven, all, classes] =
            [openings.proven(), openings.len(), openings.classes.len()].map(|count| grouped(count as u64));
        output::fact(&mut out, "proven", &format!("{proven} of {all} openings in {classes} classes"))?;
    }
    report.tables.iter().try_for_each(|table| output::fact(&mut out, "table", table))?;
    if let Some(resumed) = &report.resumed {
        output::fact(&mut out, "resumed", &resumed.to_string())?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}

/// One line for each class of placements, or for each placement.
fn write_placements(out: &mut impl Write, args: &Args, start: &Position, openings: &Openings) -> io::Result<()> {
    let size = openings.size;
    let lines: Vec<(String, Vec<(Opening, &JudgedClass)>)> = match args.all || start.knight(Player::First).is_some() {
        true => openings.firsts().map(|first| (cell_name(size, first), openings.after(first).collect())).collect(),
        false => {
            let line = |cells: &Vec<_>| (class_name(size, cells), openings.after(cells[0]).collect());
            openings.placements.iter().map(line).collect()
        }
    };
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or_default().max(4);
    for (name, replies) in &lines {
        let replies =
            if args.distance || args.all { cells(openings, replies, args.distance) } else { by_colour(openings, replies) };
        let name = styled(output::STRONG, format!("{name:<width$}"));
        writeln!(out, "{}", format!("{name} {replies}").trim_end())?;
    }
    if args.distance {
        writeln!(out, "\n{}", styled(output::QUIET, "In brackets: plies after both placements."))?;
    }
    Ok(())
}

fn wins(judged: &JudgedClass) -> bool {
    judged.winner() == Some(Player::Second)
}

/// How many replies win, as the beginning of a line.
fn summary(replies: &[(Opening, &JudgedClass)]) -> String {
    let winning = replies.iter().filter(|(_, judged)| wins(judged)).count();
    let unknown = match replies.iter().filter(|(_, judged)| judged.winner().is_none()).count() {
        0 => String::new(),
        unknown => format!(" ({unknown} unknown)"),
    };
    let end = if winning == 0 { "" } else { ":" };
    styled(output::QUIET, format!("{winning:>3} of {} replies win{unknown}{end}", replies.len()))
}

/// The replies that win, cell by cell, with their plies if those are wanted and known.
fn cells(openings: &Openings, replies: &[(Opening, &JudgedClass)], with_plies: bool) -> String {
    let reply = |(opening, judged): &(Opening, &JudgedClass)| {
        let name = cell_name(openings.size, opening.second);
        match judged.plies().filter(|_| with_plies) {
            Some(plies) => format!("{name}({plies})"),
            None => name,
        }
    };
    let winning: Vec<String> = replies.iter().filter(|(_, judged)| wins(judged)).map(reply).collect();
    format!("{} {}", summary(replies), winning.join(" "))
}

/// The replies that win, said with the colour law if that is shorter.
fn by_colour(openings: &Openings, replies: &[(Opening, &JudgedClass)]) -> String {
    let (winning, exceptions): (Vec<_>, Vec<_>) = replies
        .iter()
        .filter(|(_, judged)| wins(judged) || judged.breaks_colour_law())
        .partition(|(_, judged)| !judged.breaks_colour_law());
    let is_known = replies.iter().all(|(_, judged)| judged.winner().is_some());
    if !is_known || winning.is_empty() || exceptions.len() >= winning.len() {
        return cells(openings, replies, false);
    }
    let names = |won: bool| -> Vec<String> {
        let alike = exceptions.iter().filter(|(_, judged)| wins(judged) == won);
        alike.map(|(opening, _)| cell_name(openings.size, opening.second)).collect()
    };
    let (also, except) = (names(true), names(false));
    let except = if except.is_empty() { String::new() } else { format!(" except {}", except.join(" ")) };
    let also = if also.is_empty() { String::new() } else { format!(", and also {}", also.join(" ")) };
    format!("{} all on the other colour{except}{also}", summary(replies))
}
