//! Overlays that show why: each marks cells and says one sentence.

use serde_json::{Map, Value, json};

use crate::harness::{Page, Server, escaped, visit_server};

/// Turns an overlay on, and waits for its sentence.
fn turn_on(page: &Page, overlay: &str) -> String {
    page.click(&format!("#overlay-{overlay}"));
    page.wait(&format!("$('#overlay-{overlay}').getAttribute('aria-pressed') === 'true' && text('#overlay-sentence')"));
    assert_eq!(page.value("all('[id^=overlay-][aria-pressed=true]').length"), json!(1), "one overlay at a time");
    page.text_of("text('#overlay-sentence')")
}

/// The cells that an overlay marks, with their marks.
fn tints(page: &Page) -> Value {
    page.value("Object.fromEntries(all('#view-explore [data-tint]').map(({ dataset }) => [dataset.cell, dataset.tint]))")
}

fn cells(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list of cells").iter().filter_map(Value::as_str).collect()
}

fn open(page: &Page, position: &str) {
    page.open(&format!("/explore?p={}", escaped(position)));
    page.wait("$('#view-explore')?.dataset.state === 'done'");
}

#[test]
fn regions_and_dead_cells_are_shown() {
    visit_server(&[], |page, server| {
        // Knights that reach some cells in common, and then two knights that are separated.
        for position in ["5x5: a1 c3 c2 a4 d4 b2 b3", "n**2/***2/**N2/5/5 w"] {
            open(page, position);
            let sentence = turn_on(page, "regions");
            let described = server.ask("/api/v1/show", &[("p", position)]);
            let mut expected = Map::new();
            for cell in cells(&described["first"]["region_cells"]) {
                expected.insert(cell.into(), json!("region-first"));
            }
            for cell in cells(&described["second"]["region_cells"]) {
                let both = expected.contains_key(cell);
                expected.insert(cell.into(), json!(if both { "region-both" } else { "region-second" }));
            }
            for cell in cells(&described["dead"]) {
                expected.insert(cell.into(), json!("dead"));
            }
            assert!(expected.len() > 3, "{described}");
            assert_eq!(tints(page), Value::Object(expected), "{position}");
            assert_eq!(sentence.contains("separated"), described["separated"] == true, "{sentence}");
            for number in [&described["first"]["region"], &described["second"]["region"]] {
                assert!(sentence.contains(&number.to_string()), "{sentence}");
            }
            // The same button turns it off.
            page.click("#overlay-regions");
            page.wait("$('#overlay-regions').getAttribute('aria-pressed') === 'false' && !text('#overlay-sentence')");
            assert_eq!(tints(page), json!({}));
        }
    });
}

#[test]
fn colours_are_shown_with_the_colour_law() {
    visit_server(&[], |page, server| {
        for position in ["5x5: a1 c3", "5x5: a1 b1"] {
            open(page, position);
            let sentence = turn_on(page, "colours");
            let described = server.ask("/api/v1/show", &[("p", position)]);
            let law = described["colour_law"]["sentence"].as_str().expect("the law says something");
            assert!(sentence.contains(law), "{sentence}\n{law}");
            let tints = tints(page);
            let dark = cells(&described["dark"]);
            let tinted = tints.as_object().expect("an object");
            assert_eq!(tinted.len(), 25);
            for (cell, tint) in tinted {
                assert_eq!(tint, if dark.contains(&cell.as_str()) { "dark" } else { "light" }, "{cell}");
            }
        }
        let laws = ["5x5: a1 c3", "5x5: a1 b1"].map(|p| server.ask("/api/v1/show", &[("p", p)])["colour_law"].clone());
        assert_ne!(laws[0]["winner"], laws[1]["winner"]);
    });
}

fn mirror(server: &Server, position: &str, by: &str) -> Value {
    server.ask("/api/v1/mirror", &[("p", position), ("by", by)])
}

#[test]
fn every_mirror_says_what_it_does() {
    visit_server(&[], |page, server| {
        // On the second board, diagonals are no symmetries.
        for position in ["6x6: b2 e5 d3", "4x6: b2 c5"] {
            open(page, position);
            for by in ["center", "vertical", "horizontal", "diagonal", "antidiagonal"] {
                let expected = mirror(server, position, by);
                let sentence = expected["sentence"].as_str().expect("a sentence");
                page.click(&format!("#overlay-mirror-{by}"));
                page.wait(&format!("text('#overlay-sentence').includes({sentence:?})"));
                let fits = expected["fits"] == true;
                assert_eq!(page.value("all('.axis').length"), json!(usize::from(fits)), "{by}: {expected}");
                let breaks =
                    expected["breaks"].as_object().is_some_and(|line| line["moves"].as_array().is_some_and(|it| !it.is_empty()));
                assert_eq!(page.value("all('#overlay-break').length"), json!(usize::from(breaks)), "{by}: {expected}");
                if fits {
                    let tints = tints(page);
                    for reply in expected["replies"].as_array().expect("replies") {
                        let tint = if reply["legal"] == true { "reply" } else { "broken" };
                        let cell = reply["reply"].as_str().expect("a cell");
                        assert_eq!(tints[cell], tint, "{by}: {reply}");
                    }
                }
            }
        }
    });
}

/// From opposite corners, mirroring goes well until a knight comes to the centre.
#[test]
fn a_mirror_that_breaks_shows_its_line() {
    visit_server(&[], |page, server| {
        let position = "5x5: a1 e5";
        let expected = mirror(server, position, "center");
        let line = cells(&expected["breaks"]["moves"]);
        assert!(line.len() > 3, "{expected}");
        open(page, position);
        let sentence = turn_on(page, "mirror-center");
        assert!(sentence.contains(expected["asymmetry"]["sentence"].as_str().expect("a sentence")), "{sentence}");
        page.click("#overlay-break");
        page.wait_for_address(&format!("{position} {}&at=3", line.join(" ")));
        // The overlay stays on, for the position that is on the board now.
        let played = format!("{position} {}", line[0]);
        let next = mirror(server, &played, "center");
        page.wait(&format!("text('#overlay-sentence').includes({:?})", next["sentence"].as_str().expect("a sentence")));
        for _ in 1..line.len() {
            page.click("#redo");
        }
        page.wait(&format!("$('#view-explore').dataset.p === {:?}", format!("{position} {}", line.join(" "))));
    });
}
