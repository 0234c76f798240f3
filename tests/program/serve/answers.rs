//! Every address of the API, and that it says what the command line says.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

use super::harness::Server;

/// What the program prints as data.
fn printed(arguments: &[&str]) -> Value {
    let output = Command::new(cargo_bin!("isolde")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The data without what differs from run to run.
fn lasting(mut data: Value) -> Value {
    for name in ["seconds", "nodes"] {
        if let Some(value) = data.get_mut(name) {
            *value = Value::Null;
        }
    }
    data
}

#[test]
fn a_position_is_answered_as_by_query() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for (position, options) in [
        ("5x5: a1 c3", ""),
        ("5x5: a1", ""),
        ("5x5", ""),
        ("5/5/2N2/2n2/5 b", ""),
        ("6x6: a1 d3", "winner"),
        ("6x6: a1 c3 b3", "distance"),
        ("7x7: d4 b3", "winner"),
        ("3x3: b2 a1", ""),
        ("5/5/2N2/2n2/5 w moves d5", ""),
    ] {
        let path = format!("/api/v1/position?p={}&{options}", position.replace(' ', "+"));
        let (flag, mut arguments) = (format!("--{options}"), vec!["query", position, "--json"]);
        if !options.is_empty() {
            arguments.push(&flag);
        }
        let answer = client.get(&path);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(lasting(answer.json()), lasting(printed(&arguments)), "{position} {options}");
        // The second time it is kept, or solved again: the same in any case.
        assert_eq!(lasting(client.get(&path).json()), lasting(answer.json()), "{position} {options}");
    }
    assert!(server.count("isolde_questions_total{by=\"kept\"}") > 0);
}

#[test]
fn an_answer_is_written_in_the_words_of_the_question() {
    let server = Server::start(&[]);
    for (asked, written) in [("5x5:+a1+c3", "5x5: a1 c3"), ("5X5%20A1%2CC3", "5x5: a1 c3"), ("5/5/2n2/5/N4+w", "5/5/2n2/5/N4 w")]
    {
        let data = server.data(&format!("/api/v1/position?p={asked}"));
        assert_eq!((&data["asked"], &data["position"]), (&json!(written), &json!("5/5/2n2/5/N4 w")));
    }
    assert_eq!(server.count("isolde_questions_total{by=\"at_hand\"}"), 1, "one position, however it is written");
}

#[test]
fn a_position_is_described_as_by_show() {
    let server = Server::start(&[]);
    for position in ["7x7", "7x7: d4 b3 f5", "8/8/2N5/4n3/3*4/8/8/8 b", "N**/***/n*1 w", "1x1: a1", "16x8"] {
        let data = server.data(&format!("/api/v1/show?p={}", position.replace(' ', "+")));
        assert_eq!(data, printed(&["show", position, "--json"]));
    }
}

#[test]
fn a_position_is_drawn() {
    let server = Server::start(&[]);
    let drawn = server.get("/api/v1/svg?p=7x7:+d4+b3+f5");
    assert_eq!((drawn.status, drawn.header("content-type")), (200, Some("image/svg+xml")));
    let position = "7x7: d4 b3 f5".parse().unwrap();
    assert_eq!(drawn.text(), isolde::drawing::svg(&position));
}

#[test]
fn a_move_is_chosen_as_by_move() {
    let server = Server::start(&[]);
    for (position, agent, options) in [
        ("5x5: a1 c3", "best", "nodes=2000"),
        ("8x8: d4 e5", "AB_Improved", "depth=3"),
        ("7x7", "Random", "nodes=1"),
        ("5x5: a1 c3", "perfect", "nodes=2000"),
    ] {
        let (name, value) = options.split_once('=').unwrap();
        let arguments = ["move", position, "--agent", agent, &format!("--{name}"), value, "--seed", "7", "--json"];
        let path = format!("/api/v1/move?p={}&agent={agent}&{options}&seed=7", position.replace(' ', "+"));
        assert_eq!(lasting(server.data(&path)), lasting(printed(&arguments)), "{position} {agent}");
    }
    let data = server.data("/api/v1/move?p=7x7:+d4+b3&time=50ms");
    assert_eq!((&data["move"], &data["winner"], &data["agent"]), (&json!("f5"), &json!("first"), &json!("best")));
}

#[test]
fn tables_and_agents_are_listed() {
    let server = Server::start(&["--tables", "tables"]);
    let listed = printed(&["table", "list", "tables", "--json"]);
    assert!(server.data("/api/v1/tables") == listed, "{listed}");
    let agents = server.data("/api/v1/agents");
    let all = agents["all"].as_array().unwrap();
    assert!(all.contains(&json!("best")) && all.contains(&json!("AB_Improved")), "{all:?}");
    for name in all {
        let path = format!("/api/v1/move?p=5x5:+a1&agent={}&nodes=1", name.as_str().unwrap().replace('+', "%2B"));
        assert_eq!(server.data(&path)["agent"], *name);
    }
}

#[test]
fn openings_and_boards_are_those_of_the_tables() {
    let server = Server::start(&[]);
    let boards = server.data("/api/v1/boards");
    let of = |board: &str| boards["boards"].as_array().unwrap().iter().find(|data| data["board"] == board).cloned();
    assert_eq!((&of("7x7").unwrap()["winner"], &of("7x7").unwrap()["exceptions"]), (&json!("second"), &json!(8)));
    let openings = server.data("/api/v1/openings?board=7x7");
    assert_eq!((&openings["openings"], &openings["unknown"]), (&json!(2352), &json!(0)));
    assert_eq!(openings["placements"].as_array().unwrap().len(), 49);
    // A board without a table is solved as far as the time allows.
    let solved = server.data("/api/v1/openings?board=4x3");
    assert_eq!((&solved["openings"], &solved["unknown"]), (&json!(132), &json!(0)));
    let open = server.data("/api/v1/openings?board=9x9&time=1ms");
    assert!(open["unknown"].as_u64() > Some(0), "{open}");
}

#[test]
fn a_line_is_reviewed() {
    let server = Server::start(&[]);
    let review = server.data("/api/v1/review?p=7x7:+d4+b3+c6");
    assert_eq!((&review["complete"], &review["start_winner"]), (&json!(true), &json!("second")));
    assert_eq!(review["blunders"], json!([2, 3]), "{review}");
}

#[test]
fn a_mirror_is_explained() {
    let server = Server::start(&[]);
    let mirror = server.data("/api/v1/mirror?p=8x8");
    assert_eq!((&mirror["by"], &mirror["holds"], &mirror["player"]), (&json!("center"), &json!(true), &json!("second")));
    assert_eq!(mirror["images"]["a1"], "h8");
    let broken = server.data("/api/v1/mirror?p=7x7&by=center");
    assert_eq!((&broken["holds"], broken["breaks"]["sentence"].is_string()), (&json!(false), true), "{broken}");
    let axis = server.data("/api/v1/mirror?p=8x8&by=vertical");
    assert_eq!(axis["images"]["a1"], "h1");
}

#[test]
fn heuristics_are_compared_with_the_truth() {
    let server = Server::start(&[]);
    let data = server.data("/api/v1/heuristics?p=5x5:+a1+c3");
    assert_eq!((&data["winner"], &data["turn"]), (&json!("first"), &json!("first")));
    let heuristics = data["heuristics"].as_array().unwrap();
    let listed = server.data("/api/v1/agents")["heuristics"].as_array().unwrap().len();
    assert_eq!(heuristics.len(), listed);
    assert!(heuristics.iter().all(|one| one["keeps_win"].is_boolean() && one["score"].is_number()), "{data}");
    // Where the truth is not known in time, it is null.
    let open = server.data("/api/v1/heuristics?p=10x10:+a1+c4&time=1ms");
    assert!(open["winner"].is_null() && open["heuristics"][0]["keeps_win"].is_null(), "{open}");
}

#[test]
fn claims_are_those_of_the_program() {
    let server = Server::start(&[]);
    let claims = server.data("/api/v1/claims");
    let first = &claims[0];
    assert_eq!(server.data(&format!("/api/v1/claims/{}", first["id"].as_str().unwrap())), *first);
    let missing = server.get("/api/v1/claims/everything");
    assert_eq!((missing.status, missing.error()), (404, "there is no claim `everything`: /api/v1/claims lists them".to_string()));
}

#[test]
fn games_are_written_and_read() {
    let server = Server::start(&[]);
    let described = json!({"first": "you", "second": "best", "limit": "150ms", "given": 0, "line": "3x3: b2 a1",
        "end": "stuck", "winner": "second"});
    let record = server.connect().post("/api/v1/record", described.to_string().as_bytes());
    assert_eq!((record.status, record.header("content-type")), (200, Some("application/json")));
    assert_eq!((&record.json()["first"], &record.json()["moves"]), (&json!("you"), &json!("b2 a1")));
    let games = server.connect().post("/api/v1/games", &record.body);
    let game = &games.json()["games"][0];
    assert_eq!((games.status, &game["line"], &game["winner"]), (200, &json!("3x3: b2 a1"), &json!("second")));
    // A file of several games, in parts of unknown length.
    let file = [record.body.as_slice(), b"\n", &record.body, b"\n"].concat();
    let mut client = server.connect();
    client.request("POST", "/api/v1/games", &[("Transfer-Encoding", "chunked")]);
    for part in file.chunks(100) {
        client.send(format!("{:x}\r\n", part.len()).as_bytes()).unwrap();
        client.send(&[part, b"\r\n"].concat()).unwrap();
    }
    client.send(b"0\r\n\r\n").unwrap();
    let games = client.answer("POST");
    assert_eq!((games.status, games.json()["games"].as_array().map(Vec::len)), (200, Some(2)), "{}", games.text());
}

#[test]
fn health_tells_what_runs() {
    let server = Server::start(&[]);
    let health = server.data("/api/v1/health");
    let expected = json!({"status": "ok", "program": format!("isolde {}", env!("CARGO_PKG_VERSION")),
        "searches": {"running": 0, "waiting": 0}});
    assert_eq!(health, expected);
}

#[test]
fn metrics_are_told_only_if_asked_for() {
    let server = Server::start(&[]);
    let metrics = server.get("/metrics");
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    assert!(metrics.text().contains("# TYPE isolde_request_seconds histogram"));
    let mut quiet = std::process::Command::new(cargo_bin!("isolde"));
    let quiet = quiet.args(["serve", "--listen", "127.0.0.1:0"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let quiet = Server::adopt(quiet);
    assert_eq!(quiet.get("/metrics").status, 404);
}

#[test]
fn answers_are_compressed_for_those_who_can_read_that() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let plain = client.get("/api/v1/openings?board=7x7");
    let compressed = client.get_with("/api/v1/openings?board=7x7", &[("Accept-Encoding", "gzip, br")]);
    assert_eq!((plain.header("content-encoding"), compressed.header("content-encoding")), (None, Some("gzip")));
    assert!(compressed.body.len() * 5 < plain.body.len() && compressed.body.starts_with(&[0x1f, 0x8b]));
    // What is small is sent as it is.
    let small = client.get_with("/api/v1/health", &[("Accept-Encoding", "gzip")]);
    assert_eq!(small.header("content-encoding"), None);
}

#[test]
fn the_log_has_a_line_for_each_request() {
    use std::io::{BufRead, BufReader};
    let mut command = std::process::Command::new(cargo_bin!("isolde"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--log"]);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut server = Server::adopt(child);
    server.get("/api/v1/show?p=5x5:+a1");
    server.get("/api/v1/show?p=x");
    let mut lines = BufReader::new(server.child.stderr.take().unwrap()).lines();
    for status in ["GET /api/v1/show?p=5x5:+a1 200 ", "GET /api/v1/show?p=x 400 "] {
        let line = lines.next().unwrap().unwrap();
        assert!(line.starts_with(&format!("127.0.0.1 {status}")) && line.ends_with("ms"), "{line}");
    }
}

#[test]
fn a_damaged_table_is_told_once_and_does_no_harm() {
    use std::io::{BufRead, BufReader};
    let folder = crate::support::folder();
    let table = std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/5x5-strong.isolde")).unwrap();
    std::fs::write(folder.path().join("5x5-strong.isolde"), &table[..table.len() / 2]).unwrap();
    let mut command = std::process::Command::new(cargo_bin!("isolde"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "--tables"]).arg(folder.path());
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut server = Server::adopt(child);
    for _ in 0..2 {
        let data = server.data("/api/v1/position?p=5x5:+a1+c3");
        assert_eq!((&data["winner"], &data["plies"], &data["origin"]), (&json!("first"), &json!(15), &json!("solved")));
    }
    let lines = BufReader::new(server.child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
    let warned: Vec<String> = lines.take(3).filter(|line| line.starts_with("warning: ")).collect();
    assert!(warned.len() == 1 && warned[0].contains("5x5-strong.isolde"), "{warned:?}");
}
