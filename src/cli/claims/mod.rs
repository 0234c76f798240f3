//! `isolde claims`: what people say about the game, and whether it is true.

mod markdown;
mod text;

use std::path::PathBuf;
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
/// Verdicts: proved, refuted, holds with exceptions (all of them listed), depends on reading (each reading has its own), measured (speed and frequency), not decided
/// (a limit ran out, or it was not asked for).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// One claim, in full
    #[arg(value_name = "CLAIM", value_parser = claim_name())]
    claim: Option<String>,
    /// Also the claims that take half a minute or more
    #[arg(long, conflicts_with = "claim")]
    all: bool,
    /// Write the answer as data
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Write the answer as a document in Markdown; with --all it is docs/claims.md unless another FILE is named
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    markdown: Option<Option<PathBuf>>,
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
  isolde claims colour-law --markdown=law.md

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
    /// Whether it was examined at all: what takes long is, if it was asked for.
    asked: bool,
}

impl Args {
    /// The document that is wanted, begun: a bad path is told before the work, not after it.
    fn document(&self) -> Result<Option<Document>, Failure> {
        let path = match &self.markdown {
            None => return Ok(None),
            Some(Some(path)) => path.clone(),
            Some(None) if self.all => PathBuf::from("docs/claims.md"),
            Some(None) => {
                return Err(Failure::Input(
                    "--markdown without a file is for all claims: add --all, or name a file as in --markdown=FILE".into(),
                ));
            }
        };
        Document::begin(&path).map(Some)
    }

    /// The command that was given, as far as it matters to the answer.
    fn command(&self) -> String {
        let which = self.claim.as_deref().map(|id| format!(" {id}")).unwrap_or_default();
        format!("isolde claims{which}{}", if self.all { " --all" } else { "" })
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let wanted: Vec<&'static Claim> = match &args.claim {
        Some(id) => claim(id).into_iter().collect(),
        None => claims().collect(),
    };
    let document = args.document()?;
    let examined = examine(args, &wanted)?;
    let decided = examined.iter().all(|claim| !claim.asked || claim.judgement.verdict != Verdict::NotDecided);
    match (document, examined.as_slice()) {
        (Some(document), examined) if decided => {
            let done = format!("{} {} written to", examined.len(), output::plural(examined.len(), "claim"));
            document.finish(&markdown::document(examined, &args.command()), &done)?;
        }
        (Some(document), _) => {
            output::warning(&format!(
                "{} is not written: not all claims were decided within the limits",
                document.target().display()
            ));
        }
        (None, [one]) if args.claim.is_some() && args.json => output::json(one)?,
        (None, examined) if args.json => output::json(&examined)?,
        (None, [one]) if args.claim.is_some() => text::write_one(one)?,
        (None, examined) => text::write_all(examined)?,
    }
    Ok(status(decided))
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
        let examiner = Examiner::new(settings, &control, args.positions.or_as_many_as_fit::<u64>(settings), &doing)?;
        for claim in wanted {
            let judgement = match asked(claim).then(|| claim.examine(&examiner)) {
                Some(Ok(judgement)) => judgement,
                Some(Err(Unfinished::Machine(fault))) => return Err(Failure::Machine(fault)),
                Some(Err(Unfinished::Stopped)) => {
                    Judgement::new(Verdict::NotDecided, "stopped before the end, by --time or an interruption", Vec::new())
                }
                None => Judgement::new(
                    Verdict::NotDecided,
                    "not asked for: it takes half a minute or more; name it, or add --all",
                    Vec::new(),
                ),
            };
            done.fetch_add(u64::from(asked(claim)), Ordering::Relaxed);
            let command = format!("isolde claims {}", claim.id);
            let Claim { id, source, published, reading, .. } = **claim;
            examined.push(Examined { id, source, published, reading, judgement, command, asked: asked(claim) });
        }
        Ok(examined)
    })
}
