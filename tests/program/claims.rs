//! `isolde claims`, run as users run it, and the page that it writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use isolde::claims::{FINDINGS, claim, claims};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

fn isolde(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(cargo_bin!("isolde")).arg("claims").args(arguments).assert()
}

fn json(arguments: &[&str]) -> Value {
    let answered = isolde(&[arguments, &["--json"]].concat()).code(0).stderr(is_empty());
    serde_json::from_slice(&answered.get_output().stdout).unwrap()
}

/// The sections of the page by claim. Each is followed by the claim's row in the table on top.
fn sections(page: &str) -> BTreeMap<String, String> {
    let (top, rest) = page.split_once("\n## ").expect("the page has sections");
    let section = |text: &str| {
        let id = text.lines().next().unwrap_or_default().to_string();
        let row = top.lines().find(|line| line.starts_with(&format!("| [`{id}`]"))).unwrap_or_default();
        (id, format!("{}\n{row}", text.trim_end()))
    };
    rest.split("\n## ").map(section).collect()
}

/// Claims whose figures are seconds, which differ from machine to machine.
const TIMED: [&str; 1] = ["make-unmake"];

/// The page that the program writes, and the same as data.
fn page_and_data(arguments: &[&str]) -> (String, Value) {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("claims.md");
    let data = json(&[arguments, &[&format!("--markdown={}", file.display())]].concat());
    (fs::read_to_string(&file).unwrap(), data)
}

/// All claims that are decided quickly. Several tests look at them, and one run is enough.
fn quick_claims() -> &'static (String, Value) {
    static QUICK: OnceLock<(String, Value)> = OnceLock::new();
    QUICK.get_or_init(|| page_and_data(&[]))
}

/// One of them as data.
fn quick_claim(id: &str) -> &'static Value {
    quick_claims().1.as_array().unwrap().iter().find(|claim| claim["id"] == id).unwrap()
}

fn compare_with_the_page(page: &str, is_compared: impl Fn(&str) -> bool) -> usize {
    let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/claims.md")).unwrap();
    let (now, committed) = (sections(page), sections(&committed));
    assert_eq!(now.keys().collect::<Vec<_>>(), committed.keys().collect::<Vec<_>>());
    let compared: Vec<&String> = now.keys().filter(|id| is_compared(id)).collect();
    for id in &compared {
        let advice = "docs/claims.md no longer agrees with the program: `isolde claims --all --markdown` writes it again";
        assert_eq!(committed[*id], now[*id], "{id}: {advice}");
    }
    for id in TIMED {
        assert!(committed[id].contains("**Measured.**") && now[id].contains("**Measured.**"));
    }
    compared.len()
}

/// The same for the findings that are kept as data.
fn compare_with_the_findings(found: &Value, is_compared: impl Fn(&str) -> bool) -> usize {
    let committed: Value = serde_json::from_str(FINDINGS).unwrap();
    let (found, committed) = (found.as_array().unwrap(), committed.as_array().unwrap());
    assert_eq!(found.len(), committed.len());
    let both = found.iter().zip(committed).filter(|(found, _)| is_compared(found["id"].as_str().unwrap()));
    both.map(|(found, committed)| {
        let advice = "docs/claims.json no longer agrees with the program: \
                      `isolde claims --all --markdown --json > docs/claims.json` writes it again";
        assert_eq!(committed, found, "{advice}");
    })
    .count()
}

fn is_short(id: &str) -> bool {
    !claim(id).unwrap().long && !TIMED.contains(&id)
}

#[test]
fn the_page_agrees_with_the_program() {
    let short = claims().filter(|claim| is_short(claim.id)).count();
    assert_eq!(compare_with_the_page(&quick_claims().0, is_short), short);
    assert_eq!(compare_with_the_findings(&quick_claims().1, is_short), short);
}

/// The page and the data come from one run of the program, so that they agree about times, too.
#[test]
fn the_page_says_what_the_findings_say() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/claims.md")).unwrap();
    let sections = sections(&page);
    let findings: Value = serde_json::from_str(FINDINGS).unwrap();
    for finding in findings.as_array().unwrap() {
        let section = &sections[finding["id"].as_str().unwrap()];
        let summaries =
            finding["readings"].as_array().unwrap().iter().chain([finding]).map(|part| part["summary"].as_str().unwrap());
        for summary in summaries {
            assert!(section.contains(summary), "{summary}");
        }
    }
}

#[test]
#[ignore = "takes a minute or more"]
fn the_whole_page_agrees_with_the_program() {
    let (page, data) = page_and_data(&["--all"]);
    assert_eq!(compare_with_the_page(&page, |id| !TIMED.contains(&id)), claims().count() - TIMED.len());
    assert_eq!(compare_with_the_findings(&data, |id| !TIMED.contains(&id)), claims().count() - TIMED.len());
}

/// All claims with their verdicts, so that a change of a verdict is noticed.
const VERDICTS: [(&str, &str); 21] = [
    ("even-even-mirror", "proved"),
    ("even-odd-mirror", "proved"),
    ("thin-boards", "depends on reading"),
    ("four-by-four-lines", "proved"),
    ("odd-centre-mirror", "depends on reading"),
    ("axis-mirror", "proved"),
    ("axis-mirror-odd", "depends on reading"),
    ("diagonal-mirror", "depends on reading"),
    ("seven-centre-knight", "proved"),
    ("seven-lagged", "proved"),
    ("seven-corner", "refuted"),
    ("seven-symmetry-rare", "measured"),
    ("parity-step", "proved"),
    ("second-player-wins", "proved"),
    ("parity-proof", "depends on reading"),
    ("reach-example", "refuted"),
    ("simple-beats-clever", "measured"),
    ("ordering", "measured"),
    ("make-unmake", "measured"),
    ("biggest-island", "depends on reading"),
    ("colour-law", "holds with exceptions"),
];

#[test]
fn every_claim_is_listed_once_with_its_verdict() {
    let mut listed: Vec<&str> = claims().map(|claim| claim.id).collect();
    listed.sort_unstable();
    let mut wanted: Vec<&str> = VERDICTS.iter().map(|(id, _)| *id).collect();
    wanted.sort_unstable();
    assert_eq!(listed, wanted);
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/claims.md")).unwrap();
    for (id, verdict) in VERDICTS {
        let row = page.lines().find(|line| line.starts_with(&format!("| [`{id}`]"))).unwrap_or_default();
        assert_eq!(row.split(" | ").nth(2), Some(verdict), "{id}");
    }
}

/// The list can be read without the pages behind it.
#[test]
fn every_claim_says_what_it_claims_in_one_sentence() {
    for claim in claims() {
        let says = claim.says;
        let sentences = says.matches(". ").count() + 1;
        assert!(says.ends_with('.') && sentences == 1, "{}: {says}", claim.id);
        assert!((50..200).contains(&says.len()), "{}: {} characters", claim.id, says.len());
    }
    // The list has all of them, also of the claims that are not examined.
    let list = isolde(&["--time", "0ms"]).code(3);
    let text = String::from_utf8(list.get_output().stdout.clone()).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for claim in claims() {
        assert!(words.contains(&format!("claim {} found", claim.says)), "{} is not in\n{text}", claim.id);
    }
}

#[test]
fn one_claim_in_full() {
    let refuted = isolde(&["seven-corner"]).code(0).stderr(is_empty());
    refuted.stdout(
        contains("seven-corner: refuted")
            .and(
                contains("published  On 7x7, a1 d4, then b3 f5")
                    .and(contains("found      Mirroring every move loses after 7x7: a1 d4 b3 f5")),
            )
            .and(contains("read as "))
            .and(contains("           c2   first wins in 1\n           g7   first has won\n"))
            .and(contains("again      isolde claims seven-corner")),
    );
    let data = json(&["seven-corner"]);
    assert_eq!((&data["verdict"], &data["source"]), (&"refuted".into(), &"symmetry-report".into()));
    let plies = data["readings"][1]["evidence"][0]["line"]["plies"].as_array().unwrap();
    let last = plies.last().unwrap();
    assert_eq!((&last["move"], &last["winner"], &last["plies"]), (&"g7".into(), &"first".into(), &0.into()));
}

/// Evidence must be playable and true: `isolde query` checks every position of every line.
#[test]
fn lines_of_evidence_are_legal_and_have_the_outcomes_that_query_finds() {
    fn lines(value: &Value, found: &mut Vec<Value>) {
        match value {
            Value::Object(fields) if fields.contains_key("line") && fields.contains_key("plies") => found.push(value.clone()),
            Value::Object(fields) => fields.values().for_each(|field| lines(field, found)),
            Value::Array(items) => items.iter().for_each(|item| lines(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for id in ["thin-boards", "odd-centre-mirror", "diagonal-mirror", "parity-proof", "biggest-island"] {
        lines(quick_claim(id), &mut found);
    }
    assert!(found.len() >= 8, "{found:?}");
    // Every position along a line: `7x7: d4`, `7x7: d4 b3`, and so on.
    let mut asked = Vec::new();
    for line in &found {
        let (board, moves) = line["line"].as_str().unwrap().split_once(':').unwrap();
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let plies = line["plies"].as_array().unwrap();
        assert_eq!(moves.len(), plies.len());
        asked.extend((1..=moves.len()).map(|end| (format!("{board}: {}", moves[..end].join(" ")), &plies[end - 1])));
    }
    let questions: String = asked.iter().map(|(position, _)| format!("{position}\n")).collect();
    let answered =
        Command::new(cargo_bin!("isolde")).args(["query", "--batch", "--json"]).write_stdin(questions).assert().code(0);
    let answers = String::from_utf8(answered.get_output().stdout.clone()).unwrap();
    assert_eq!(answers.lines().count(), asked.len());
    for ((position, said), answer) in asked.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(said["winner"], answer["winner"], "{position}");
        if !said["plies"].is_null() {
            assert_eq!(said["plies"], answer["plies"], "{position}");
        }
    }
}

#[test]
fn evidence_does_not_depend_on_the_number_of_threads() {
    for id in ["seven-corner", "axis-mirror", "ordering", "biggest-island"] {
        let other = json(&[id, "--threads", "3"]);
        for field in ["verdict", "summary", "readings", "evidence"] {
            assert_eq!(quick_claim(id)[field], other[field], "{id} {field}");
        }
    }
}

#[test]
fn limits_leave_a_claim_undecided_and_bad_input_says_what_would_be_right() {
    isolde(&["colour-law", "--time", "1ms"])
        .code(3)
        .stdout(contains("colour-law: not decided").and(contains("stopped before the end")));
    let undecided = isolde(&["seven-lagged", "--positions", "1000"]).code(3);
    undecided.stdout(
        contains("there are more positions than the 1,000")
            .and(contains("set by --positions, --memory and --time"))
            .and(contains("So the second player wins by following").not()),
    );
    isolde(&["seven-korner"]).code(2).stderr(contains("a similar value exists: 'seven-corner'").and(contains("possible values")));
    isolde(&["--all", "seven-corner"]).code(2);
    isolde(&["parity-step", "--memory", "64MiB"]).code(2).stderr(contains("--memory 64.0 MiB is too small"));
    isolde(&["--markdown=/no/such/folder/claims.md"])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("cannot write /no/such/folder/claims.md: there is no folder /no/such/folder"));
}

#[test]
fn a_page_is_written_completely_or_not_at_all() {
    let folder = tempfile::TempDir::new().unwrap();
    let (file, others) = (folder.path().join("page.md"), folder.path().join("page.md.part"));
    fs::write(&file, "an older page").unwrap();
    fs::write(&others, "somebody else's").unwrap();
    let option = format!("--markdown={}", file.display());
    isolde(&["colour-law", "--time", "1ms", &option]).code(3).stderr(contains("is not written: not all claims were decided"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "an older page");
    isolde(&["parity-step", &option]).code(0).stdout(contains("1 claim written to"));
    let page = fs::read_to_string(&file).unwrap();
    assert!(
        page.contains("`isolde claims parity-step` computed")
            && page.contains("## parity-step")
            && !page.contains("## colour-law")
    );
    assert_eq!(fs::read_to_string(&others).unwrap(), "somebody else's");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
    // docs/claims.md is for all claims, not for one.
    isolde(&["parity-step", "--markdown"]).code(2).stdout(is_empty()).stderr(contains("add --all, or name a file"));
}

/// Summaries, statements and sentences of evidence stand alone: each begins with a capital letter
/// or a number and ends as a sentence does.
#[test]
fn everything_that_is_said_is_a_whole_sentence() {
    let is_whole = |text: &str| {
        text.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()) && text.ends_with(['.', '?', ')', ':'])
    };
    let check = |text: &Value, place: &str| assert!(text.as_str().is_some_and(is_whole), "{place}: {text}");
    for id in ["even-even-mirror", "thin-boards", "four-by-four-lines", "odd-centre-mirror", "seven-corner", "reach-example"] {
        let data = quick_claim(id);
        for field in ["published", "reading", "summary"] {
            check(&data[field], id);
        }
        let readings = data["readings"].as_array().unwrap();
        for reading in readings {
            check(&reading["statement"], id);
            check(&reading["summary"], id);
        }
        let evidence = readings.iter().chain([data]).flat_map(|part| part["evidence"].as_array().unwrap());
        for piece in evidence {
            for text in [&piece["sentence"], &piece["line"]["shows"]].into_iter().filter(|text| !text.is_null()) {
                check(text, id);
            }
        }
    }
}

/// A board that takes too long to solve is covered by a table that decides it, and says so.
#[test]
fn boards_that_tables_decide_are_included() {
    let folder = crate::support::folder();
    let table = folder.path().join("3x15.isolde");
    let isolde = || assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("isolde"));
    isolde().args(["table", "build", "3x15", "--output"]).arg(&table).assert().success();
    let claims = isolde().args(["claims", "colour-law", "--json", "--tables"]).arg(&table).assert().success();
    let found: Value = serde_json::from_slice(&claims.get_output().stdout).unwrap();
    let text = found.to_string();
    let said = "The openings of one board come from a table and were not solved again: 3x15 (3x15.isolde). All other boards were";
    assert!(text.contains(said), "{text}");
}
