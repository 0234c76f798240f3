/** The plies of a game: a list, and buttons and keys that step through it. */

import { fill, h, iconButton } from "./dom.js";

/** @param {Store} store */
export function createHistory(store) {
	const element = h("ol", { id: "history", class: "plies" });
	const start = () => store.goto(0);
	const back = () => store.undo();
	const forward = () => store.redo();
	const end = () => store.goto(Infinity);
	const buttons = [
		iconButton("start", "To the start", "first", start),
		iconButton("undo", "Back one ply (,)", "back", back),
		iconButton("redo", "Forward one ply (.)", "forward", forward),
		iconButton("end", "To the last ply", "last", end),
	];
	/** @type {Bindings} */
	const bindings = {
		",": ["back one ply; outside the board also ←", back],
		".": ["forward one ply; outside the board also →", forward],
		ArrowLeft: ["", back],
		ArrowRight: ["", forward],
		Home: ["to the start (outside the board)", start],
		End: ["to the last ply (outside the board)", end],
	};

	function update() {
		const { start, moves, at } = store.state;
		const focused = element.contains(document.activeElement);
		const plies = ["start", ...moves].map((text, ply) => h("button", { "data-ply": ply, tabindex: ply === at ? 0 : -1,
			"aria-current": ply === at && "step", onclick: () => void store.goto(ply) }, text));
		fill(element, plies.map((button, ply) => h("li", {}, ply > 0 && moveNumber(start, ply - 1), button)));
		element.scrollTop = (plies[at]?.offsetTop ?? 0) - element.clientHeight / 2;
		if (focused) plies[at]?.focus({ preventScroll: true });
		buttons.forEach((button, index) => (button.disabled = at === (index < 2 ? 0 : moves.length)));
	}

	return { element, buttons, bindings, update };
}

/** The number of a ply: `3.`, or `3…` for the second player's. @param {string} start @param {number} index from 0 */
export function numberOf(start, index) {
	const ply = index + (start.endsWith(" b") ? 1 : 0);
	return Math.floor(ply / 2) + 1 + (ply % 2 === 0 ? "." : "…");
}

/** The number in a list of plies; it is left out where it is clear. @param {string} start @param {number} index from 0 */
export function moveNumber(start, index) {
	const number = numberOf(start, index);
	return number.endsWith(".") || index === 0 ? h("span", { class: "number" }, number) : null;
}
