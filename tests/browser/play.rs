//! Games against agents, their review, and games in files.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Key, Page, program, visit, visit_server};
use crate::support;

/// Here the first player wins with b4, and gives the win away with c1 or c3.
const MIXED: &str = "4x4: a2 b3";

/// Starts a game from the position on the board.
fn start(page: &Page, agent: &str, side: &str) {
    page.wait("$('#view-play')?.dataset.state === 'setup'");
    page.write("#play-agent", agent);
    page.choose("#play-side", side);
    page.write("#play-time", "2,000 nodes");
    page.click("#play-start");
    page.wait("['yours', 'thinking'].includes($('#view-play').dataset.state)");
}

/// The whole game on the board, as the address has it.
fn game(page: &Page) -> String {
    page.text_of("new URLSearchParams(location.search).get('p')")
}

/// Moves to a cell, and waits until the move is made.
fn make_move(page: &Page, cell: &str) {
    let before = game(page);
    page.click_cell(cell);
    page.wait(&format!("new URLSearchParams(location.search).get('p') !== {before:?}"));
}

/// Plays the first legal move whenever it is the visitor's turn, until the game is over.
fn play_to_the_end(page: &Page) {
    for _ in 0..20 {
        page.wait("['yours', 'over'].includes($('#view-play').dataset.state)");
        if page.text_of("$('#view-play').dataset.state") == "over" {
            return;
        }
        make_move(page, &page.text_of("$('#view-play .target').dataset.cell"));
    }
    panic!("the game does not end: {}", game(page));
}

/// Who wins after each ply of a line, from the empty board on, as `isolde query` says.
fn winners(line: &str) -> Vec<String> {
    let (board, moves) = line.split_once(": ").expect("a line");
    let moves: Vec<&str> = moves.split(' ').collect();
    let prefix = |plies| if plies == 0 { board.to_string() } else { format!("{board}: {}", moves[..plies].join(" ")) };
    let asked: Vec<String> = (0..=moves.len()).map(prefix).collect();
    let answered = program().args(["query", "--batch", "--json"]).write_stdin(asked.join("\n") + "\n").assert().success();
    let lines = String::from_utf8(answered.get_output().stdout.clone()).expect("JSON is text");
    let winner =
        |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["winner"].as_str().expect("a winner").to_string();
    lines.lines().map(winner).collect()
}

/// The plies that gave a win away: their player was the winner before, and is not any more.
fn blunders(winners: &[String]) -> Vec<usize> {
    let mover = |ply: usize| if ply % 2 == 1 { "first" } else { "second" };
    (1..winners.len()).filter(|&ply| winners[ply - 1] == mover(ply) && winners[ply] != mover(ply)).collect()
}

/// Compares the review on the page with what is true.
fn check_review(page: &Page) -> Vec<usize> {
    page.wait("$('#review')?.dataset.state === 'done'");
    let winners = winners(&game(page));
    let shown = page.value("all('#review [data-ply][data-winner]').map(ply => [Number(ply.dataset.ply), ply.dataset.winner])");
    let expected: Vec<Value> = winners.iter().enumerate().map(|(ply, winner)| json!([ply, winner])).collect();
    assert_eq!(shown, json!(expected));
    let blunders = blunders(&winners);
    assert_eq!(page.value("all('#review .blunder').map(ply => Number(ply.dataset.ply))"), json!(blunders));
    assert_eq!(page.value("all('#review .blunders [data-ply]').map(ply => Number(ply.dataset.ply))"), json!(blunders));
    blunders
}

#[test]
fn a_game_is_played_with_hints_and_taken_back_moves_and_reviewed() {
    visit(|page| {
        page.open(&format!("/play?p={MIXED}"));
        start(page, "best", "first");
        page.wait("$('#view-play').dataset.state === 'yours'");
        assert_eq!(page.value("all('#view-play [data-mark]').length"), json!(0), "no values before they are asked for");
        page.click("#play-hint");
        page.wait("['b4', 'c1', 'c3'].map(cell => $(`#cell-${cell}`).dataset.mark).join(' ') === 'win loss loss'");
        // A move that gives the win away, and the agent's reply to it.
        make_move(page, "c1");
        page.wait("all('#history [data-ply]').length === 5 && $('#view-play').dataset.state === 'yours'");
        assert_eq!(page.value("all('#view-play [data-mark]').length"), json!(0), "a hint is for one move");
        page.click("#play-takeback");
        page.wait("$('#view-play').dataset.state === 'yours' && /knight/.test($('#cell-a2').getAttribute('aria-label'))");
        make_move(page, "c1");
        play_to_the_end(page);
        assert_eq!(page.text_of("text('#play-result')"), "best wins: you cannot move.");
        assert!(check_review(page).contains(&3), "c1 was a blunder");
        // The blunder can be looked at, and the move that would have won.
        page.click("#review .blunders [data-ply='3'] button");
        page.wait_for_address("at=3");
        // The chart can be walked along with the arrow keys.
        page.run("$('#review [role=slider]').focus()", &[]);
        page.press(Key::Left);
        page.wait_for_address("at=2");
        page.click("#review .blunders [data-ply='3'] .move");
        page.wait_for_values("4x4: a2 b3 b4");
        // The game is still there.
        page.back();
        page.wait("$('#view-play')");
    });
}

#[test]
fn an_agent_begins_and_the_visitor_resigns() {
    visit(|page| {
        page.open("/play?p=5x5");
        start(page, "AB_improved", "second");
        page.wait("$('#view-play').dataset.state === 'yours' && all('#history [data-ply]').length === 2");
        make_move(page, &page.text_of("$('#view-play .target').dataset.cell"));
        page.wait("$('#view-play').dataset.state === 'yours' && all('#history [data-ply]').length === 4");
        page.click("#play-resign");
        page.wait("$('#view-play').dataset.state === 'over'");
        assert_eq!(page.text_of("text('#play-result')"), "AB_improved wins: you resign.");
        check_review(page);
    });
}

#[test]
fn a_wrong_agent_or_time_says_what_would_be_right() {
    visit_server(&[], |page, server| {
        page.expect_fault("400 (Bad Request)");
        page.open("/play?p=4x4");
        page.wait("$('#play-start')");
        for (field, wrong, name) in [("#play-agent", "Nobody", "agent"), ("#play-time", "soon", "time")] {
            let right = page.text_of(&format!("$('{field}').value"));
            page.write(field, wrong);
            page.click("#play-start");
            let mut question = vec![("p", "2x1"), (name, wrong)];
            if name == "time" {
                question.push(("agent", "best"));
            } else {
                question.push(("time", "1s"));
            }
            let sentence = server.refusal("/api/v1/move", &question);
            page.wait(&format!("all('#view-play [role=alert]').some(it => !it.hidden && it.textContent === {sentence:?})"));
            page.write(field, &right);
        }
        page.click("#play-start");
        page.wait("$('#view-play').dataset.state === 'yours'");
    });
}

/// A game is saved as a file that the program reads, and opened again.
#[test]
fn a_game_is_saved_and_opened_again() {
    visit(|page| {
        let folder = support::folder();
        page.download_to(folder.path());
        page.open(&format!("/play?p={MIXED}"));
        start(page, "best", "first");
        play_to_the_end(page);
        let played = game(page);
        page.click("#play-save");
        page.wait("$('#play-file')?.download");
        let name = page.text_of("$('#play-file').download");
        let saved = page.downloaded(&folder.path().join(name));
        let shown = program().args(["show", "--json"]).arg(&saved).assert().success();
        let shown: Value = serde_json::from_slice(&shown.get_output().stdout).expect("JSON");
        assert_eq!(shown["shown"]["line"], json!(played), "{shown}");

        page.open("/games");
        page.choose_file("#games-file", &saved);
        page.wait("$('#view-games').dataset.state === 'done'");
        assert_eq!(page.value("all('#games-list [data-game]').length"), json!(1));
        page.wait("all('#history [data-ply]').length > 3");
        assert_eq!(game(page), played);
        check_review(page);
    });
}

#[test]
fn the_games_of_a_tournament_are_listed_and_replayed() {
    visit(|page| {
        let folder = support::folder();
        let file = folder.path().join("games.jsonl");
        let players =
            ["tournament", "--board", "4x4", "--agents", "best,Random", "--nodes", "2000", "--matches", "3", "--seed", "1"];
        program().args(players).arg("--games").arg(&file).assert().success();
        let text = fs::read_to_string(&file).expect("the games");
        let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let records: Vec<&Value> = records.iter().filter(|line| line["record"].is_object()).collect();
        assert_eq!(records.len(), 6);

        page.open("/games");
        page.choose_file("#games-file", &file);
        page.wait("$('#view-games').dataset.state === 'done' && all('#games-list [data-game]').length === 6");
        for record in &records {
            let (game_number, record) = (&record["game"], &record["record"]);
            let label = page.text_of(&format!("$('#games-list [data-game=\"{game_number}\"]').getAttribute('aria-label')"));
            let name = |player: &str| record[player].as_str().expect("a name").to_string();
            let winner = name(record["winner"].as_str().expect("a winner"));
            let told = format!("Game {game_number}: {} against {}, {winner} wins", name("first"), name("second"));
            assert!(label.starts_with(&told), "{label}");
        }
        // One of them is replayed from its start to its end.
        page.click("#games-list [data-game='3']");
        let moves = records[2]["record"]["moves"].as_str().expect("moves");
        let line = format!("4x4: {moves}");
        page.wait(&format!("new URLSearchParams(location.search).get('p') === {line:?}"));
        check_review(page);
        page.click("#start");
        page.wait_for_address("at=0");
        for ply in 1..moves.split(' ').count() {
            page.click("#redo");
            page.wait_for_address(&format!("at={ply}"));
        }
        // The list can be narrowed.
        page.choose("#games-filter", "second");
        let second = records.iter().filter(|line| line["record"]["winner"] == "second").count();
        assert!((1..6).contains(&second));
        page.wait(&format!("all('#games-list [data-game]').length === {second}"));
    });
}

#[test]
fn a_file_that_is_none_says_what_is_wrong() {
    visit(|page| {
        page.expect_fault("400 (Bad Request)");
        let folder = support::folder();
        let file = folder.path().join("notes.json");
        fs::write(&file, "{\"game\":1}\nhello <b>there</b>\n").expect("a file");
        page.open("/games");
        page.choose_file("#games-file", &file);
        page.wait("all('#view-games [role=alert]').some(it => !it.hidden && it.textContent.includes('line'))");
        assert_eq!(page.value("all('#games-list [data-game]').length"), json!(0));
        assert_eq!(page.value("all('#view-games [role=alert] b').length"), json!(0));
        for (bytes, sentence) in
            [(&b""[..], "notes.json holds no game."), (b"\xff", "notes.json: the file is not a text in UTF-8")]
        {
            fs::write(&file, bytes).expect("a file");
            page.choose_file("#games-file", &file);
            page.wait(&format!("all('#view-games [role=alert]').some(it => !it.hidden && it.textContent === {sentence:?})"));
        }
    });
}
