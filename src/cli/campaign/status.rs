//! `isolde campaign status`: how far a campaign is.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::build::{Campaign, CampaignStatus, Goal, Placement};
use crate::cli::interruption::interruptible;
use crate::cli::output::{self, FIRST, MOVE, QUIET, fact, grouped, plural, styled, write_headline};
use crate::cli::progress::changing;
use crate::cli::{Failure, Status};
use crate::game::board::Size;
use crate::game::cells::{Cell, Cells};
use crate::game::notation::{cell_name, cell_names};
use crate::game::position::Player;
use crate::solve::Control;

/// Show how far a campaign is: jobs, nodes, what is left
///
/// On a terminal the picture is drawn again every two seconds until the campaign is complete or
/// Ctrl-C is pressed. Nothing in the folder is changed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder of the campaign
    folder: PathBuf,
    /// Show it once, on a terminal, too
    #[arg(long)]
    once: bool,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde campaign status 9x9
  isolde campaign status 9x9 --json

Exit codes: 0 the campaign is complete, 1 failed, 2 bad input, 3 not complete yet.";

const BETWEEN_PICTURES: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Report {
    board: String,
    weak: bool,
    complete: bool,
    /// Who wins the board, if that was asked and is known.
    winner: Option<Player>,
    openings: Counted,
    jobs: Jobs,
    entries: usize,
    nodes: u64,
    nodes_left: Option<f64>,
    placements: Vec<Row>,
}

#[derive(Serialize)]
struct Counted {
    decided: usize,
    needed: usize,
}

#[derive(Serialize)]
struct Jobs {
    done: usize,
    split: usize,
    open: usize,
    running: usize,
    damaged: usize,
}

#[derive(Serialize)]
struct Row {
    cells: Vec<String>,
    decided: usize,
    openings: usize,
    reply: Option<String>,
    nodes: u64,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let campaign = Campaign::open(&args.folder)?;
    let live = !args.json && !args.once && io::stdout().is_terminal() && io::stderr().is_terminal();
    let found = if live { watch(&campaign)? } else { campaign.status()? };
    if args.json {
        output::json(&report(&campaign, &found))?;
    } else {
        let mut out = output::answer();
        write(&mut out, &campaign, &found)?;
        out.flush()?;
    }
    Ok(if found.is_complete() { Status::Answered } else { Status::Unknown })
}

/// Shows it again and again. Returns what was seen last.
fn watch(campaign: &Campaign) -> Result<CampaignStatus, Failure> {
    let control = interruptible(Control::unlimited());
    changing(|show| {
        loop {
            let found = campaign.status()?;
            let mut text = Vec::new();
            // Writing to memory does not fail.
            let _ = write(&mut text, campaign, &found);
            show(String::from_utf8_lossy(&text).into_owned());
            let pause = control.part(Some(BETWEEN_PICTURES));
            while !found.is_complete() && !pause.is_stopped() {
                std::thread::sleep(BETWEEN_PICTURES / 40);
            }
            if found.is_complete() || control.is_stopped() {
                return Ok(found);
            }
        }
    })
}

fn report(campaign: &Campaign, found: &CampaignStatus) -> Report {
    let size = campaign.plan().size;
    let (decided, needed) = found.openings();
    let row = |placement: &Placement| Row {
        cells: cell_names(size, placement.cells.iter().copied().collect::<Cells<u128>>()),
        decided: placement.decided,
        openings: placement.openings,
        reply: placement.reply.map(|reply| cell_name(size, reply)),
        nodes: placement.nodes,
    };
    Report {
        board: size.to_string(),
        weak: campaign.plan().goal == Goal::Weak,
        complete: found.is_complete(),
        winner: winner(campaign, found),
        openings: Counted { decided, needed },
        jobs: Jobs { done: found.done, split: found.split, open: found.open, running: found.running, damaged: found.damaged },
        entries: found.entries,
        nodes: found.nodes,
        nodes_left: found.left,
        placements: found.placements.iter().map(row).collect(),
    }
}

/// Who wins the board: the second player, if there is a reply to each placement.
fn winner(campaign: &Campaign, found: &CampaignStatus) -> Option<Player> {
    let has_reply = |placement: &Placement| placement.reply.is_some();
    let is_decided = |placement: &Placement| placement.decided == placement.openings;
    match campaign.plan().goal {
        Goal::Weak if !found.placements.iter().all(has_reply) => Some(Player::First),
        Goal::Weak if found.placements.iter().all(is_decided) => Some(Player::Second),
        _ => None,
    }
}

fn write(out: &mut impl Write, campaign: &Campaign, found: &CampaignStatus) -> io::Result<()> {
    let size = campaign.plan().size;
    let (decided, needed) = found.openings();
    let verdict = match winner(campaign, found) {
        Some(winner) => format!("the {winner} player wins"),
        None if campaign.plan().goal == Goal::Weak => {
            format!("{decided} of {needed} classes of placements have a proven reply")
        }
        None => format!("{decided} of {needed} {} decided", plural(needed, "opening")),
    };
    write_headline(out, &size.to_string(), &verdict)?;
    picture(out, size, &found.placements)?;
    writeln!(out)?;
    let numbers = [found.done, found.split, found.open, found.running].map(|count| grouped(count as u64));
    let [done, split, open, running] = numbers;
    fact(out, "jobs", &format!("{done} answered, {split} split, {open} open, {running} running on this machine"))?;
    if found.damaged > 0 {
        fact(out, "damaged", &format!("{} set aside", grouped(found.damaged as u64)))?;
    }
    fact(out, "nodes", &grouped(found.nodes))?;
    match found.left {
        _ if found.is_complete() => fact(out, "complete", "isolde campaign merge checks it and writes the table"),
        Some(left) => fact(out, "left", &format!("{} nodes or more, going by the jobs that were answered", rounded(left))),
        None => fact(out, "left", "unknown until a job is answered"),
    }
}

/// The board with its first placements: decided, in work, or open.
fn picture(out: &mut impl Write, size: Size, placements: &[Placement]) -> io::Result<()> {
    let sign = |cell: Cell| match placements.iter().find(|placement| placement.cells.contains(&cell)) {
        Some(placement) if placement.decided == placement.openings => styled(MOVE, "●"),
        Some(placement) if placement.decided > 0 || placement.nodes > 0 => styled(FIRST, "◐"),
        Some(_) => "○".to_string(),
        None => styled(QUIET, "·"),
    };
    for rank in (0..size.ranks()).rev() {
        let row = (0..size.files()).filter_map(|file| size.cell(file, rank)).map(sign).collect::<Vec<_>>().join(" ");
        writeln!(out, "{} {row}", styled(QUIET, format!("{:>3}", rank + 1)))?;
    }
    let files = (0..size.files()).map(|file| char::from(b'a' + file as u8).to_string()).collect::<Vec<_>>().join(" ");
    writeln!(out, "    {}   {}", styled(QUIET, files), styled(QUIET, "● decided  ◐ begun  ○ open"))
}

/// A large number with two digits that count.
fn rounded(number: f64) -> String {
    let unit = 10_f64.powf((number.max(1.0).log10().floor() - 1.0).max(0.0));
    grouped(((number / unit).round() * unit).min(1e18) as u64)
}
