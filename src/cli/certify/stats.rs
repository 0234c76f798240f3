//! `isolde certify --stats`: what a certificate is made of, and single lemmas.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Args, input_or_files, verdict, write_size};
use crate::certificate::{Certificate, Shown, Stats, Uses};
use crate::cli::document::Document;
use crate::cli::output::{self, QUIET, fact, grouped, paragraph, styled, write_headline};
use crate::cli::{Failure, Status};
use crate::game::notation::{cell_name, cell_names, spaced_names};

#[derive(Serialize)]
struct Report<'a> {
    file: &'a Path,
    #[serde(flatten)]
    stats: Stats,
}

#[derive(Serialize)]
struct LemmaReport {
    file: PathBuf,
    board: String,
    lemma: u32,
    winner: String,
    hunter: String,
    prey: String,
    need: Vec<String>,
    stop: Vec<String>,
    free: usize,
}

pub(super) fn run(args: &Args, file: &Path) -> Result<Status, Failure> {
    let refused = |fault| input_or_files(&fault, file);
    let certificate = Certificate::open(file).map_err(refused)?;
    if let Some(number) = args.lemma {
        let picture = args.svg.as_deref().map(Document::begin).transpose()?;
        let lemma = certificate.lemma(number).map_err(refused)?;
        let none = || Failure::Input(format!("{} has no lemma {}", file.display(), grouped(number.into())));
        return show_lemma(args, file, &lemma.ok_or_else(none)?, picture);
    }
    let stats = certificate.stats(true).map_err(refused)?;
    (if args.json { output::json(&Report { file, stats }) } else { write_text(&stats) })?;
    Ok(Status::Answered)
}

fn write_text(stats: &Stats) -> io::Result<()> {
    let mut out = output::answer();
    write_headline(&mut out, &stats.board.to_string(), &verdict(&stats.stated))?;
    write_size(&mut out, stats)?;
    let [hunter, prey] = [stats.lemmas - stats.prey_wins, stats.prey_wins].map(grouped);
    fact(&mut out, "winners", &format!("the hunter in {hunter} lemmas, the prey in {prey}"))?;
    let (need, stop) = (stats.average_need, stats.average_stop);
    fact(&mut out, "cells", &format!("a lemma needs {need:.1} cells and stops {stop:.1}, on average"))?;
    if let Some(uses) = stats.uses.as_ref().filter(|uses| !uses.doubling.is_empty()) {
        write_uses(&mut out, uses)?;
    }
    let most = stats.by_free_cells.iter().copied().max().unwrap_or(0);
    if most > 0 {
        writeln!(out, "\n{}", styled(QUIET, "lemmas by the free cells of the position that they were written for"))?;
        for (free, &lemmas) in stats.by_free_cells.iter().enumerate().rev().filter(|(_, lemmas)| **lemmas > 0) {
            let bar = "#".repeat((lemmas * 50).div_ceil(most) as usize);
            writeln!(out, "{free:>3} {:>12}  {bar}", grouped(lemmas))?;
        }
    }
    out.flush()
}

fn write_uses(out: &mut impl Write, uses: &Uses) -> io::Result<()> {
    let range = |place: usize| match place {
        0 => "once".to_string(),
        1 => "twice".to_string(),
        _ => format!("{} to {} times", grouped((1 << (place - 1)) + 1), grouped(1 << place)),
    };
    let counted = uses.doubling.iter().enumerate().filter(|(_, lemmas)| **lemmas > 0);
    let counted: Vec<String> = counted.map(|(place, &lemmas)| format!("{}: {}", range(place), grouped(lemmas))).collect();
    paragraph(out, "used", &counted.join(", "))?;
    let most = uses.most.iter().map(|&(number, used)| format!("{} ({} times)", grouped(number.into()), grouped(used.into())));
    paragraph(out, "used most", &format!("lemma {}", most.collect::<Vec<_>>().join(", ")))
}

fn show_lemma(args: &Args, file: &Path, lemma: &Shown, picture: Option<Document>) -> Result<Status, Failure> {
    if let Some(picture) = picture {
        picture.finish(&lemma.svg(), "drawn to")?;
        return Ok(Status::Answered);
    }
    let size = lemma.size;
    let [need, stop] = [lemma.need, lemma.stop].map(|cells| cell_names(size, cells));
    if args.json {
        output::json(&LemmaReport {
            file: file.to_path_buf(),
            board: size.to_string(),
            lemma: lemma.number,
            winner: lemma.winner.to_string(),
            hunter: cell_name(size, lemma.hunter),
            prey: cell_name(size, lemma.prey),
            need,
            stop,
            free: lemma.free,
        })?;
        return Ok(Status::Answered);
    }
    let mut out = output::answer();
    let subject = format!("{size}, lemma {}", grouped(lemma.number.into()));
    write_headline(&mut out, &subject, &format!("the {} wins", lemma.winner))?;
    fact(&mut out, "hunter", &format!("{}, to move", spaced_names(size, &[lemma.hunter])))?;
    fact(&mut out, "prey", &cell_name(size, lemma.prey))?;
    let or_none = |names: Vec<String>| if names.is_empty() { "no cell".to_string() } else { names.join(" ") };
    paragraph(&mut out, "free", &format!("{} (the winner needs them)", or_none(need)))?;
    paragraph(&mut out, "not free", &format!("{} (this stops the loser)", or_none(stop)))?;
    fact(&mut out, "written", &format!("for a position with {} free cells", lemma.free))?;
    out.flush()?;
    Ok(Status::Answered)
}
