/** Overlays that show why: regions and dead cells, colours, mirrors. */

import { messageOf } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { Question } from "./parts.js";
import { count } from "./words.js";

/** @type {("center" | "vertical" | "horizontal" | "diagonal" | "antidiagonal")[]} */
const MIRRORS = ["center", "vertical", "horizontal", "diagonal", "antidiagonal"];

/** @param {Context} context @param {() => void} redraw called when the overlay has changed */
export function createOverlays({ store }, redraw) {
	/** What is seen: `regions`, `colours`, `mirror-center`, … */
	let chosen = "";
	/** @type {Mirror | null} */
	let mirror = null;
	const question = new Question();

	const names = ["regions", "colours", ...MIRRORS.map((by) => `mirror-${by}`)];
	const buttons = names.map((name, index) => {
		const by = MIRRORS[index - 2];
		const word = by === "center" ? "centre" : by ?? name;
		const label = by && `Mirror: ${word}`;
		return h("button", { id: `overlay-${name}`, "aria-pressed": "false", "aria-label": label, title: label,
			onclick: () => choose(chosen === name ? "" : name) }, by && icon(by), h("span", {}, word));
	});
	const words = h("div", { id: "overlay-sentence", "aria-live": "polite" });
	const element = h("section", { class: "overlays", "aria-label": "See why" },
		h("div", { class: "row" }, h("span", { class: "label" }, "See why"), buttons.slice(0, 2)),
		h("div", { class: "row" }, h("span", { class: "label" }, "Mirrors"), buttons.slice(2)),
		words);

	/** @param {string} name */
	function choose(name) {
		chosen = name;
		buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(names[index] === name)));
		update();
		redraw();
	}

	/** Another overlay or another position. Draws nothing itself. */
	function update() {
		const { show } = store.state;
		question.stop();
		mirror = null;
		if (chosen.startsWith("mirror-")) return void ask();
		fill(words, show && chosen && h("p", {}, chosen === "regions" ? regions(show) : colours(show)));
	}

	async function ask() {
		/** @param {string} [text] */
		const tell = (text) => fill(words, text && h("p", {}, text));
		tell();
		try {
			mirror = /** @type {Mirror | null} */ (await question.ask("/mirror", { p: store.text(), by: chosen.slice(7) }, tell));
			if (!mirror) return;
			const { sentence, asymmetry, breaks } = mirror;
			const line = breaks?.moves ?? [];
			fill(words, h("p", {}, sentence),
				asymmetry && h("p", { class: "muted" }, asymmetry.sentence),
				line.length > 0 && h("button", { id: "overlay-break", class: "small-button", onclick: () => store.follow(line) },
					icon("forward"), `Play ${line.join(" ")}`));
			redraw();
		} catch (error) {
			tell(messageOf(error));
		}
	}

	/** Adds the overlay to what the board shows. @param {Model} model @param {string | null} pointed @returns {Model} */
	function decorate(model, pointed) {
		const { show } = store.state;
		if (show && chosen === "regions") return { ...model, tints: regionTints(show) };
		if (show && chosen === "colours") return { ...model, tints: colourTints(show) };
		if (!mirror) return model;
		const { replies, images, asymmetry, breaks, fits } = mirror;
		/** @type {Record<string, string>} */
		const tints = {};
		/** @type {Record<string, string>} */
		const tags = {};
		for (const cell of asymmetry?.cells ?? []) tints[cell] = "broken";
		// More numbers than those of a knight's moves would be too many.
		replies.slice(0, replies.length > 8 ? 0 : 8).forEach(({ move, reply, legal }, index) => {
			tints[reply] = legal ? "reply" : "broken";
			for (const cell of new Set([move, reply])) tags[cell] = `${tags[cell] ?? ""} ${index + 1}`;
		});
		const arrows = [...(model.arrows ?? [])];
		const to = images[pointed ?? ""];
		if (pointed && to) arrows.push({ from: pointed, to, kind: breaks ? "break" : "reply" });
		return { ...model, tints, tags, arrows, axis: fits ? chosen.slice(7) : null };
	}

	return { element, update, decorate, choose, names, stop: () => question.stop() };
}

/** @param {Show} show */
function regions({ first, second, separated, dead }) {
	const gone = dead.length === 0 ? "no free cell is dead" : `${count(dead.length, "free cell is", "free cells are")} dead`;
	if (!first) return "No knight is placed yet.";
	const one = count(first.region, "cell");
	if (!second) return `The first knight can reach ${one}; ${gone}.`;
	const two = count(second.region, "cell");
	if (separated) return `The knights are separated: the first can reach ${one}, the second ${two}; ${gone}.`;
	const shared = first.region_cells.filter((cell) => second.region_cells.includes(cell)).length;
	return `The first knight can reach ${one}, the second ${two}, both of them ${shared}; ${gone}.`;
}

/** @param {Show} show */
const colours = ({ colour_law, winner }) => colour_law?.sentence
	?? (winner ? "The game is over: the colour law speaks of positions in which there is a move."
		: "The colour law speaks of positions with both knights placed.");

/** @param {Show} show */
function regionTints({ first, second, dead }) {
	const tints = Object.fromEntries(dead.map((cell) => [cell, "dead"]));
	for (const cell of first?.region_cells ?? []) tints[cell] = "region-first";
	for (const cell of second?.region_cells ?? []) tints[cell] = tints[cell] ? "region-both" : "region-second";
	return tints;
}

/** @param {Show} show */
function colourTints({ free, dark, first, second }) {
	const cells = [...free, first?.cell ?? "", second?.cell ?? ""];
	return Object.fromEntries(cells.map((cell) => [cell, dark.includes(cell) ? "dark" : "light"]));
}
