/** Keyboard: shortcuts, the list of them, and lists that are one stop for Tab. */

import { h, icon } from "./dom.js";

/** @type {{title: string, bindings: Bindings}[]} */
const groups = [];

/** Binds keys until the function that is returned is called. @param {string} title @param {Bindings} bindings */
export function bind(title, bindings) {
	const group = { title, bindings };
	groups.push(group);
	return () => void groups.splice(groups.indexOf(group), 1);
}

/** @param {KeyboardEvent} event */
const isPlain = (event) => !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey);

document.addEventListener("keydown", (event) => {
	if (!isPlain(event) || /** @type {Element} */ (event.target).closest("input, textarea, select, dialog")) return;
	const found = [...groups].reverse().find(({ bindings }) => event.key in bindings)?.bindings[event.key];
	if (!found) return;
	event.preventDefault();
	found[1]();
});

/** Shows all keys. */
export function help() {
	const board = { title: "On the board", bindings: { "← ↑ → ↓": ["walk over the cells"], Enter: ["choose the cell"] } };
	const close = h("button", { class: "quiet icon-only", "aria-label": "Close", onclick: () => dialog.close() }, icon("loss"));
	const dialog = h("dialog", { "aria-labelledby": "keys", onclose: () => dialog.remove() },
		h("header", { class: "row" }, h("h2", { id: "keys" }, "Keyboard"), close),
		[board, ...groups].flatMap(({ title, bindings }) => [
			h("h3", {}, title),
			h("dl", {}, Object.entries(bindings).flatMap(([key, [what]]) =>
				(what ? [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)] : []))),
		]));
	dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
	document.body.append(dialog);
	dialog.showModal();
}

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };

/** Makes a list of buttons one stop for Tab. Call what is returned when the list has changed. @param {HTMLElement} list */
export function rove(list) {
	const buttons = () => [...list.querySelectorAll("button")];
	/** @param {Element | null} [current] */
	const refresh = (current) => {
		const all = buttons();
		for (const button of all) button.tabIndex = button === (current ?? all[0]) ? 0 : -1;
	};
	list.addEventListener("keydown", (event) => {
		const step = STEPS[event.key];
		if (!step || !isPlain(event)) return;
		event.preventDefault();
		const all = buttons();
		const at = all.findIndex((button) => button === document.activeElement);
		const next = all[Math.max(0, Math.min(at + step, all.length - 1))];
		refresh(next);
		next?.focus();
	});
	return refresh;
}
