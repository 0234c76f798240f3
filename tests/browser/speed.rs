//! How much is loaded, and how long it takes.

use serde_json::json;

use crate::harness::{Page, visit};

/// When the first position was drawn, in milliseconds after the page was asked for.
fn watch_for_ready(page: &Page) {
    let script = "new MutationObserver(() => {
        if (document.documentElement?.dataset.ready && !window.readyAt) window.readyAt = performance.now();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-ready'] });";
    page.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
}

/// A page that has to be loaded over a slow line is still quick if it asks for little.
#[test]
fn little_is_loaded_before_the_first_position() {
    visit(|page| {
        watch_for_ready(page);
        page.open("/explore?p=7x7: d4 b3");
        let loaded = page.value(
            "performance.getEntriesByType('resource').filter(it => it.startTime < window.readyAt)
            .map(it => [it.name, it.encodedBodySize, it.transferSize])",
        );
        let loaded = loaded.as_array().expect("a list");
        let origin = page.text_of("location.origin");
        for resource in loaded {
            let address = resource[0].as_str().expect("an address");
            assert!(address.starts_with(&origin) || address.starts_with("data:"), "{address} comes from elsewhere");
        }
        let bytes: u64 = loaded.iter().map(|it| it[1].as_u64().unwrap_or(0)).sum();
        println!("{} requests, {bytes} bytes, ready after {} ms", loaded.len(), page.value("window.readyAt"));
        assert!((4..=24).contains(&loaded.len()), "{} requests: {loaded:?}", loaded.len());
        assert!((10_000..=60_000).contains(&bytes), "{bytes} bytes, compressed: {loaded:?}");
        // The second visit loads nothing that has not changed.
        page.leave();
        page.open("/explore?p=7x7: d4 b3");
        let again = page.value(
            "performance.getEntriesByType('resource')
                .filter(it => it.name.includes('/assets/') && it.transferSize > 0).map(it => it.name)",
        );
        assert_eq!(again, json!([]), "these files were loaded again");
    });
}

#[test]
#[ignore = "measures a time, which only means something on an idle machine: 10 s"]
fn a_cold_page_is_ready_within_half_a_second() {
    let mut times = Vec::new();
    for _ in 0..5 {
        visit(|page| {
            watch_for_ready(page);
            page.open("/");
            times.push(page.value("window.readyAt").as_f64().expect("a time"));
        });
    }
    times.sort_by(f64::total_cmp);
    println!("ready after {times:.0?} ms");
    assert!(times[times.len() / 2] <= 500.0, "ready after {times:?} ms");
}
