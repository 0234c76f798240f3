/** Evidence for a verdict: sentences, tables, figures, and lines that can be played through. */

import { h } from "./dom.js";
import { button, moveButton } from "./parts.js";
import { kind } from "./words.js";

/** Lines of play and positions inside a text. */
const PLAYABLE = /(\d+x\d+: [a-p]\d+(?: [a-p]\d+)*|[\dnN*]+(?:\/[\dnN*]+)+ [wb])/;

/** A text in which every line of play is a button. @param {string | number} text @param {OpenLine} open */
export const linked = (text, open) =>
	text.toLocaleString("en").split(PLAYABLE).map((part, index) =>
		(index % 2 ? button(part, () => open(part), { class: "playable mono", "data-line": part, title: "Explore" }) : part));

/** @param {Evidence[]} evidence @param {OpenLine} open */
export const evidenceParts = (evidence, open) =>
	evidence.map(({ sentence, table, line, figure }) => {
		if (table) return tableOf(table, open);
		if (line) return lineOf(line, open);
		const told = figure ? `${figure.what}: ${figure.ours} (published: ${figure.published ?? "nothing"})` : sentence;
		return h("p", {}, linked(told ?? "", open));
	});

/** @param {EvidenceTable} table @param {OpenLine} open */
function tableOf({ head, rows }, open) {
	/** @param {string | number | undefined} text */
	const look = (text) => typeof text === "number" && "number";
	const titles = head.map((text, column) => h("th", { scope: "col", class: look(rows[0]?.[column]) }, text));
	const body = rows.map((row) => h("tr", {}, row.map((text) => h("td", { class: look(text) }, linked(text, open)))));
	return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": head.join(", ") },
		h("table", {}, h("thead", {}, h("tr", {}, titles)), h("tbody", {}, body)));
}

/**
 * A line with the winner after each ply, as the player who made the move sees it.
 * @param {EvidenceLine} line @param {OpenLine} open
 */
const lineOf = ({ line, shows, plies }, open) =>
	h("figure", { class: "tight" }, h("figcaption", {}, shows, " ", linked(line, open)),
		h("div", { class: "row" }, plies.map(({ move, winner, plies }, index) => {
			const label = `${move}: ${winner ?? "not known who"} wins${plies ? ` in ${plies}` : ""}`;
			return moveButton(kind(winner, index % 2 ? "second" : "first"), move, label, () => open(line, index + 1));
		})));
