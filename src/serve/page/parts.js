/** What several views need: buttons, frames, lines that open in the explorer, questions that wait. */

import { ApiError, get, isAbort, messageOf } from "./api.js";
import { h, write } from "./dom.js";
import { SIGNS } from "./words.js";

/** @type {Player[]} */
export const PLAYERS = ["first", "second"];

/** @param {Child} text @param {() => unknown} act @param {Attributes} [attributes] */
export const button = (text, act, attributes) => h("button", { onclick: () => void act(), ...attributes }, text);

/**
 * A move with the sign of its value.
 * @param {Kind} value @param {string} move @param {string} label @param {() => unknown} act
 */
export const moveButton = (value, move, label, act) =>
	button(`${SIGNS[value]} ${move}`, act, { class: `small-button move value ${value}`, "aria-label": label, title: label });

/** A part of a view, in a frame. @param {string} name @param {Children} children */
export const card = (name, ...children) => h("section", { class: "card part", "aria-label": name }, ...children);

/** @param {string} text */
export const quiet = (text) => h("p", { class: "small muted" }, text);

/** A place for errors. */
export function problems() {
	const element = h("p", { class: "notice error", role: "alert", hidden: true });
	/** @param {unknown} [error] nothing if all is well again */
	const tell = (error = "") => {
		write(element, messageOf(error));
		element.hidden = error === "";
	};
	return { element, tell };
}

/** Opens a line in the explorer. @param {Context} context @param {string} p @param {number} [at] */
export const explore = ({ navigate }, p, at) => navigate("explore", { p, at });

/** @param {number} time in milliseconds */
export const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Asks one question at a time. A new question cancels the one before. */
export class Question {
	#abort = new AbortController();

	stop() {
		this.#abort.abort();
	}

	/**
	 * Asks until there is an answer: a server that is busy or lost is asked again.
	 * @param {string} path @param {Params} [params]
	 * @param {(sentence: string) => void} [tell] called with the reason why there is no answer yet
	 * @returns {Promise<any>} null if the question was given up
	 */
	async ask(path, params, tell) {
		this.stop();
		const { signal } = (this.#abort = new AbortController());
		while (!signal.aborted) {
			try {
				return await get(path, params, { signal });
			} catch (error) {
				if (isAbort(error)) return null;
				if (!(error instanceof ApiError) || (error.status !== 0 && error.status !== 503)) throw error;
				if (error.status) tell?.("The server is busy. Asking again soon.");
				await sleep((error.retryAfter ?? 1) * 1000);
			}
		}
		return null;
	}
}
