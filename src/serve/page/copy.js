/** The position in other forms, for the clipboard. */

import { getText, messageOf } from "./api.js";
import { h, icon } from "./dom.js";

/** @param {Context} context @param {() => unknown} analysis what is known of the position */
export function createCopy({ store, toast }, analysis) {
	/** @type {Record<string, () => string | Promise<string>>} */
	const forms = {
		Line: () => store.text(),
		FEN: () => store.state.show?.position ?? "",
		JSON: () => JSON.stringify(analysis(), null, 2),
		SVG: () => getText("/svg", { p: store.text() }),
	};
	const buttons = Object.entries(forms).map(([name, text]) =>
		h("button", { id: `copy-${name.toLowerCase()}`, "aria-label": `Copy as ${name}`, async onclick() {
			try {
				// Browsers keep the clipboard from pages that came without encryption.
				if (!navigator.clipboard) return void prompt(`Copy this (${name}):`, await text());
				await navigator.clipboard.writeText(await text());
				toast(`${name} copied.`);
			} catch (error) {
				toast(`Not copied: ${messageOf(error)}`);
			}
		} }, name));
	return h("section", { class: "row copy", "aria-label": "Copy" }, icon("copy"), h("span", { class: "label" }, "Copy"), buttons);
}
