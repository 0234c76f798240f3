//! Claims with their verdicts, and heuristics against the truth.

use serde_json::{Value, json};

use crate::harness::{visit, visit_server};

#[test]
fn every_claim_is_listed_with_its_verdict() {
    visit_server(&[], |page, server| {
        page.open("/claims");
        page.wait("$('#view-claims').dataset.state === 'done'");
        let claims = server.ask("/api/v1/claims", &[]);
        let claims = claims.as_array().expect("a list");
        let expected: Vec<Value> = claims.iter().map(|claim| json!([claim["id"], claim["verdict"]])).collect();
        assert!(expected.len() >= 21);
        assert_eq!(page.value("all('[data-claim]').map(({ dataset }) => [dataset.claim, dataset.verdict])"), json!(expected));
        let refuted = claims.iter().filter(|claim| claim["verdict"] == "refuted").count();
        page.click("[data-verdict=refuted][aria-pressed]");
        page.wait(&format!("all('[data-claim]:not([hidden])').length === {refuted}"));
    });
}

#[test]
fn every_line_of_evidence_can_be_played() {
    visit_server(&[], |page, server| {
        page.open("/claims");
        page.wait("$('#view-claims').dataset.state === 'done'");
        page.run("for (const claim of all('[data-claim]')) claim.open = true;", &[]);
        page.wait("all('[data-claim]').every(claim => claim.children.length > 1)");
        let lines = page.value("[...new Set(all('.playable').map(button => button.dataset.line))]");
        let lines: Vec<&str> = lines.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert!(lines.len() >= 10, "{lines:?}");
        for line in &lines {
            server.ask("/api/v1/show", &[("p", line)]);
        }
        page.reload();
        page.wait("$('#view-claims').dataset.state === 'done'");
        // One of them, opened as a visitor does.
        let claim = page.text_of(
            "(() => {
                for (const claim of all('[data-claim]')) claim.open = true;
                return $('[data-claim]').dataset.claim;
            })()",
        );
        assert!(!claim.is_empty());
        page.wait("all('.playable').length > 0");
        let line = page.text_of("$('.playable').dataset.line");
        page.click(".playable");
        page.wait(&format!("$('#view-explore') && $('#view-explore').dataset.p === {line:?}"));
        page.click("#undo");
        page.wait_for_address("at=");
        page.back();
        page.back();
        page.wait("$('#view-claims')");
    });
}

#[test]
fn heuristics_are_held_against_the_truth() {
    visit_server(&[], |page, server| {
        // Some of the moves win and some lose; then a position without a winning move.
        for position in ["4x4: a2 b3", "5x5: a1 b1"] {
            page.open(&format!("/explore?p={position}"));
            page.wait_for_values(position);
            page.click("#view-explore details > summary");
            page.wait(&format!("$('#heuristics')?.dataset.state === 'done' && $('#heuristics').dataset.p === {position:?}"));
            let truth = server.ask("/api/v1/position", &[("p", position)]);
            let moves = truth["moves"].as_array().expect("moves");
            let winner =
                |cell: &str| moves.iter().find(|it| it["move"] == cell).map(|it| it["winner"].clone()).expect("a legal move");
            let rows = page.value(
                "all('#heuristics [data-heuristic]').map(({ dataset }) => [dataset.heuristic, dataset.choice, dataset.keeps])",
            );
            let rows = rows.as_array().expect("rows");
            assert!(rows.len() >= 30, "{} heuristics", rows.len());
            for row in rows {
                let choices: Vec<&str> = row[1].as_str().expect("cells").split(' ').collect();
                let keeps = match truth["winner"] == truth["turn"] {
                    true => choices.iter().all(|cell| winner(cell) == truth["turn"]).to_string(),
                    false => "null".to_string(),
                };
                assert_eq!(row[2], keeps, "{position}: {row}");
            }
            let kinds: std::collections::HashSet<_> = rows.iter().map(|row| row[2].to_string()).collect();
            assert_eq!(kinds.len(), if position.starts_with('4') { 2 } else { 1 }, "{kinds:?}");
        }
    });
}

#[test]
fn a_move_of_a_heuristic_can_be_played() {
    visit(|page| {
        page.open("/explore?p=4x4: a2 b3");
        page.wait_for_values("4x4: a2 b3");
        page.click("#view-explore details > summary");
        page.wait("$('#heuristics')?.dataset.state === 'done'");
        let choice = page.text_of("$('#heuristics [data-choice]').dataset.choice.split(' ')[0]");
        page.click("#heuristics [data-choice] button");
        page.wait_for_values(&format!("4x4: a2 b3 {choice}"));
        // The table follows the board.
        page.wait(&format!("$('#heuristics').dataset.p === '4x4: a2 b3 {choice}' && $('#heuristics').dataset.state === 'done'"));
    });
}
