//! The page without a mouse.

use std::cmp::Ordering;

use crate::harness::{Key, Page, visit};

/// Presses Tab until the focus is where it is wanted.
fn tab_to(page: &Page, wanted: &str) {
    for _ in 0..80 {
        if page.value(&format!("document.activeElement?.matches({wanted:?}) ?? false")) == true {
            return;
        }
        page.press(Key::Tab);
    }
    panic!("Tab does not lead to {wanted}");
}

/// Moves the focus from its cell to another one with the arrow keys.
fn walk_to(page: &Page, cell: &str) {
    let place = |cell: &str| (i32::from(cell.as_bytes()[0]), cell[1..].parse::<i32>().unwrap());
    for _ in 0..20 {
        let now = page.text_of("document.activeElement.dataset.cell");
        let ((file, rank), (to_file, to_rank)) = (place(&now), place(cell));
        if now == cell {
            return;
        }
        page.press(match (to_file.cmp(&file), to_rank.cmp(&rank)) {
            (Ordering::Greater, _) => Key::Right,
            (Ordering::Less, _) => Key::Left,
            (_, Ordering::Greater) => Key::Up,
            _ => Key::Down,
        });
        page.wait(&format!("document.activeElement.dataset.cell !== {now:?}"));
    }
    panic!("the arrow keys do not lead to {cell}");
}

#[test]
fn a_game_is_explored_with_keys_alone() {
    visit(|page| {
        page.open("/explore?p=5x5");
        page.wait_for_values("5x5");
        tab_to(page, "[data-cell]");
        walk_to(page, "a1");
        page.press(Key::Enter);
        page.wait_for_values("5x5: a1");
        walk_to(page, "c3");
        page.press(Key::Enter);
        page.wait_for_values("5x5: a1 c3");
        walk_to(page, "c2");
        page.press(Key::Enter);
        page.wait_for_values("5x5: a1 c3 c2");
        tab_to(page, "#undo");
        page.press(Key::Enter);
        page.wait_for_values("5x5: a1 c3");
    });
}

/// What the focused element looks like with the focus, and without it.
const FOCUS: &str = "
    const it = document.activeElement;
    if (!it || it === document.body) return null;
    const look = () => JSON.stringify([it, ...it.querySelectorAll('*')].map(part => {
        const { outline, boxShadow, stroke, strokeWidth, fill, opacity, visibility, backgroundColor } = getComputedStyle(part);
        return [outline, boxShadow, stroke, strokeWidth, fill, opacity, visibility, backgroundColor];
    }));
    const focused = look();
    it.blur();
    const blurred = look();
    it.focus({ focusVisible: true });
    return { name: it.id || it.outerHTML.slice(0, 80), cell: it.dataset.cell ?? null, seen: focused !== blurred };
";

/// The board is one stop of the Tab key, and every stop shows the focus.
#[test]
fn every_stop_of_the_tab_key_is_seen() {
    visit(|page| {
        page.prefer("prefers-reduced-motion", "reduce");
        page.open("/explore?p=5x5: a1 c3");
        page.wait_for_values("5x5: a1 c3");
        let (mut stops, mut cells) = (0, 0);
        loop {
            page.press(Key::Tab);
            let stop = page.run(FOCUS, &[]);
            if stop.is_null() || stops > 100 {
                break;
            }
            assert_eq!(stop["seen"], true, "{stop}");
            stops += 1;
            cells += i32::from(!stop["cell"].is_null());
        }
        assert!((10..100).contains(&stops), "{stops} stops");
        assert_eq!(cells, 1, "the board is one stop");
    });
}

#[test]
fn the_way_back_with_shift_and_the_help_that_escape_closes() {
    visit(|page| {
        page.open("/explore?p=5x5");
        page.wait_for_values("5x5");
        tab_to(page, "#nav-setup");
        page.keys(&[Key::Shift, Key::Tab]);
        page.wait("document.activeElement.id === 'nav-explore'");
        tab_to(page, "#help");
        page.press(Key::Enter);
        page.wait("$('dialog[open], [role=dialog]')");
        page.press(Key::Escape);
        page.wait("!$('dialog[open], [role=dialog]')");
    });
}
