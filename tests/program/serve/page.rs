//! The page and its files.

use std::path::Path;

use super::harness::Server;

fn version(index: &str) -> String {
    let at = index.split("/assets/").nth(1).expect("the page names its files");
    at.split('/').next().unwrap().to_string()
}

#[test]
fn the_page_stands_at_each_of_its_addresses() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let index = client.get("/");
    assert_eq!((index.status, index.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!(index.header("cache-control"), Some("no-cache"));
    assert!(!index.text().contains("{{version}}"));
    for path in ["/explore", "/setup", "/atlas", "/play", "/games", "/claims", "/explore?p=7x7:+d4"] {
        assert_eq!(client.get(path).body, index.body, "{path}");
    }
    assert_eq!(client.get("/explore/").status, 404);
}

#[test]
fn files_are_kept_for_ever_under_their_version() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let version = version(&client.get("/").text());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/page");
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if name == "index.html" {
            continue;
        }
        let path = format!("/assets/{version}/{name}");
        let answer = client.get(&path);
        assert_eq!((answer.status, answer.body == std::fs::read(&file).unwrap()), (200, true), "{name}");
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
        let kind = answer.header("content-type").expect("a kind").to_string();
        let expected = [("js", "text/javascript; charset=utf-8"), ("css", "text/css; charset=utf-8"), ("svg", "image/svg+xml")];
        let extension = name.rsplit('.').next().unwrap();
        if let Some((_, expected)) = expected.iter().find(|(found, _)| *found == extension) {
            assert_eq!(kind, *expected, "{name}");
        }
        let compressed = client.get_with(&path, &[("Accept-Encoding", "br, gzip;q=0.5")]);
        assert_eq!(compressed.header("vary"), Some("accept-encoding"));
        if answer.body.len() > 1000 && compressed.header("content-encoding") == Some("gzip") {
            assert!(compressed.body.len() < answer.body.len() && compressed.body.starts_with(&[0x1f, 0x8b]), "{name}");
        }
        let refused = client.get_with(&path, &[("Accept-Encoding", "gzip;q=0")]);
        assert_eq!((refused.header("content-encoding"), &refused.body), (None, &answer.body), "{name}");
    }
}

#[test]
fn known_files_are_not_sent_again() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let index = client.get("/");
    let etag = index.header("etag").expect("a tag").to_string();
    let path = format!("/assets/{}/app.js", version(&index.text()));
    for path in ["/", path.as_str()] {
        for known in [etag.as_str(), "*", &format!("\"x\", {etag}"), etag.trim_start_matches("W/")] {
            let again = client.get_with(path, &[("If-None-Match", known)]);
            assert_eq!((again.status, again.header("etag")), (304, Some(etag.as_str())), "{path} {known}");
        }
        assert_eq!(client.get_with(path, &[("If-None-Match", "W/\"other\"")]).status, 200);
    }
}

#[test]
fn a_head_has_the_headers_of_the_answer_and_no_body() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for path in ["/", "/api/v1/health", "/api/v1/show?p=x"] {
        let (whole, head) = (client.get(path), client.ask("HEAD", path, &[]));
        assert_eq!((head.status, head.body.len()), (whole.status, 0));
        assert_eq!(head.header("content-length"), whole.header("content-length"), "{path}");
        assert_eq!(head.header("etag"), whole.header("etag"));
    }
}
