//! `isolde claims`: what people say about the game, and whether it is true.

mod markdown;
mod text;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::document::Document;
use super::folders::Folders;
use super::limits::{Limits, MostPositions, status};
use super::progress::told;
use super::{Failure, Status, output};
use crate::claims::{Claim, Context, Examined, Judgement, Unfinished, Verdict, claim, claims};
use crate::game::board::Size;
use crate::game::notation;
use crate::solve::Control;

/// Decide what people say about the game
///
/// Without CLAIM, lists every claim: what it says, its source, its verdict and what was found. With
/// CLAIM, shows one claim in full: what was published, how the program reads it, the verdict and
/// the evidence. Where a claim is false, a line of play shows it, with the true outcome after every
/// ply. All of it is computed now, except that `second-player-wins` and `colour-law` read the
/// openings of large boards from tables, and say so.
///
/// Verdicts: proved, refuted, holds with exceptions (all of them are listed), depends on reading
/// (each reading has its own verdict), measured (speed and frequency), not decided (a limit ran
/// out, or it was not asked for).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Show this claim in full
    #[arg(value_name = "CLAIM", value_parser = claim_name())]
    claim: Option<String>,
    /// Include the claims that take half a minute or more
    #[arg(long, conflicts_with = "claim")]
    all: bool,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    /// Write the answer to a Markdown file, too [default with --all: docs/claims.md]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    markdown: Option<Option<PathBuf>>,
    #[command(flatten)]
    positions: MostPositions,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde claims                          all claims that are decided quickly
  isolde claims seven-corner             one claim in full
  isolde claims colour-law --json        one claim as JSON
  isolde claims --all --markdown         all claims, written to docs/claims.md
  isolde claims colour-law --markdown=law.md

Exit codes: 0 all decided, whatever the verdicts are; 1 failed, 2 bad input, 3 not all decided within the limits,
130 interrupted.";

/// Reads the name of a claim. The error message lists all names and suggests the nearest.
fn claim_name() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(claims().map(|claim| claim.id).collect::<Vec<_>>())
}

impl Args {
    /// Begins the document that `--markdown` asks for, so that a bad path fails before the work.
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

    /// The command without the options that do not change the answer.
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
    let is_page = document.is_some();
    match document {
        Some(document) if decided && args.json => {
            document.finish_quietly(&markdown::document(&examined, &args.command()))?;
        }
        Some(document) if decided => {
            let done = format!("{} {} written to", examined.len(), output::plural(examined.len(), "claim"));
            document.finish(&markdown::document(&examined, &args.command()), &done)?;
        }
        Some(document) => output::warning(&format!(
            "{} is not written: not all claims were decided within the limits",
            document.target().display()
        )),
        None => {}
    }
    match examined.as_slice() {
        [one] if args.claim.is_some() && args.json => output::json(one)?,
        examined if args.json => output::json(&examined)?,
        _ if is_page => {}
        [one] if args.claim.is_some() => text::write_one(one)?,
        examined => text::write_all(examined)?,
    }
    Ok(status(decided))
}

/// Examines the claims one by one. Long ones are left out unless they are asked for.
fn examine(args: &Args, wanted: &[&'static Claim]) -> Result<Vec<Examined>, Failure> {
    let largest = Size::new(8, 8).map_err(notation::Error::from)?;
    let settings = args.limits.settings(largest)?;
    if settings.memory < Context::LEAST_MEMORY {
        let (given, least) = (ByteSize(settings.memory), ByteSize(Context::LEAST_MEMORY));
        return Err(Failure::Input(format!(
            "--memory {given} is too small: the claims keep all positions of a small board in memory, which needs {least}"
        )));
    }
    let (control, places): (Arc<Control>, _) = (args.limits.control(), args.folders.list()?);
    told("claims", &control, |tell| {
        let mut examined = Vec::new();
        let asked = |claim: &Claim| args.all || args.claim.is_some() || !claim.long;
        let number = wanted.iter().filter(|claim| asked(claim)).count() as u64;
        let done = AtomicU64::new(0);
        let doing = |what: &str| tell(done.load(Ordering::Relaxed), number, what);
        let context = Context::new(settings, &control, args.positions.or_as_many_as_fit(settings, largest), &doing)?;
        let context = context.with_tables(places.clone());
        for claim in wanted {
            let undecided = |summary: &str| Judgement::new(Verdict::NotDecided, summary, Vec::new());
            let judgement = match asked(claim).then(|| claim.examine(&context)) {
                Some(Ok(judgement)) => with_limits_named(judgement),
                Some(Err(Unfinished::Machine(fault))) => return Err(Failure::Machine(fault)),
                Some(Err(Unfinished::Stopped)) => undecided("The work was stopped before the end, by --time or an interruption."),
                None => undecided("Not examined, because it takes half a minute or more. Name the claim, or add --all."),
            };
            done.fetch_add(u64::from(asked(claim)), Ordering::Relaxed);
            examined.push(Examined::new(claim, judgement, asked(claim)));
        }
        Ok(examined)
    })
}

/// Tells how to give an undecided claim more room: the library knows no options.
fn with_limits_named(mut judgement: Judgement) -> Judgement {
    if judgement.verdict == Verdict::NotDecided {
        judgement.summary.push_str(" The limits are set by --positions, --memory and --time.");
    }
    judgement
}

/// The text with its first letter in upper case.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
