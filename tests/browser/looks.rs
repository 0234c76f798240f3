//! What the page looks like: on a phone, in the dark, and whether its texts can be read.

use serde_json::{Value, json};

use crate::harness::{Page, visit};

/// Every view with something to see, and when it is complete.
const VIEWS: [(&str, &str); 6] = [
    ("/explore?p=5x5: a1 c3 c2", "$('#view-explore')?.dataset.state === 'done'"),
    ("/setup?p=5x5: a1 c3 c2", "$('#view-setup')"),
    ("/atlas?p=5x5: a1 c3 c2", "$('#view-atlas')?.dataset.state === 'done'"),
    ("/play?p=5x5: a1 c3 c2", "$('#view-play')"),
    ("/games?p=5x5: a1 c3 c2", "$('#view-games')"),
    ("/claims?p=5x5: a1 c3 c2", "$('#view-claims')?.dataset.state === 'done'"),
];

fn open(page: &Page, (address, complete): (&str, &str)) {
    page.open(address);
    page.wait(complete);
}

#[test]
fn a_phone_never_scrolls_sideways() {
    visit(|page| {
        page.become_phone();
        for view in VIEWS {
            open(page, view);
            let width = page.value("document.documentElement.scrollWidth");
            // Which elements are too wide, if there are any.
            let wide = page.value(
                "all('body *').filter(it => it.getBoundingClientRect().right > 361 && it.checkVisibility())
                .map(it => it.tagName + '#' + it.id + '.' + it.getAttribute('class')).slice(0, 8)",
            );
            assert!(width.as_u64().unwrap() <= 360, "{} is {width} pixels wide: {wide}", view.0);
        }
        // A board with many cells.
        page.open("/explore?p=12x10: a1 l10");
        page.wait("all('[data-cell]').length === 120 && all('#moves [data-move]').length > 0");
        assert_eq!(page.value("document.documentElement.scrollWidth"), json!(360));
        // On a phone fingers do the clicking.
        open(page, VIEWS[0]);
        page.click("#undo");
        page.wait_for_values("5x5: a1 c3");
        page.click_cell("c2");
        page.wait_for_values("5x5: a1 c3 c2");
        let board = page.value("$('[role=grid]').getBoundingClientRect().width");
        assert!(board.as_f64().unwrap() >= 300.0, "the board is {board} pixels wide");
    });
}

/// Texts that are hard to read: what they say, and the contrast to what is behind them. 4.5 is
/// what the Web Content Accessibility Guidelines want, and 3 for large texts.
const FAINT: &str = "
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = colour => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], under) => [r, g, b].map((value, i) => value * a + under[i] * (1 - a));
    const behind = it => {
        if (!it) return [255, 255, 255];
        const colour = rgba(getComputedStyle(it).backgroundColor);
        return colour[3] === 1 ? colour.slice(0, 3) : over(colour, behind(it.parentElement));
    };
    const luminance = colour => {
        const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        const [r, g, b] = colour.map(value => linear(value / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const opacity = it => it ? Number(getComputedStyle(it).opacity) * opacity(it.parentElement) : 1;
    const faint = [];
    let texts = 0;
    for (const it of all('body *')) {
        const own = [...it.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join('');
        const unseen = it.closest('svg, .visually-hidden, .skip, :disabled, option, noscript');
        if (!own || unseen || !it.checkVisibility({ visibilityProperty: true })) continue;
        if (it.closest('#toast')) continue;
        texts += 1;
        const style = getComputedStyle(it);
        const under = behind(it);
        const [, , , alpha] = rgba(style.color);
        const colour = over([...rgba(style.color).slice(0, 3), alpha * opacity(it)], under);
        const [light, dark] = [luminance(colour), luminance(under)].sort((a, b) => b - a);
        const contrast = (light + 0.05) / (dark + 0.05);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
        if (contrast < (large ? 3 : 4.5)) faint.push(own.slice(0, 40) + ' ' + it.className + ' ' + contrast.toFixed(2));
    }
    return { texts, faint: [...new Set(faint)] };
";

#[test]
fn texts_can_be_read_in_light_and_dark() {
    visit(|page| {
        let mut grounds = Vec::new();
        for scheme in ["light", "dark"] {
            page.prefer("prefers-color-scheme", scheme);
            for view in VIEWS {
                open(page, view);
                let seen = page.run(FAINT, &[]);
                assert!(seen["texts"].as_u64().unwrap() > 10, "{}: only {seen}", view.0);
                assert_eq!(seen["faint"], json!([]), "{} in the {scheme}", view.0);
            }
            grounds.push(page.text_of("getComputedStyle(document.documentElement).backgroundColor"));
        }
        assert_ne!(grounds[0], grounds[1], "the dark page is dark");
    });
}

#[test]
fn the_theme_can_be_chosen_and_is_remembered() {
    visit(|page| {
        let ground = || page.text_of("getComputedStyle(document.documentElement).backgroundColor");
        page.prefer("prefers-color-scheme", "light");
        page.open("/explore?p=5x5");
        let light = ground();
        page.click("#theme");
        page.wait("document.documentElement.dataset.theme === 'dark'");
        let dark = ground();
        assert_ne!(dark, light);
        page.reload();
        assert_eq!(ground(), dark);
        // Back to what the system prefers, whatever that will be.
        page.click("#theme");
        page.wait("document.documentElement.dataset.theme !== 'dark'");
        assert_eq!(ground(), light);
        page.prefer("prefers-color-scheme", "dark");
        assert_eq!(ground(), dark);
    });
}

/// A win and a loss are told apart by their signs, and by colours that differ in lightness or in
/// blue, which people of every kind of colour blindness see.
#[test]
fn wins_and_losses_have_different_signs() {
    visit(|page| {
        page.open("/explore?p=5x5: a1");
        page.wait_for_values("5x5: a1");
        let signs: Value = page.value(
            "Object.fromEntries(['win', 'loss'].map(kind => {
                const cell = $(`[data-mark=${kind}]`);
                return [kind, [...cell.querySelectorAll('path')].map(path => path.getAttribute('d'))];
            }))",
        );
        assert_ne!(signs["win"], signs["loss"]);
        assert!(!signs["win"].as_array().unwrap().is_empty(), "{signs}");
    });
}
