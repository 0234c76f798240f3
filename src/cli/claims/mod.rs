//! `isolde claims`: what people say about the game, and whether it is true.

mod markdown;
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::document::Document;
use super::limits::{Limits, MostPositions, status};
use super::progress::told;
use super::{Failure, Status, output};
use crate::board::Size;
use crate::claims::{Claim, Examiner, Judgement, Unfinished, Verdict, claim, claims};
use crate::notation;
use crate::solve::Control;

/// Decide what people say about the game
///
/// Every claim with its source, its verdict and one line of evidence; or one claim in full: what was published, how the program reads it, the verdict, the evidence, and where it is
/// false a line of play with the true outcome after every ply. Nothing is looked up: all of it is computed now.
///
/// Verdicts: proved, refuted, holds with exceptions (all of them listed), depends on reading (each reading has its own), measured (speed and frequency), not decided (a limit ran out).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// One claim, in full
    #[arg(value_name = "CLAIM", value_parser = claim_name())]
    claim: Option<String>,
    /// Also the claims that take long, about a minute
    #[arg(long, conflicts_with = "claim")]
    all: bool,
    /// Write the answer as data
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Write the answer as a document in Markdown [default: docs/claims.md]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "docs/claims.md")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    positions: MostPositions,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde claims                          all claims that are quickly decided
  isolde claims seven-corner             one claim, in full
  isolde claims colour-law --json        the same as data
  isolde claims --all --markdown         all of them, in docs/claims.md

Exit codes: 0 decided, whatever the verdicts are; 1 failed, 2 bad input, 3 not all decided within the limits, 130 interrupted.";

/// Reads the name of a claim; the fault lists them all, and the nearest.
fn claim_name() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(claims().map(|claim| claim.id).collect::<Vec<_>>())
}

/// A claim and what was found about it.
#[derive(Serialize)]
struct Examined {
    id: &'static str,
    source: &'static str,
    published: &'static str,
    reading: &'static str,
    #[serde(flatten)]
    judgement: Judgement,
    /// The command that computes it again.
    command: String,
    #[serde(skip)]
    asked: bool,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let wanted: Vec<&'static Claim> = match &args.claim {
        Some(id) => claim(id).into_iter().collect(),
        None => claims().collect(),
    };
    // A bad path is told before the work, not after it.
    let document = args.markdown.as_deref().map(Document::begin).transpose()?;
    let examined = examine(args, &wanted)?;
    let decided = examined.iter().all(|claim| !claim.asked || claim.judgement.verdict != Verdict::NotDecided);
    match (document, examined.as_slice()) {
        (Some(document), examined) => {
            document.finish(&markdown::document(examined))?;
            tell_of(args.markdown.as_deref(), examined.len())?;
        }
        (None, [one]) if args.claim.is_some() && args.json => output::json(one)?,
        (None, examined) if args.json => output::json(&examined)?,
        (None, [one]) if args.claim.is_some() => text::write_one(one)?,
        (None, examined) => text::write_all(examined)?,
    }
    Ok(status(decided))
}

fn tell_of(path: Option<&Path>, claims: usize) -> io::Result<()> {
    let mut out = output::answer();
    writeln!(out, "{claims} {} written to {}", output::plural(claims, "claim"), path.unwrap_or(Path::new("")).display())?;
    out.flush()
}

/// Examines the claims one after the other. What takes long is left out unless it was asked for.
fn examine(args: &Args, wanted: &[&'static Claim]) -> Result<Vec<Examined>, Failure> {
    let settings = args.limits.settings::<u64>(Size::new(8, 8).map_err(notation::Error::from)?)?;
    if settings.memory < Examiner::LEAST_MEMORY {
        let (given, least) = (ByteSize(settings.memory), ByteSize(Examiner::LEAST_MEMORY));
        return Err(Failure::Input(format!(
            "--memory {given} is too small: all positions of a small board are kept at once, which needs {least}"
        )));
    }
    let control: Arc<Control> = args.limits.control();
    told("claims", |tell| {
        let mut examined = Vec::new();
        let asked = |claim: &Claim| args.all || args.claim.is_some() || !claim.long;
        let number = wanted.iter().filter(|claim| asked(claim)).count() as u64;
        let done = AtomicU64::new(0);
        let doing = |what: &str| tell(done.load(Ordering::Relaxed), number, what);
        let examiner = Examiner::new(settings, &control, args.positions.or_as_many_as_fit(settings), &doing)?;
        for claim in wanted {
            let judgement = match asked(claim).then(|| claim.examine(&examiner)) {
                Some(Ok(judgement)) => judgement,
                Some(Err(Unfinished::Machine(fault))) => return Err(Failure::Machine(fault)),
                Some(Err(Unfinished::Stopped)) => {
                    Judgement::new(Verdict::NotDecided, "stopped before the end: --time sets the limit", Vec::new())
                }
                None => Judgement::new(Verdict::NotDecided, "takes about a minute: ask for it by name, or for --all", Vec::new()),
            };
            done.fetch_add(u64::from(asked(claim)), Ordering::Relaxed);
            let command = format!("isolde claims {}", claim.id);
            let Claim { id, source, published, reading, .. } = **claim;
            examined.push(Examined { id, source, published, reading, judgement, command, asked: asked(claim) });
        }
        Ok(examined)
    })
}
