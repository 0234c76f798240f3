//! The page: files that are part of the program, and nothing else.
//!
//! Each file is compressed once. Its address contains a version, which changes whenever any file
//! of the page changes. So a browser may keep a file for ever, and still never sees an old one.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use super::fault::Fault;

/// The folder of the page. A debug build reads the files from there whenever they are asked for.
#[derive(RustEmbed)]
#[folder = "src/serve/page"]
struct Folder;

/// The file that the addresses of the page answer with.
const INDEX: &str = "index.html";

/// What stands for the version in that file.
const VERSION: &str = "{{version}}";

/// Files from this size on are compressed.
const LEAST_TO_COMPRESS: usize = 512;

/// The index may change at any time, and a file with a version never does.
const CHECK_FIRST: HeaderValue = HeaderValue::from_static("no-cache");
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// A file that is ready to be sent.
struct File {
    kind: HeaderValue,
    plain: Bytes,
    compressed: Option<Bytes>,
    /// A weak one, since it stands for both forms.
    etag: HeaderValue,
}

/// All files of the page.
struct Page {
    version: String,
    files: BTreeMap<String, File>,
}

impl Page {
    /// The page. It is prepared once, and again if a debug build finds that files have changed.
    fn current() -> Arc<Self> {
        static PAGE: Mutex<Option<Arc<Page>>> = Mutex::new(None);
        let mut page = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = page.as_ref().filter(|page| !cfg!(debug_assertions) || page.version == version());
        if let Some(page) = fresh {
            return Arc::clone(page);
        }
        let prepared = Arc::new(Self::prepare());
        *page = Some(Arc::clone(&prepared));
        prepared
    }

    fn prepare() -> Self {
        let version = version();
        let file = |name: &str| {
            let data = Folder::get(name)?.data;
            if name != INDEX {
                return Some(File::new(name, data.into_owned(), &version));
            }
            let text = String::from_utf8_lossy(&data).replace(VERSION, &version);
            Some(File::new(name, text.into_bytes(), &version))
        };
        let files = Folder::iter().filter_map(|name| Some((name.to_string(), file(&name)?))).collect();
        Self { version, files }
    }
}

/// A number that changes whenever a file of the page does.
fn version() -> String {
    let mut names: Vec<_> = Folder::iter().collect();
    names.sort();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for name in names {
        let digest = Folder::get(&name).map(|file| file.metadata.sha256_hash()).unwrap_or_default();
        for byte in name.bytes().chain(digest) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

impl File {
    fn new(name: &str, data: Vec<u8>, version: &str) -> Self {
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("json" | "webmanifest") => "application/json",
            Some("png") => "image/png",
            Some("txt" | "md") => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        };
        let compressed = (data.len() >= LEAST_TO_COMPRESS).then(|| compressed(&data)).flatten();
        let etag = HeaderValue::try_from(format!("W/\"{version}\"")).unwrap_or(HeaderValue::from_static("W/\"0\""));
        Self { kind: HeaderValue::from_static(kind), plain: data.into(), compressed, etag }
    }

    /// The answer to a request with these headers.
    fn answer(&self, request: &HeaderMap, caching: HeaderValue) -> Response {
        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, caching);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if knows(request, &self.etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(header::CONTENT_TYPE, self.kind.clone());
        let compressed = self.compressed.as_ref().filter(|_| takes_gzip(request));
        if compressed.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        *response.body_mut() = compressed.unwrap_or(&self.plain).clone().into();
        response
    }
}

/// The data compressed, if that makes it smaller.
fn compressed(data: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < data.len()).then(|| compressed.into())
}

/// The elements of a header that is a list.
fn listed(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).map(str::trim)
}

/// Whether the client has this version already.
fn knows(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let strong = |etag: &str| etag.trim_start_matches("W/").to_string();
    let own = etag.to_str().map(strong).unwrap_or_default();
    listed(request, header::IF_NONE_MATCH).any(|known| known == "*" || strong(known) == own)
}

/// Whether the client can read gzip.
fn takes_gzip(request: &HeaderMap) -> bool {
    listed(request, header::ACCEPT_ENCODING).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let quality: f32 = quality.trim().strip_prefix("q=").and_then(|quality| quality.parse().ok()).unwrap_or(1.0);
        name.trim().eq_ignore_ascii_case("gzip") && quality > 0.0
    })
}

fn missing() -> Fault {
    Fault::new(StatusCode::NOT_FOUND, "there is no such file of the page: load the page again")
}

/// The page itself.
pub(super) async fn index(request: HeaderMap) -> Result<Response, Fault> {
    let page = Page::current();
    Ok(page.files.get(INDEX).ok_or_else(missing)?.answer(&request, CHECK_FIRST))
}

/// A file of the page.
pub(super) async fn asset(Path((version, name)): Path<(String, String)>, request: HeaderMap) -> Result<Response, Fault> {
    let page = Page::current();
    let file = page.files.get(&name).filter(|_| version == page.version);
    Ok(file.ok_or_else(missing)?.answer(&request, FOR_EVER))
}
