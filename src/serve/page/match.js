/** The game that is being played, beside its moves, which are in the store. It survives a reload of the page. */

import { textOf } from "./store.js";
import { other } from "./words.js";

/** How a record names the person at the board. */
export const YOU = "you";
const KEY = "match";

/** @returns {Match | null} */
export const match = () => JSON.parse(sessionStorage.getItem(KEY) ?? "null");

/** @param {Match | null} next */
export const setMatch = (next) => sessionStorage.setItem(KEY, JSON.stringify(next));

/**
 * Begins at the position on the board.
 * @param {State} state @param {Match["players"]} players @param {string} limit @param {number} [given]
 */
export const begin = (state, players, limit, given = state.at) =>
	setMatch({ players, limit, opening: textOf(state, given), given, line: textOf(state, state.at), ended: null, notes: {} });

/** @param {string} name @param {string} [you] how a person is named: `You` where a sentence begins */
export const wins = (name, you = YOU) => (name === YOU ? `${you} win` : `${name} wins`);

/** Who won and why, in one sentence. @param {Match} match @param {Ended} ended */
export function resultOf({ players }, { winner, end }) {
	const [won, lost] = [players[winner], players[other(winner)]];
	const why = end === "stuck" ? `${lost} cannot move` : lost === YOU ? "you resign" : `${lost} resigns`;
	return `${wins(won, "You")}: ${why}.`;
}

/** A limit as the server reads it. @param {string} limit */
export function limitParams(limit) {
	const [, depth] = /^depth (\d+)$/.exec(limit) ?? [];
	const [, nodes] = /^([\d,]+) nodes$/.exec(limit) ?? [];
	return depth ? { depth } : nodes ? { nodes: nodes.replaceAll(",", "") } : { time: limit };
}
