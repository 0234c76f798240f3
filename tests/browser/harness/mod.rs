//! A server, a browser, and a page in it, for one test.
//!
//! A test that fails leaves a picture of its page in the folder for temporary files of the tests
//! (`target/tmp`), and prints what the page, its console and the server said.

mod page;
mod pool;
mod process;
mod server;
mod webdriver;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

pub(crate) use page::{Key, Page};
use pool::Guest;
pub(crate) use server::{Server, escaped, program};

use crate::support::skipped::skip;

/// Runs a test with a server and a window of its own. At its end the page must have reported no
/// fault: no error in its console, no violation of its Content-Security-Policy.
pub(crate) fn visit<F: FnOnce(&Page)>(test: F) {
    run(&name::<F>(), &[], |page, _| test(page));
}

/// The same with options for the server, which the test may stop and start.
pub(crate) fn visit_server<F: FnOnce(&Page, &mut Server)>(options: &[&str], test: F) {
    run(&name::<F>(), options, test);
}

/// The name of the test that a closure stands in: the closure's type is named after it.
fn name<F>() -> String {
    std::any::type_name::<F>().trim_end_matches("::{{closure}}").trim_start_matches("browser::").to_string()
}

fn run(name: &str, options: &[&str], test: impl FnOnce(&Page, &mut Server)) {
    if let Some(missing) = webdriver::missing() {
        skip(name, &format!("{missing}; run scripts/browser-for-tests"));
        return;
    }
    let guest = Guest::enter();
    let mut server = Server::start(options);
    let page = Page::new(guest.browser(), server.address());
    let result = catch_unwind(AssertUnwindSafe(|| {
        test(&page, &mut server);
        page.assert_no_fault();
    }));
    match result {
        Ok(()) => guest.give_back(page.close()),
        Err(panic) => {
            let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.png", name.replace("::", "-")));
            eprintln!("{}\nthe server wrote: {}", page.describe(&picture), server.log());
            resume_unwind(panic);
        }
    }
}
