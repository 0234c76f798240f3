/**
 * The game on the board: where it starts, its moves, and the ply that is looked at.
 *
 * The state changes only when the server has described the new position, so that everything in it
 * belongs together. Steps that are faster than the answers count from the last one asked for.
 */

import { ApiError, connection, get, isAbort, messageOf } from "./api.js";

class GameStore {
	/** @type {State} */
	state = { start: "7x7", moves: [], at: 0, show: null, error: null };
	/** How the board is seen: 0 to 7. */
	orientation = 0;
	/** The game that was asked for last. @type {Game} */
	#asked = this.state;
	/** @type {Set<(state: State) => void>} */
	#listeners = new Set();
	#abort = new AbortController();

	constructor() {
		connection.subscribe((online) => {
			const { show, at } = this.state;
			const asked = this.#asked;
			if (online && !(show && this.whole() === textOf(asked) && at === asked.at)) void this.#change(asked);
		});
	}

	/** @param {(state: State) => void} listener @returns {End} */
	subscribe(listener) {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	/** The text of the position at a ply, as the server reads it. @param {number} [at] */
	text(at = this.state.at) {
		return textOf(this.state, at);
	}

	/** The text of the whole game. */
	whole() {
		return textOf(this.state);
	}

	/**
	 * Opens a position, a line or UCI text. Throws an `ApiError` if it is none; then nothing changes.
	 * `false`: something else was asked for in the meantime.
	 * @param {string} text @param {number | null} [at] the end of the line if it is left out
	 */
	async open(text, at = null) {
		try {
			/** @type {Show} */
			const show = await get("/show", { p: text }, { signal: this.#next() });
			const { start, moves } = show;
			return await this.#change({ start, moves, at: at ?? moves.length }, at === null ? show : null);
		} catch (error) {
			if (isAbort(error)) return false;
			throw error;
		}
	}

	/** Plays a move at the ply looked at, if it is legal; moves after it are dropped. @param {string} cell */
	async play(cell) {
		const { show, moves, at } = this.state;
		if (!show?.legal_moves.includes(cell)) return false;
		return moves[at] === cell ? this.goto(at + 1) : this.follow([cell]);
	}

	/** Continues the game by a legal line and goes this many plies into it. @param {string[]} line @param {number} [plies] */
	follow(line, plies = 1) {
		const { start, moves, at } = this.state;
		return this.#change({ start, moves: [...moves.slice(0, at), ...line], at: at + plies });
	}

	/** @param {number} at */
	goto(at) {
		return this.#change({ ...this.#asked, at });
	}

	undo() {
		return this.goto(this.#asked.at - 1);
	}

	redo() {
		return this.goto(this.#asked.at + 1);
	}

	/** @param {number} orientation */
	turn(orientation) {
		this.orientation = orientation;
		this.#set(this.state);
	}

	/** Gives up what was asked before. */
	#next() {
		this.#abort.abort();
		this.#abort = new AbortController();
		return this.#abort.signal;
	}

	/** Whether the game is on the board in the end. @param {Game} game @param {Show | null} [described] */
	async #change({ start, moves, at: ply }, described = null) {
		const signal = this.#next();
		const at = Math.max(0, Math.min(ply, moves.length));
		this.#asked = { start, moves, at };
		try {
			const show = described ?? (await get("/show", { p: textOf(this.#asked, at) }, { signal }));
			if (!signal.aborted) this.#set({ start, moves, at, show, error: null });
			return !signal.aborted;
		} catch (error) {
			if (isAbort(error)) return false;
			// Without a server the wish stays, and is fulfilled when it is back.
			if (!(error instanceof ApiError && error.status === 0)) this.#asked = this.state;
			this.#set({ ...this.state, error: messageOf(error) });
			return false;
		}
	}

	/** @param {State} state */
	#set(state) {
		this.state = state;
		for (const listener of [...this.#listeners]) listener(state);
	}
}

/** @param {{start: string, moves: string[]}} game @param {number} [at] the end if it is left out */
export function textOf({ start, moves }, at) {
	const played = moves.slice(0, at).join(" ");
	return start + (played && (start.includes("/") ? " moves " : ": ") + played);
}

export const store = new GameStore();
