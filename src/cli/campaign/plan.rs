//! `isolde campaign plan`: begins a campaign.

use std::io::Write;
use std::path::PathBuf;

use bytesize::ByteSize;
use serde::Serialize;

use crate::build::{Campaign, CampaignPlan, Goal, parse_openings};
use crate::cli::limits::{count, memory};
use crate::cli::output::{self, fact, grouped, plural, roughly, write_headline};
use crate::cli::{Failure, Status};
use crate::game::board::Size;

/// Begin a campaign: what is to be proven, and how large its jobs may get
///
/// The plan is written once and never changes. The same command finds it again.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 8x8
    board: String,
    /// Only who wins the board: one winning reply to each first placement
    #[arg(long, conflicts_with = "openings")]
    weak: bool,
    /// Only these openings, such as "d4 f5, c4 d4"
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,
    /// Strategies end at positions with this many live cells [default: as for `isolde table build`;
    /// with --weak, the table has the openings only]
    #[arg(long, value_name = "CELLS")]
    depth: Option<usize>,
    /// A move for the winner to try before all others, as for `isolde table build`
    #[arg(long = "try", value_name = "CELLS")]
    tries: Vec<String>,
    /// A job that has searched this many nodes is split
    ///
    /// A thread searches five to ten million nodes a second. A job that is ended from outside is
    /// lost, and a job that is too small repeats what others know.
    #[arg(long, value_name = "N", default_value = "2G", value_parser = count)]
    nodes: u64,
    /// The memory of a job
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = memory)]
    memory: ByteSize,
    /// The folder of the campaign [default: named after the board]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde campaign plan 9x9 --weak --output 9x9     who wins 9x9
  isolde campaign plan 8x8 --output 8x8            every opening of 8x8, and how its winner wins
  isolde campaign plan 8x8 --openings \"d4 f5, c4 d4\" --nodes 500M

Exit codes: 0 the campaign is there, 1 failed, 2 bad input.";

/// A result has about this many bytes. One of a job that was split names a hundred positions.
const BYTES_A_RESULT: f64 = 8e3;

/// The nodes that a thread searches in a second, as they are counted on for an estimate.
const NODES_A_SECOND: f64 = 8e6;

#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    board: String,
    weak: bool,
    openings: usize,
    depth: usize,
    nodes: u64,
    memory: u64,
    open: usize,
    expected_nodes: f64,
    expected_bytes: f64,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    let goal = match &args.openings {
        Some(openings) => {
            Goal::Openings(parse_openings(size, openings).map_err(|fault| Failure::Input(format!("--openings: {fault}")))?)
        }
        None if args.weak => Goal::Weak,
        None => Goal::All,
    };
    let plan = CampaignPlan {
        size,
        depth: args.depth.unwrap_or_else(|| CampaignPlan::default_depth(size, &goal)),
        goal,
        tries: args.tries.iter().map(|cells| format!("{size}: {cells}").parse()).collect::<Result<_, _>>()?,
        nodes: args.nodes,
        memory: args.memory.0,
    };
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(size.to_string()));
    let campaign = Campaign::begin(&folder, plan)?;
    let open = campaign.open_jobs(false)?;
    super::warn_of(&open.set_aside);
    let seconds = campaign.expected_seconds();
    let expected_nodes = seconds * NODES_A_SECOND;
    let openings = campaign.expected_openings();
    let report = Report {
        folder,
        board: size.to_string(),
        weak: args.weak,
        openings,
        depth: campaign.plan().depth,
        nodes: args.nodes,
        memory: args.memory.0,
        open: open.jobs.len(),
        expected_nodes,
        expected_bytes: (expected_nodes / args.nodes as f64 + openings as f64) * BYTES_A_RESULT,
    };
    if args.json {
        output::json(&report)?;
    } else {
        write_text(&report, seconds)?;
    }
    Ok(Status::Answered)
}

fn write_text(report: &Report, seconds: f64) -> std::io::Result<()> {
    let mut out = output::answer();
    let folder = report.folder.display();
    write_headline(&mut out, &report.board, &format!("a campaign in {folder}"))?;
    let (openings, noun) = (grouped(report.openings as u64), plural(report.openings, "opening"));
    let goal = match report.weak {
        true => format!("who wins the board: {openings} {noun}, if the first reply to each placement wins"),
        false => format!("who wins {openings} {noun}, and the winners' moves while more than {} cells are live", report.depth),
    };
    fact(&mut out, "goal", &goal)?;
    let seconds_a_job = report.nodes as f64 / NODES_A_SECOND;
    let job =
        format!("one thread, {}, {} nodes (some {})", ByteSize(report.memory), grouped(report.nodes), roughly(seconds_a_job));
    fact(&mut out, "a job", &job)?;
    fact(&mut out, "expected", &format!("{} on one thread, or a few times that; strategies come on top", roughly(seconds)))?;
    fact(&mut out, "disk", &format!("about {}", ByteSize(report.expected_bytes.min(1e18) as u64)))?;
    fact(
        &mut out,
        "open",
        &format!("{} {}: isolde campaign run {folder}", grouped(report.open as u64), plural(report.open, "job")),
    )?;
    out.flush()
}
