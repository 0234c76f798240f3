//! The numbers on the page are those of `isolde query`.

use isolde::Size;
use isolde::notation::Line;
use serde_json::{Value, json};

use crate::harness::{Page, program, visit};

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

/// Boards, how many positions of each, and how many cells at most are free in them. All of them
/// are in tables or quickly solved, with plies.
const BOARDS: [(&str, usize, usize); 8] = [
    ("3x3", 10, 9),
    ("3x4", 20, 12),
    ("4x4", 30, 16),
    ("4x5", 40, 20),
    ("5x5", 80, 25),
    ("6x6", 60, 22),
    ("7x7", 60, 22),
    ("8x8", 30, 24),
];

/// A line of random moves that ends with at most this many free cells, or somewhat fewer.
fn random_line(size: Size, most_free: usize, random: &mut Random) -> Line {
    let free = most_free - random.below(most_free.min(12));
    let mut line = Line::new(size);
    while line.end().free().len() > free {
        let legal: Vec<_> = line.end().legal_moves().into_iter().collect();
        if legal.is_empty() {
            break;
        }
        line.play(legal[random.below(legal.len())]).expect("a legal move");
    }
    line
}

/// Positions as lines of play, and every third as a diagram.
fn positions() -> Vec<String> {
    let mut random = Random(15);
    let mut positions = Vec::new();
    for (board, count, most_free) in BOARDS {
        let size = board.parse().expect("a board");
        for number in 0..count {
            let line = random_line(size, most_free, &mut random);
            let as_diagram = number % 3 == 2 && line.moves().len() >= 2;
            positions.push(if as_diagram { line.end().setup().to_string() } else { line.to_string() });
        }
    }
    positions
}

/// What `isolde query` says about each of the positions.
fn queried(positions: &[String]) -> Vec<Value> {
    let asked = positions.join("\n") + "\n";
    let answered = program().args(["query", "--batch", "--json", "--distance"]).write_stdin(asked).assert().success();
    let lines = String::from_utf8(answered.get_output().stdout.clone()).expect("JSON is text");
    let answers: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), positions.len());
    answers
}

/// What the page shows of each of the positions: it opens them one after the other, and reads the
/// list of moves, the board and the sentence when the search has ended.
fn shown(page: &Page, positions: &[String]) -> Value {
    let script = "
        const modules = document.querySelector('script[type=module]').src;
        const { store } = await import(new URL('store.js', modules));
        const view = $('#view-explore');
        const settled = position => new Promise(resolve => {
            const look = () => {
                if (view.dataset.p !== position || view.dataset.state !== 'done') return;
                observer.disconnect();
                resolve();
            };
            const observer = new MutationObserver(look);
            observer.observe(view, { attributes: true });
            look();
        });
        const shown = [];
        for (const position of args[0]) {
            await store.open(position);
            await settled(store.text());
            shown.push({
                sentence: text('#sentence'),
                moves: all('#moves [data-move]').map(({ dataset }) => [dataset.move, dataset.winner ?? '', dataset.plies ?? '']),
                marks: Object.fromEntries(all('#view-explore [data-mark]').map(({ dataset }) =>
                    [dataset.cell, [dataset.mark, dataset.plies ?? '']])),
                line: all('#line button').map(button => button.textContent),
            });
        }
        return shown;
    ";
    page.run(&format!("return (async () => {{ {script} }})();"), &[json!(positions)])
}

/// What the page should show of an answer.
fn expected(answer: &Value) -> Value {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string().replace("null", ""), str::to_string);
    let moves = answer["moves"].as_array().expect("moves");
    let kind = |winner: &Value| if *winner == answer["turn"] { "win" } else { "loss" };
    let listed: Vec<Value> = moves.iter().map(|it| json!([it["move"], it["winner"], text(&it["plies"])])).collect();
    let marked = moves.iter().map(|it| (text(&it["move"]), json!([kind(&it["winner"]), text(&it["plies"])])));
    json!({
        "moves": listed,
        "marks": Value::Object(marked.collect()),
        "line": answer["line"],
    })
}

#[test]
fn the_page_shows_what_query_says() {
    visit(|page| {
        let positions = positions();
        assert!(positions.len() >= 300);
        let answers = queried(&positions);
        page.open("/explore?p=3x3");
        page.wait_for_values("3x3");
        let (mut over, mut checked_moves) = (0, 0);
        for (positions, answers) in positions.chunks(30).zip(answers.chunks(30)) {
            let shown = shown(page, positions);
            for (shown, answer) in shown.as_array().expect("a list").iter().zip(answers) {
                let mut shown = shown.clone();
                let sentence = shown.as_object_mut().expect("an object").remove("sentence").unwrap_or_default();
                let sentence = sentence.as_str().expect("a sentence");
                assert_eq!(shown, expected(answer), "{sentence}");
                let winner = answer["winner"].as_str().expect("a winner");
                let (plies, placed) = (answer["plies"].as_u64().expect("plies"), answer["plies_from"] == "the position");
                let begins = match plies {
                    0 if placed => format!("The {winner} player has won"),
                    1 => format!("The {winner} player wins in 1 ply"),
                    _ => format!("The {winner} player wins in {plies} plies"),
                };
                assert!(sentence.starts_with(&begins), "{answer}\nis shown as\n{sentence}");
                over += usize::from(plies == 0 && placed);
                checked_moves += answer["moves"].as_array().expect("moves").len();
            }
        }
        assert!(over > 5 && checked_moves > 500, "{over} games are over, {checked_moves} moves are compared");
    });
}
