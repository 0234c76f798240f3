/** Values in words and signs, always the same ones. */

import { h, icon } from "./dom.js";

/** @type {Record<Kind, string>} */
export const SIGNS = { win: "✓", loss: "✕", unknown: "·" };

/** @param {Player} player @returns {Player} */
export const other = (player) => (player === "first" ? "second" : "first");

/** A winner who is known. @param {Winner | undefined} winner */
export const known = (winner) => (winner === "first" || winner === "second" ? winner : null);

/** A value as the mover sees it. @param {Winner | undefined} winner @param {Player} mover @returns {Kind} */
export const kind = (winner, mover) => (!known(winner) ? "unknown" : winner === mover ? "win" : "loss");

/** A value as an element: its sign, in its colour, with a text. @param {Kind} kind @param {...string} text */
export const value = (kind, ...text) => h("span", { class: `value ${kind}` }, icon(kind), ...text);

/** A number of things: `1 ply`, `2 plies`. @param {number} count @param {string} one @param {string} [many] */
export const count = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Results come from here, and are told like this. @type {Record<string, string>} */
const ORIGINS = {
	over: "the rules",
	moves: "from the replies",
	separated: "separated knights: each walks its longest path",
	"undisturbed walk": "a walk that cannot be disturbed",
	solved: "solved now",
	"mirror center": "mirror through the centre",
};

/** Where a result comes from, in words. @param {string | null | undefined} origin */
export const origin = (origin) =>
	ORIGINS[origin ?? ""] ?? origin?.replace(/\.isolde( \(built in\))?$/, "").replace(/^mirror (.*)/, "$1 mirror") ?? "";

/** Whether a placement is to be made. @param {Analysis} analysis */
export const isPlacing = (analysis) => analysis.plies_from !== "the position";

/** Who wins and why, in one sentence. @param {Analysis} analysis @param {boolean} searching */
export function sentence(analysis, searching) {
	const { turn, moves, plies } = analysis;
	const winner = known(analysis.winner);
	const placing = isPlacing(analysis);
	const does = placing ? "place" : "move";
	if (!winner) {
		const why = searching ? "It is not known yet who wins." : "Not solved within the time.";
		return `${why} The ${turn} player is to ${does}.`;
	}
	if (moves.length === 0) return `The ${winner} player has won: the ${turn} player cannot ${does}.`;
	// After the last free cell there are no plies to count.
	const last = placing && moves[0]?.origin === "over";
	const when = plies === null || last ? "" : ` in ${count(plies, "ply", "plies")}${placing ? " after both placements" : ""}`;
	return `The ${winner} player wins${when} (${why(analysis)}).`;
}

/** What a result comes from, or the move that it comes from. @param {Analysis} analysis */
function why(analysis) {
	if (analysis.origin !== "moves") return origin(analysis.origin);
	if (analysis.winner !== analysis.turn) return `every ${isPlacing(analysis) ? "placement" : "move"} loses`;
	const best = analysis.moves[0];
	return `by ${best?.move}${best?.origin === "moves" ? "" : `: ${origin(best?.origin)}`}`;
}

/** What a move leads to, for the one who makes it: `wins in 15`. @param {Judged} judged @param {Player} mover */
export function outcome({ winner, plies }, mover) {
	const does = { win: "wins", loss: "loses", unknown: "not known" }[kind(winner, mover)];
	return does + (plies === null ? "" : ` in ${plies}`);
}

/** The marks of a board for the moves of an analysis. @param {Analysis} analysis @returns {Record<string, Mark>} */
export function marks({ moves, turn }) {
	const best = moves[0];
	return Object.fromEntries(moves.map(({ move, winner, plies }) => {
		const isBest = known(winner) !== null && winner === best?.winner && plies === best?.plies;
		return [move, { kind: kind(winner, turn), text: plies?.toString() ?? "", best: isBest }];
	}));
}
