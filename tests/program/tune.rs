//! `isolde tune`, run as its users run it.

use std::fs;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::str::{contains, is_empty, starts_with};

use crate::support::folder;

fn isolde() -> Command {
    Command::new(cargo_bin!("isolde"))
}

#[test]
fn positions_are_sampled_and_a_network_is_fitted_to_them() {
    let folder = folder();
    let (costs, weights) = (folder.path().join("6x6.costs"), folder.path().join("weights.rs"));
    let sampled = isolde().args(["tune", "sample", "6x6", "--free", "26..30", "--games", "20"]).assert().success();
    let text = String::from_utf8(sampled.get_output().stdout.clone()).unwrap();
    assert!(text.lines().count() > 100 && text.lines().all(|line| line.starts_with("6x6 ")), "{text}");
    fs::write(&costs, &text).unwrap();
    let mut fit = isolde();
    fit.args(["tune", "fit", "--rounds", "2"]).arg(&costs);
    fit.assert().success().stderr(is_empty()).stdout(contains(" held out"));
    fit.args(["--json", "-o"]).arg(&weights).assert().success().stdout(contains("\"chosen\""));
    let source = fs::read_to_string(&weights).unwrap();
    assert!(source.contains("pub(super) static WEIGHTS: Network"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "a temporary file is left");
    // The weights of the program have this form.
    let of_the_program = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/solve/cost/weights.rs")).unwrap();
    let without_numbers = |text: &str| text.replace(|letter: char| letter.is_ascii_digit() || letter == '-', "");
    let form = |text: &str| text.lines().map(|line| without_numbers(line).replace([' ', ','], "")).collect::<Vec<_>>();
    assert_eq!(form(&source), form(&of_the_program));
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    let folder = folder();
    let file = folder.path().join("x.costs");
    fs::write(&file, "4x4 a1 d4 7ffe  c2+12 b3?96\nnonsense\n").unwrap();
    let file = file.to_str().unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["tune", "sample", "6x6", "--free", "28"], "such as 37..46"),
        (&["tune", "sample", "6x6", "--free", "28..20"], "such as 37..46"),
        (&["tune", "sample", "6x6: a1", "--free", "20..20"], "6x6: a1"),
        (&["tune", "fit", "--rounds", "0", file], "--rounds"),
        (&["tune", "fit", "missing.costs"], "cannot read missing.costs"),
        (&["tune", "fit", file], "line 2: not an example"),
        (&["tune", "fit", "/dev/null"], "too few examples"),
    ];
    for (arguments, sentence) in cases {
        isolde().args(arguments).assert().code(2).stdout(is_empty()).stderr(contains(sentence));
    }
    isolde().args(["tune"]).assert().code(2).stderr(starts_with("Fit the search's network"));
}
