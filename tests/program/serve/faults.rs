//! Every error: one sentence that says what would be right, and the right status.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::str::{contains, is_empty};
use proptest::prelude::*;

use super::harness::{Client, Server};
use crate::support::generators::any_position;

/// A text as a parameter of an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn wrong_parameters_are_explained() {
    let server = Server::start(&["--most-time", "5s"]);
    let mut client = server.connect();
    for (path, sentence) in [
        ("/show", "the parameter p is missing: write a position, such as p=7x7:+d4+b3"),
        ("/show?q=7x7", "there is no parameter `q`: write p"),
        ("/health?p=7x7", "there is no parameter `p`: there are none here"),
        ("/show?p=7x7&p=6x6", "the parameter p is given twice: write it once"),
        ("/show?p=17x17", "17x17"),
        ("/svg?p=17x17", "17x17"),
        ("/show?p=7x7:+d4+d4", "d4"),
        ("/position?p=7x7:+d4+b3+b4", "b4"),
        ("/position?p=5x5&time=soon", "time=`soon`: write a time such as 150ms, 2s or 1m"),
        ("/position?p=5x5&time=1h", "time=1h is too long: this server allows 5s"),
        ("/position?p=5x5&winner=yes", "winner=`yes`: write 1 or 0"),
        ("/position?p=5x5&winner&distance", "winner and distance exclude each other"),
        ("/position/events?p=5x5&winner", "there is no parameter `winner`: write p, time"),
        ("/position/events?p=", "is not a position"),
        ("/move?p=5x5&agent=Deep_Thought", "unknown agent `Deep_Thought`"),
        ("/move?p=5x5&depth=0", "depth=`0`: write a number from 1 to 128"),
        ("/move?p=5x5&nodes=many", "nodes=`many`: write a number from 1 to"),
        ("/move?p=5x5&nodes=1&depth=1", "time, nodes and depth exclude each other"),
        ("/move?p=5x5&time=1s&depth=1", "time, nodes and depth exclude each other"),
        ("/move?p=5x5&seed=-1", "seed=`-1`: write a number from 0 to"),
        ("/move?p=3x3:+b2+a1", "there is no move to choose: the second player has won"),
        ("/openings", "the parameter board is missing: write a board, such as board=7x7"),
        ("/openings?board=7", "7"),
        ("/review?time=1s", "the parameter p is missing"),
        ("/mirror?p=7x7&by=magic", "by=magic: "),
        ("/heuristics?p=7x7&by=center", "there is no parameter `by`: write p, time"),
        ("/claims?p=7x7", "there is no parameter `p`"),
    ] {
        let answer = client.get(&format!("/api/v1{path}"));
        assert_eq!((answer.status, answer.header("content-type")), (400, Some("application/json")), "{path}");
        assert!(answer.error().contains(sentence), "{path}: {}", answer.error());
    }
}

#[test]
fn other_addresses_and_methods_are_refused() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for path in ["/api/v1/nothing", "/api/v2/show?p=7x7", "/api/v1", "/index.html", "/favicon.ico", "/exploreX", "/src/main.rs"] {
        let answer = client.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.error().contains("there is nothing at this address"), "{path}");
    }
    for (method, path, allowed) in [
        ("POST", "/api/v1/show?p=7x7", "GET,HEAD"),
        ("DELETE", "/", "GET,HEAD"),
        ("PUT", "/api/v1/health", "GET,HEAD"),
        ("GET", "/api/v1/record", "POST"),
    ] {
        let answer = client.ask(method, path, &[("Content-Length", "0")]);
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allowed)), "{method} {path}");
        assert!(answer.error().contains("does not take this method"));
    }
}

#[test]
fn wrong_bodies_are_explained() {
    let server = Server::start(&[]);
    let post = |path: &str, body: &[u8]| server.connect().post(&format!("/api/v1{path}"), body);
    for (path, body, sentence) in [
        ("/record", "{}", "missing field `first`"),
        ("/record", "haha", "line 1"),
        ("/record", r#"{"first":"you","second":"x","limit":"1s","line":"3x3: b2","end":"unfinished"}"#, "unknown agent `x`"),
        ("/games", "haha", "line 1"),
        ("/games?p=7x7", "", "there is no parameter `p`"),
    ] {
        let answer = post(path, body.as_bytes());
        assert!(answer.status == 400 && answer.error().contains(sentence), "{path} {body}: {}", answer.error());
    }
    assert_eq!(post("/games", b"\xff\xfe").error(), "the body is not a text: send UTF-8");
    let large = post("/record", &vec![b' '; 100_000]);
    assert_eq!((large.status, large.error()), (413, "the body is too large: send at most 65536 bytes".to_string()));
    // A client that does not say how much it sends is stopped when it has sent too much.
    let mut endless = server.connect();
    endless.request("POST", "/api/v1/record", &[("Transfer-Encoding", "chunked")]);
    for _ in 0..70 {
        let _ = endless.send(format!("400\r\n{}\r\n", " ".repeat(1024)).as_bytes());
    }
    assert_eq!(endless.answer("POST").status, 413);
    let impatient = Server::start(&["--patience", "300ms"]);
    let mut slow = impatient.connect();
    slow.request("POST", "/api/v1/record", &[("Content-Length", "10")]);
    slow.send(b"{").unwrap();
    assert_eq!(slow.answer("POST").status, 408);
}

#[test]
fn only_embedded_files_can_be_reached() {
    let server = Server::start(&[]);
    let index = server.get("/").text();
    let version = index.split("/assets/").nth(1).and_then(|rest| rest.split('/').next()).expect("a version").to_string();
    for path in [
        "/assets/{v}/../../Cargo.toml",
        "/assets/{v}/..%2f..%2fCargo.toml",
        "/assets/{v}/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/{v}//etc/passwd",
        "/assets/{v}/%2fetc%2fpasswd",
        "/assets/{v}/....//....//etc/passwd",
        "/assets/{v}/..\\..\\Cargo.toml",
        "/assets/{v}/app.js%00.html",
        "/assets/{v}/",
        "/assets/{v}",
        "/assets/../Cargo.toml",
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/0000000000000000/app.js",
    ] {
        let mut client = server.connect();
        client.request("GET", &path.replace("{v}", &version), &[]);
        let (status, _) = client.head().expect("an answer");
        assert!([400, 404].contains(&status), "{path}: {status}");
    }
    assert_eq!(server.get(&format!("/assets/{version}/app.js")).status, 200);
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let server = Server::start(&["--host", "explorer.example.org"]);
    let port = server.address.port();
    let ours = [format!("127.0.0.1:{port}"), format!("LOCALHOST:{port}"), format!("[::1]:{port}"), "explorer.example.org".into()];
    for host in &ours {
        assert_eq!(server.connect().get_with("/api/v1/health", &[("Host", host)]).status, 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1", "localhost:1", "10.0.0.1", "", "explorer.example.org.evil.example"] {
        let answer = server.connect().get_with("/api/v1/health", &[("Host", host)]);
        assert_eq!(answer.status, 421, "{host}");
        assert!(answer.error().contains(&format!("it is 127.0.0.1:{port}")), "{}", answer.error());
    }
    let two = [("Host", ours[0].as_str()), ("Host", "evil.example")];
    assert_ne!(server.connect().get_with("/api/v1/health", &two).status, 200, "two hosts");
    let absolute = server.connect().get_with("http://evil.example/api/v1/health", &[("Host", &ours[0])]);
    assert_eq!(absolute.status, 421, "another host in the address");
    let mut old = server.connect();
    old.send(b"GET /api/v1/health HTTP/1.0\r\n\r\n").unwrap();
    assert_eq!(old.answer("GET").status, 421, "no host at all");
}

#[test]
fn a_server_for_all_addresses_says_one_that_can_be_opened() {
    let mut command = std::process::Command::new(cargo_bin!("isolde"));
    command.args(["serve", "--listen", "0.0.0.0:0"]).stdout(std::process::Stdio::piped());
    let server = Server::adopt(command.spawn().unwrap());
    assert!(server.address.ip().is_loopback(), "{}", server.address);
    let port = server.address.port();
    let status = |host: String| server.connect().get_with("/api/v1/health", &[("Host", &host)]).status;
    assert_eq!(status(format!("192.0.2.7:{port}")), 200, "an address of this machine, for all that it knows");
    assert_eq!(status(format!("example.org:{port}")), 421, "a name may lead anywhere");
}

#[test]
fn pages_of_other_sites_may_link_but_not_ask() {
    let server = Server::start(&[]);
    let ask = |path, site, mode| {
        let headers = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode)];
        server.connect().get_with(path, &headers).status
    };
    for path in ["/", "/explore?p=7x7", "/api/v1/health", "/metrics"] {
        assert_eq!([ask(path, "cross-site", "no-cors"), ask(path, "cross-site", "cors")], [403; 2], "{path}");
        assert_eq!([ask(path, "same-origin", "cors"), ask(path, "none", "navigate")], [200; 2], "{path}");
        let linked = if path.starts_with("/api") || path == "/metrics" { 403 } else { 200 };
        assert_eq!(ask(path, "cross-site", "navigate"), linked, "{path}");
    }
}

#[test]
fn long_addresses_and_large_headers_are_refused() {
    let server = Server::start(&[]);
    let long = server.get(&format!("/api/v1/show?p={}", "a".repeat(10_000)));
    assert_eq!((long.status, long.error().contains("write at most 8192")), (414, true));
    let wide = server.connect().get_with("/api/v1/health", &[("X-Large", &"a".repeat(20_000))]);
    assert_eq!((wide.status, wide.error().contains("send at most 16384")), (431, true));
    let many: Vec<(&str, &str)> = std::iter::repeat_n(("X-Many", "1"), 200).collect();
    assert_eq!(server.connect().get_with("/api/v1/health", &many).status, 431);
}

#[test]
fn every_answer_says_what_a_browser_may_do_with_it() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for path in ["/", "/api/v1/health", "/api/v1/show?p=x", "/nothing"] {
        let answer = client.get(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        let others = ["x-content-type-options", "referrer-policy", "cross-origin-resource-policy", "cross-origin-opener-policy"];
        let found = others.map(|name| answer.header(name).unwrap_or("missing").to_string());
        assert_eq!(found, ["nosniff", "no-referrer", "same-origin", "same-origin"], "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[test]
fn a_wrong_command_line_starts_nothing() {
    let serve = |options: &[&str]| Command::new(cargo_bin!("isolde")).arg("serve").args(options).assert();
    serve(&["--listen", "nowhere"]).code(2).stdout(is_empty());
    serve(&["--tables", "no/such/folder"]).code(2).stdout(is_empty()).stderr(contains("there is no such file"));
    serve(&["--memory", "1MiB"]).code(2).stdout(is_empty()).stderr(contains("--memory 1.0 MiB is too small"));
    serve(&["--most-time", "500000000000y"]).code(2).stdout(is_empty());
    serve(&["--most-time", "25h"]).code(2).stdout(is_empty()).stderr(contains("write at most 1d"));
    serve(&["--queue", "0"]).code(2).stdout(is_empty());
    let taken = Server::start(&[]);
    let address = taken.address.to_string();
    let sentence = format!("error: cannot listen on {address}: another program does; choose another port, or 0");
    serve(&["--listen", &address]).code(1).stdout(is_empty()).stderr(contains(sentence));
    serve(&["--listen", "192.0.2.1:7349"]).code(1).stdout(is_empty()).stderr(contains("cannot listen on 192.0.2.1:7349"));
}

/// Asks all addresses that take a position about a text.
fn ask_everywhere(client: &mut Client, text: &str) -> Vec<(String, u16)> {
    let p = encoded(text);
    let paths = [
        "/show?p={p}",
        "/svg?p={p}",
        "/position?time=0s&p={p}",
        "/move?nodes=1&agent=Random&p={p}",
        "/openings?time=0s&board={p}",
        "/mirror?time=0s&p={p}",
        "/heuristics?time=0s&p={p}",
        "/review?time=0s&p={p}",
    ];
    paths.iter().map(|path| (path.to_string(), client.get(&format!("/api/v1{}", path.replace("{p}", &p))).status)).collect()
}

#[test]
fn any_text_is_a_position_or_an_error() {
    let server = Server::start(&[]);
    let near = "[0-9x:a-h/Nn* bw-]{0,30}";
    let texts =
        prop_oneof![any::<String>(), near, "[1-9]x[1-9]:?( [a-h][1-8]){0,6}", "(position )?(fen|startpos|moves|w|b| ){0,6}"];
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig { cases: 150, ..ProptestConfig::default() });
    let client = std::cell::RefCell::new(server.connect());
    let asked = runner.run(&texts, |text| {
        for (path, status) in ask_everywhere(&mut client.borrow_mut(), &text) {
            prop_assert!([200, 400].contains(&status), "{path}: {status}");
        }
        Ok(())
    });
    asked.unwrap();
}

#[test]
fn any_position_is_answered() {
    let server = Server::start(&[]);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig { cases: 60, ..ProptestConfig::default() });
    let client = std::cell::RefCell::new(server.connect());
    let asked = runner.run(&any_position::<u128>(), |position| {
        let p = encoded(&position.setup().to_string());
        let mut client = client.borrow_mut();
        for path in ["/show?p=", "/position?time=1ms&p="] {
            let answer = client.get(&format!("/api/v1{path}{p}"));
            prop_assert_eq!(answer.status, 200);
            prop_assert_eq!(&answer.json()["position"], &position.setup().to_string());
        }
        Ok(())
    });
    asked.unwrap();
}
