/**
 * All openings of a board in one picture, a board of boards: the first player places where a small
 * board lies, and the cells of that board say who wins if the second player places there.
 */

import { cellName, coordinates } from "./board.js";
import { fill, h, s } from "./dom.js";

/** Between two small boards, in cells. */
const GAP = 0.7;

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {(first: string) => void} choose called with the first placement of the small board that was chosen */
export function createMap(choose) {
	const element = s("svg", { id: "atlas-map", class: "openings", role: "grid", "aria-label": "First placements" });
	/** @type {Map<string, SVGGElement>} */
	let boards = new Map();

	/** @param {Placement} placement @param {number} files @param {number} ranks */
	function small({ first, replies }, files, ranks) {
		/** The same shape in every cell. @param {string} shape @param {string[]} cells */
		const path = (shape, cells) => cells.map(coordinates).map(([file, rank]) => `M${file} ${ranks - 1 - rank}${shape}`).join("");
		/** @param {(reply: Reply) => boolean} test */
		const those = (test) => replies.filter(test).map((reply) => reply.second);
		const won = those((reply) => reply.winner === "second");
		const odd = those((reply) => reply.exception);
		const parts = Object.entries({
			"second-wins": path("h.92v.92h-.92z", won),
			"first-wins": path("h.92v.92h-.92z", those((reply) => reply.winner === "first")),
			here: path("m0 .46a.46 .46 0 0 1 .92 0a.46 .46 0 0 1-.92 0", [first]),
			ring: path("m.1 .1h.72v.72h-.72z", odd),
		});
		const [file, rank] = coordinates(first);
		const against = odd.length ? `, ${odd.length} against the colour law` : "";
		return s("g", {
			role: "gridcell", "data-cell": first, transform: `translate(${file * (files + GAP)} ${(ranks - 1 - rank) * (ranks + GAP)})`,
			"aria-label": `${first}: the second player wins ${won.length} of ${replies.length} replies${against}`,
		},
			s("rect", { class: "back", x: -GAP / 2, y: -GAP / 2, width: files + GAP, height: ranks + GAP }),
			parts.map(([name, d]) => s("path", { class: name, d })));
	}

	/** @param {number} files @param {number} ranks @param {Placement[]} placements */
	function show(files, ranks, placements) {
		boards = new Map(placements.map((placement) => [placement.first, small(placement, files, ranks)]));
		const [width, height] = [files * (files + GAP), ranks * (ranks + GAP)];
		element.setAttribute("viewBox", `${-GAP / 2} ${-GAP / 2} ${width} ${height}`);
		element.style.setProperty("--ratio", String(width / height));
		/** @param {number} length */
		const numbers = (length) => [...Array(length).keys()];
		fill(element, numbers(ranks).map((row) =>
			s("g", { role: "row" }, numbers(files).map((file) => boards.get(cellName(file, ranks - 1 - row))))));
	}

	/** @param {string} first */
	function select(first) {
		for (const [cell, board] of boards) {
			board.setAttribute("tabindex", cell === first ? "0" : "-1");
			board.setAttribute("aria-selected", String(cell === first));
		}
	}

	/** @param {Event} event */
	const boardOf = (event) => /** @type {Element} */ (event.target).closest("[data-cell]")?.getAttribute("data-cell") ?? "";

	element.addEventListener("click", (event) => boardOf(event) && choose(boardOf(event)));
	element.addEventListener("keydown", (event) => {
		const step = STEPS[event.key];
		if (!step) return;
		event.preventDefault();
		const [file, rank] = coordinates(boardOf(event));
		const next = cellName(file + step[0], rank + step[1]);
		if (boards.has(next)) choose(next);
		boards.get(next)?.focus({ preventScroll: true });
	});
	return { element, show, select };
}

/** What the colours mean: a class, a sign, and words. */
const KEY = [
	["second-wins", "✓", "the second player wins"],
	["first-wins", "✕", "the first player wins"],
	["ringed", "", "against the colour law"],
	["here", "", "the first knight"],
];

export const key = () =>
	h("ul", { class: "key row small muted" }, KEY.map(([name, sign, words]) =>
		h("li", { class: "row" }, h("i", { class: name }, sign), words)));
