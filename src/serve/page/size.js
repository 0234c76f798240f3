/** Two menus for the size of a board. */

import { h } from "./dom.js";

const LONGEST = 16;
const MOST = 128;

/** @param {(size: string) => void} onSize gets `7x7` @param {string} id of the first menu; the second has `-ranks` added */
export function sizeChooser(onSize, id) {
	const menus = ["Files", "Ranks"].map((label, index) =>
		h("select", { id: index ? `${id}-ranks` : id, "aria-label": label, onchange: () => choose(index) },
			Array.from({ length: LONGEST }, (_, length) => h("option", {}, length + 1))));
	const [files, ranks] = /** @type {[HTMLSelectElement, HTMLSelectElement]} */ (menus);

	/** The menu that was not touched gives way. @param {number} index */
	function choose(index) {
		const [chosen, gives] = index ? [ranks, files] : [files, ranks];
		gives.value = String(Math.min(Number(gives.value), Math.floor(MOST / Number(chosen.value))));
		onSize(`${files.value}x${ranks.value}`);
	}

	return {
		element: h("span", { class: "size row" }, files, h("span", { "aria-hidden": "true" }, "×"), ranks),
		/** @param {{files: number, ranks: number}} size */
		show(size) {
			files.value = String(size.files);
			ranks.value = String(size.ranks);
		},
	};
}
