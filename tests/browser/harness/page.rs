//! The page, as a visitor uses it.

use std::cell::RefCell;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use base64::Engine;
use serde_json::{Value, json};

use super::webdriver::{Browser, PATIENCE};

/// Short names for scripts that look at the page.
const SHORT_NAMES: &str = "
    const $ = selector => document.querySelector(selector);
    const all = selector => [...document.querySelectorAll(selector)];
    const text = selector => $(selector)?.textContent.trim() ?? '';
    const address = () => decodeURIComponent((location.pathname + location.search).replaceAll('+', ' '));
";

/// Keys that have no character, by their numbers in the protocol.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Tab = 0xE004,
    Enter = 0xE007,
    Shift = 0xE008,
    Escape = 0xE00C,
    Left = 0xE012,
    Up = 0xE013,
    Right = 0xE014,
    Down = 0xE015,
    Delete = 0xE017,
}

impl Key {
    fn text(self) -> String {
        char::from_u32(self as u32).expect("a private character").to_string()
    }
}

/// The page in a browser's only window.
pub(crate) struct Page {
    browser: Browser,
    /// Where the server is.
    origin: String,
    /// What the console may say: parts of messages.
    expected: RefCell<Vec<String>>,
    faults: RefCell<Vec<String>>,
}

impl Page {
    pub(super) fn new(browser: Browser, origin: &str) -> Page {
        Page { browser, origin: origin.into(), expected: RefCell::default(), faults: RefCell::default() }
    }

    /// The browser, when the page is no longer needed.
    pub(super) fn close(self) -> Browser {
        self.browser
    }

    /// Opens an address of the explorer, such as `/explore?p=5x5`, and waits for its position.
    pub(crate) fn open(&self, path: &str) {
        self.browser.post("/url", &json!({"url": format!("{}{path}", self.origin)}));
        self.wait("document.documentElement.dataset.ready === '1'");
    }

    /// Goes away from the explorer, to an empty page.
    pub(crate) fn leave(&self) {
        self.browser.post("/url", &json!({"url": "about:blank"}));
    }

    pub(crate) fn reload(&self) {
        self.browser.post("/refresh", &json!({}));
        self.wait("document.documentElement.dataset.ready === '1'");
    }

    pub(crate) fn back(&self) {
        self.browser.post("/back", &json!({}));
    }

    pub(crate) fn forward(&self) {
        self.browser.post("/forward", &json!({}));
    }

    /// The path and the query of the page's address, without escapes.
    pub(crate) fn address(&self) -> String {
        self.text_of("address()")
    }

    /// The value of an expression. [`SHORT_NAMES`] may be used in it.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.run(&format!("return ({expression});"), &[])
    }

    /// The value of an expression that is a text.
    pub(crate) fn text_of(&self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}, which is no text")).to_string()
    }

    /// Runs a script, with `args` in it, and waits for the promise that it may return.
    pub(crate) fn run(&self, script: &str, arguments: &[Value]) -> Value {
        let script = format!("const args = [...arguments]; {SHORT_NAMES} {script}");
        self.browser.post("/execute/sync", &json!({"script": script, "args": arguments}))
    }

    /// Waits until an expression is true. It is looked at whenever the page changes.
    pub(crate) fn wait(&self, expression: &str) {
        let script = format!(
            "{SHORT_NAMES}
            const [patience, done] = arguments;
            const holds = () => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }};
            const finish = result => {{ observer.disconnect(); clearInterval(timer); clearTimeout(end); done(result); }};
            const look = () => {{ if (holds()) finish(true); }};
            const observer = new MutationObserver(look);
            observer.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
            // Not everything that a page shows is part of its document: the address, the focus.
            const timer = setInterval(look, 20);
            const end = setTimeout(() => finish(false), patience);
            look();"
        );
        let patience = PATIENCE.as_millis() as u64;
        let held = self.browser.post("/execute/async", &json!({"script": script, "args": [patience]}));
        assert_eq!(held, json!(true), "waited in vain for: {expression}");
    }

    /// Waits until the board shows a position, and the search for its values has ended.
    pub(crate) fn wait_for_values(&self, position: &str) {
        self.wait(&format!("$('#view-explore')?.dataset.p === {position:?} && $('#view-explore').dataset.state === 'done'"));
    }

    /// Waits until the address holds a text.
    pub(crate) fn wait_for_address(&self, part: &str) {
        self.wait(&format!("address().includes({part:?})"));
    }

    /// Clicks in the middle of an element, which must be there and not be covered by another.
    pub(crate) fn click(&self, selector: &str) {
        let element = self.browser.element(selector);
        self.browser.post(&format!("{element}/click"), &json!({}));
    }

    /// Clicks a cell of the board.
    pub(crate) fn click_cell(&self, cell: &str) {
        self.click(&format!("#cell-{cell}"));
    }

    /// Drags from the middle of one element to the middle of another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let reference = |selector| self.browser.reference(selector);
        let steps = json!([
            {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": reference(from)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 50, "x": 0, "y": 0, "origin": reference(to)},
            {"type": "pointerUp", "button": 0},
        ]);
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps});
        self.browser.post("/actions", &json!({"actions": [mouse]}));
    }

    /// Replaces the text of a field by what is typed.
    pub(crate) fn write(&self, selector: &str, text: &str) {
        let element = self.browser.element(selector);
        self.browser.post(&format!("{element}/clear"), &json!({}));
        self.browser.post(&format!("{element}/value"), &json!({"text": text}));
    }

    /// Chooses an option of a list by its value.
    pub(crate) fn choose(&self, selector: &str, value: &str) {
        self.click(&format!("{selector} option[value=\"{value}\"]"));
    }

    /// Gives a file to a field for files.
    pub(crate) fn choose_file(&self, selector: &str, file: &Path) {
        let element = self.browser.element(selector);
        self.browser.post(&format!("{element}/value"), &json!({"text": file}));
    }

    /// Presses and releases a key, wherever the focus is.
    pub(crate) fn press(&self, key: Key) {
        self.keys(&[key]);
    }

    /// Presses keys one after the other, and releases them in reverse: `[Shift, Tab]`.
    pub(crate) fn keys(&self, keys: &[Key]) {
        let step = |kind: &str, key: &Key| json!({"type": kind, "value": key.text()});
        let down = keys.iter().map(|key| step("keyDown", key));
        let up = keys.iter().rev().map(|key| step("keyUp", key));
        let steps: Vec<Value> = down.chain(up).collect();
        self.browser.post("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": steps}]}));
    }

    /// Types characters, wherever the focus is.
    pub(crate) fn type_text(&self, text: &str) {
        let press = |c: char| [json!({"type": "keyDown", "value": c}), json!({"type": "keyUp", "value": c})];
        let steps: Vec<Value> = text.chars().flat_map(press).collect();
        self.browser.post("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": steps}]}));
    }

    /// Lets the page use the clipboard, as a visitor would.
    pub(crate) fn allow_clipboard(&self) {
        let permissions = json!({"origin": self.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        self.browser.devtools("Browser.grantPermissions", &permissions);
    }

    /// The text in the clipboard.
    pub(crate) fn clipboard(&self) -> String {
        self.text_of("navigator.clipboard.readText()")
    }

    /// Lets the page save files to a folder.
    pub(crate) fn download_to(&self, folder: &Path) {
        let behavior = json!({"behavior": "allow", "downloadPath": folder});
        self.browser.devtools("Browser.setDownloadBehavior", &behavior);
    }

    /// A file that the page saves, once it is complete: Chromium gives it its name then.
    pub(crate) fn downloaded(&self, file: &Path) -> PathBuf {
        let begin = Instant::now();
        while !file.exists() {
            assert!(begin.elapsed() < PATIENCE, "{} is not saved", file.display());
            thread::yield_now();
        }
        file.to_path_buf()
    }

    /// Makes the window as small as a phone's: 360 by 740 pixels.
    pub(crate) fn become_phone(&self) {
        let screen = json!({"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true});
        self.browser.devtools("Emulation.setDeviceMetricsOverride", &screen);
    }

    /// Makes the window a screen of this size, without scroll bars.
    pub(crate) fn become_screen(&self, width: u32, height: u32) {
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.browser.devtools("Emulation.setDeviceMetricsOverride", &screen);
        self.browser.devtools("Emulation.setScrollbarsHidden", &json!({"hidden": true}));
    }

    /// Takes the focus away, so that a picture shows none.
    pub(crate) fn blur(&self) {
        self.run("document.activeElement?.blur()", &[]);
    }

    /// Tells the page what its visitor prefers, such as `prefers-color-scheme` and `dark`.
    pub(crate) fn prefer(&self, feature: &str, value: &str) {
        let features = json!({"features": [{"name": feature, "value": value}]});
        self.browser.devtools("Emulation.setEmulatedMedia", &features);
    }

    /// A command of Chromium's own protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.browser.devtools(command, parameters)
    }

    /// A picture of the window, as a PNG file.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let picture = self.browser.get("/screenshot");
        base64::prelude::BASE64_STANDARD.decode(picture.as_str().unwrap_or_default()).expect("a picture in base 64")
    }

    /// Says that the page's console may report a fault, because the test causes it.
    pub(crate) fn expect_fault(&self, part: &str) {
        self.expected.borrow_mut().push(part.into());
    }

    /// What the page has reported so far that the test does not expect.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = self.faults.borrow_mut();
        for entry in self.browser.console() {
            let message = entry["message"].as_str().unwrap_or_default();
            let is_fault = ["SEVERE", "WARNING"].contains(&entry["level"].as_str().unwrap_or_default());
            if is_fault && !self.expected.borrow().iter().any(|part| message.contains(part)) {
                faults.push(message.to_string());
            }
        }
        faults.clone()
    }

    pub(crate) fn assert_no_fault(&self) {
        assert_eq!(self.faults(), Vec::<String>::new(), "the page's console reports faults");
    }

    /// What the page shows, for a test that has failed, with a picture in a file.
    pub(super) fn describe(&self, picture: &Path) -> String {
        let mut text = format!("the page at {} shows:\n", self.text_of("location.href"));
        let _ = writeln!(text, "{}", self.text_of("document.body?.innerText ?? ''"));
        let _ = writeln!(text, "the page's console: {:?}", self.faults());
        match fs::write(picture, self.picture()) {
            Ok(()) => text + &format!("a picture of it: {}", picture.display()),
            Err(fault) => text + &format!("no picture of it: {fault}"),
        }
    }
}
