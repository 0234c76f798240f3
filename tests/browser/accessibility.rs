//! What a screen reader finds.

use serde_json::json;

use crate::harness::visit;

/// Elements without a name, as far as the page's own attributes and texts give one.
const NAMELESS: &str = "
    const name = it => it.getAttribute('aria-label')
        || (it.getAttribute('aria-labelledby') ?? '').split(' ')
            .map(id => document.getElementById(id)?.textContent ?? '').join(' ').trim()
        || [...(it.labels ?? [])].map(label => label.textContent.trim()).join(' ')
        || it.textContent.trim() || it.title;
    const named = 'button, a, select, input, textarea, [role=gridcell], [role=grid], dialog, summary';
    const parts = all(named).filter(it => it.checkVisibility());
    return { parts: parts.length, nameless: parts.filter(it => !name(it)).map(it => it.outerHTML.slice(0, 120)) };
";

#[test]
fn every_part_has_a_name_in_every_view() {
    visit(|page| {
        for view in ["explore", "setup", "atlas", "play", "games", "claims"] {
            page.open(&format!("/{view}?p=5x5: a1 c3"));
            page.wait(&format!("$('#view-{view}')"));
            page.wait("!$('[data-state=loading], [data-state=waiting], [data-state=searching]')");
            let seen = page.run(NAMELESS, &[]);
            assert!(seen["parts"].as_u64().unwrap() > 8, "{view}: {seen}");
            assert_eq!(seen["nameless"], json!([]), "{view}");
            assert_eq!(page.value("all('h1').length"), json!(1), "{view} has one heading of the first level");
            for landmark in ["body > header", "nav[aria-label]", "main"] {
                assert_eq!(page.value(&format!("all({landmark:?}).length")), json!(1), "{view}: {landmark}");
            }
            let twice = page.value("all('[id]').map(it => it.id).filter((id, at, ids) => ids.indexOf(id) !== at)");
            assert_eq!(twice, json!([]), "{view}: ids that occur twice");
            assert_ne!(page.text_of("document.title"), "Isolde", "{view} has a title of its own");
        }
        assert_eq!(page.text_of("document.documentElement.lang"), "en");
    });
}

#[test]
fn cells_say_what_they_are() {
    visit(|page| {
        page.open("/explore?p=5x5: a1 c3 c2");
        page.wait_for_values("5x5: a1 c3 c2");
        let label = |cell: &str| page.text_of(&format!("$('#cell-{cell}').getAttribute('aria-label')"));
        assert_eq!(page.value("all('[role=gridcell]').length"), json!(25));
        assert_eq!(page.value("all('[role=gridcell]').filter(it => it.tabIndex === 0).length"), json!(1), "one stop for Tab");
        assert!(label("a1").starts_with("a1") && !label("a1").contains("free"), "{}", label("a1"));
        assert!(label("c2").contains("first"), "{}", label("c2"));
        assert!(label("c3").contains("second"), "{}", label("c3"));
        assert!(label("e5").contains("free"), "{}", label("e5"));
        assert!(label("a4").contains("first wins in 14"), "{}", label("a4"));
        // The sentence is read out when it changes.
        assert_eq!(page.value("Boolean($('#sentence').closest('[aria-live], [role=status]'))"), json!(true));
        assert_eq!(page.value("Boolean($('#status').closest('[aria-live], [role=status]'))"), json!(true));
    });
}
