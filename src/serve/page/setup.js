/**
 * Set up a position. What is on the board here is a draft: it becomes the position as soon as it is
 * one; until then the server's sentence says what is wrong.
 */

import { messageOf } from "./api.js";
import { cellName, createBoard, knightIcon } from "./board.js";
import { createCopy } from "./copy.js";
import { h, set, write } from "./dom.js";
import { sizeChooser } from "./size.js";
import { other } from "./words.js";

const HELP =
	"Click cells to block or free them. Drag the knights, or click one and then its new cell; drag one off the board " +
	"to remove it. Keys on the board: x blocks or frees, 1 and 2 put the knights, Delete clears.";

/** The cells of a draft, from the top left. @param {Draft} draft */
const rowsOf = ({ files, ranks }) =>
	Array.from({ length: ranks }, (_, row) => Array.from({ length: files }, (_, file) => cellName(file, ranks - 1 - row)));

/** The draft as a diagram. @param {Draft} draft */
function diagram(draft) {
	const { blocked, first, second, turn } = draft;
	const letter = (/** @type {string} */ cell) => (cell === first ? "N" : cell === second ? "n" : blocked.has(cell) ? "*" : ".");
	const rows = rowsOf(draft).map((row) => row.map(letter).join("").replace(/\.+/g, (free) => String(free.length)));
	return `${rows.join("/")} ${turn === "first" ? "w" : "b"}`;
}

/** @param {HTMLElement} root @param {Context} context */
function mount(root, context) {
	const { store, href } = context;
	/** @type {Draft} */
	let draft = { files: 7, ranks: 7, blocked: new Set(), first: null, second: null, turn: "first" };
	/** What a click does: `block` or put a knight. @type {"block" | Player} */
	let tool = "block";
	/** The knight that the next click puts down. @type {Player | null} */
	let picked = null;

	const error = h("p", { id: "setup-error", class: "notice error", role: "alert", hidden: true });
	const text = h("textarea", { id: "setup-text", rows: 3, class: "mono", "aria-describedby": "setup-error" });
	const form = h("form", { class: "card part", onsubmit: apply },
		h("label", { for: "setup-text" }, "A board, a position, a line of play or UCI text"), text,
		h("div", {}, h("button", { id: "setup-apply", type: "submit" }, "Set up this text")),
		error,
		h("p", { class: "small muted" }, "Such as 7x7: d4 b3 f5, 8/8/2N5/4n3/3*4/8/8/8 b, or position startpos moves d4c6."));
	const boardBox = h("div", { class: "board-box" });
	const tools = choice("tool", "Click", ["block", "first", "second"], (value) => {
		tool = value;
		pick(null);
	});
	const turns = choice("turn", "To move", ["first", "second"], (turn) => change({ turn }));
	const size = sizeChooser((board) => void commit(board), "setup-size");
	const explore = h("a", { class: "button primary", id: "setup-explore" }, "Explore this position");
	const copy = createCopy(context, () => store.state.show);
	const board = createBoard(boardBox, {
		name: "Board to set up",
		onCell: choose,
		onDrop: (from, to) => move(from === draft.first ? "first" : "second", to),
		onKey(cell, event) {
			const clear = () => (knightOn(cell) ? move(knightOn(cell) ?? "first", null) : draft.blocked.has(cell) && toggle(cell));
			const keys = new Map([["x", () => toggle(cell)], ["1", () => move("first", cell)], ["2", () => move("second", cell)],
				["Delete", clear], ["Backspace", clear], ["Escape", () => pick(null)]]);
			if (!keys.has(event.key)) return;
			event.preventDefault();
			keys.get(event.key)?.();
		},
	});
	root.classList.add("with-board");
	root.append(
		h("div", { class: "board-column" }, boardBox,
			h("div", { class: "tools row" }, tools.element, turns.element),
			h("div", { class: "tools row" }, h("label", { class: "row", for: "setup-size" }, "Board", size.element),
				h("button", { id: "setup-clear", onclick: () => void commit(`${draft.files}x${draft.ranks}`) }, "Clear"))),
		h("div", { class: "stack" }, h("h1", {}, "Set up"),
			h("p", { class: "small muted" }, HELP),
			form, h("div", {}, explore), copy),
	);

	/**
	 * A choice between a few things.
	 * @template {"block" | Player} T
	 * @param {string} name @param {string} title @param {T[]} values @param {(value: T) => void} act
	 */
	function choice(name, title, values, act) {
		const radios = values.map((value) => {
			const id = `setup-${name}-${value}`;
			const input = h("input", { type: "radio", name, value, id, class: "visually-hidden", onchange: () => act(value) });
			const label = value === "block" ? "block or free" : [knightIcon(value), value];
			return { input, element: h("span", {}, input, h("label", { class: "button", for: id }, label)) };
		});
		return {
			element: h("fieldset", { class: "row" }, h("legend", { class: "label" }, title), radios.map(({ element }) => element)),
			/** @param {T} value */
			show: (value) => radios.forEach(({ input }) => (input.checked = input.value === value)),
		};
	}

	/** @param {string} cell @returns {Player | null} */
	const knightOn = (cell) => (cell === draft.first ? "first" : cell === draft.second ? "second" : null);

	/** @param {string} cell */
	function choose(cell) {
		const knight = knightOn(cell);
		if (picked) return knight === picked ? pick(null) : move(picked, cell);
		if (knight) pick(knight);
		else if (tool === "block") toggle(cell);
		else move(tool, cell);
	}

	/** @param {Player | null} player */
	function pick(player) {
		picked = player;
		draw();
	}

	/** @param {string} cell */
	function toggle(cell) {
		const blocked = new Set(draft.blocked);
		if (!blocked.delete(cell)) blocked.add(cell);
		if (!knightOn(cell)) change({ blocked });
	}

	/** Puts a knight on a cell, or takes it off. Two knights change places. @param {Player} player @param {string | null} cell */
	function move(player, cell) {
		const blocked = new Set(draft.blocked);
		blocked.delete(cell ?? "");
		const rival = other(player);
		change({ blocked, [player]: cell, [rival]: cell && cell === draft[rival] ? draft[player] : draft[rival] });
	}

	/** @param {Partial<Draft>} changes */
	function change(changes) {
		const placing = !draft.first || !draft.second;
		draft = { ...draft, ...changes };
		// While a knight is missing, the rules say whose turn it is, and who begins then.
		if (!draft.second && draft.first) draft.turn = "second";
		else if (!draft.first || placing) draft.turn = "first";
		text.value = diagram(draft);
		offer(false);
		void commit(text.value);
	}

	/** Makes a text the position on the board, or says what is wrong with it. @param {string} asked */
	async function commit(asked) {
		pick(null);
		say(await store.open(asked).then(() => null, messageOf));
	}

	/** @param {Event} event */
	function apply(event) {
		event.preventDefault();
		void commit(text.value.trim());
	}

	/** @param {string | null} sentence */
	function say(sentence) {
		error.hidden = !sentence;
		write(error, sentence);
		set(text, { "aria-invalid": sentence && "true" });
	}

	function draw() {
		const { blocked, turn } = draft;
		const held = picked && draft[picked];
		const rings = held ? { [held]: "picked" } : {};
		board.show({ ...draft, blocked: [...blocked], targets: rowsOf(draft).flat(), rings, orientation: store.orientation });
		size.show(draft);
		turns.show(turn);
		tools.show(tool);
	}

	/** The position can be taken elsewhere, unless the draft is none. @param {boolean} isPosition */
	function offer(isPosition) {
		set(explore, { href: isPosition && href("explore"), "aria-disabled": !isPosition && "true" });
		for (const button of copy.querySelectorAll("button")) button.disabled = !isPosition;
	}

	/** Another position is on the board. */
	function sync() {
		const { show } = store.state;
		if (!show) return;
		const { files, ranks, blocked, first, second, turn } = show;
		draft = { files, ranks, turn, blocked: new Set(blocked), first: first?.cell ?? null, second: second?.cell ?? null };
		text.value = store.text();
		offer(true);
		say(null);
		draw();
	}

	const unsubscribe = store.subscribe(sync);
	sync();
	return unsubscribe;
}

/** @type {View} */
export default { name: "setup", title: "Set up", mount };
