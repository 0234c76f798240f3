/** The board: a grid of cells to click, to drag knights on, and to walk through by arrow keys. */

import { fill, s, set, write } from "./dom.js";
import { other } from "./words.js";

/** One cell is 100 wide. */
const SIDE = 100;

/** A knight that looks to the left, and its base. */
const KNIGHT =
	"M33 80C32 66 41 59 47 48C40 49 36 54 30 58C25 61 19 58 19 52C19 47 23 43 27 37C31 30 34 26 41 22L43 13L52 20" +
	"C69 23 80 38 79 61C79 68 78 74 77 80ZM28 83H81Q84 83 84 86V89Q84 92 81 92H28Q25 92 25 89V86Q25 83 28 83Z";

/** @type {Record<string, string>} */
const SIGNS = { win: "M-13 1L-4 10L13 -9", loss: "M-9 -9L9 9M9 -9L-9 9" };

/** @type {Record<string, [number, number]>} */
const STEPS = {
	ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
	Home: [-99, 0], End: [99, 0],
};

/** Where the axes of the mirrors begin and end, in parts of the board. @type {Record<string, [number, number][]>} */
const AXES = {
	center: [[0.5, 0.5], [0.5, 0.5]],
	vertical: [[0.5, 0], [0.5, 1]],
	horizontal: [[0, 0.5], [1, 0.5]],
	diagonal: [[0, 0], [1, 1]],
	antidiagonal: [[0, 1], [1, 0]],
};

/** @type {Player[]} */
const PLAYERS = ["first", "second"];

/** The name of a cell, counted from 0. @param {number} file @param {number} rank */
export const cellName = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

/** @param {string} cell @returns {[number, number]} */
export const coordinates = (cell) => [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];

/** A quarter turn clockwise of what is seen. @param {number} orientation */
export const rotated = (orientation) => (orientation & 4) | ((orientation + (orientation & 4 ? 3 : 1)) & 3);

/** Left and right change sides. @param {number} orientation */
export const flipped = (orientation) => orientation ^ 4;

/** What a board shows of a position. @type {BoardModel} */
export function boardModel(show, last = null, orientation = 0) {
	const { files, ranks, blocked, turn, first, second, legal_moves: targets } = show;
	const parts = { first: first?.part, second: second?.part };
	return { files, ranks, blocked, turn, targets, last, orientation, parts, first: first?.cell, second: second?.cell };
}

/** A knight as a small picture beside a text. @param {Player} player */
export const knightIcon = (player) =>
	s("svg", { class: `piece ${player}`, viewBox: "10 8 80 88", "aria-hidden": "true" }, shape(player));

/** The players look at each other. @param {Player} player */
const shape = (player) =>
	s("g", { transform: player === "first" ? null : "matrix(-1 0 0 1 104 0)" },
		s("path", { d: KNIGHT }), s("circle", { class: "eye", cx: 41, cy: 35, r: 3.4 }));

/** @param {Element} container @param {BoardOptions} [options] */
export function createBoard(container, options = {}) {
	const { prefix = "cell-", name = "Board", onCell, onDrop, onPoint } = options;
	// Cells of both regions are striped, blocked cells are hatched.
	/** @param {string} name @param {number} stroke */
	const pattern = (name, stroke) => {
		const size = { width: 20, height: 20 };
		const turned = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
		return s("pattern", { id: prefix + name, class: name, ...size, ...turned },
			s("rect", size), s("path", { d: "M0 0V20", "stroke-width": stroke }));
	};
	const cells = s("g");
	const pieces = s("g", { "aria-hidden": "true" });
	const over = s("g", { "aria-hidden": "true" });
	const patterns = s("defs", {}, pattern("stripes", 20), pattern("hatch", 4));
	const element = s("svg", { class: "board", role: "grid", "aria-label": name }, patterns, cells, pieces, over);
	/** @param {Player} player @param {number} back where the badge is */
	const knight = (player, back) => s("g", { class: `knight ${player}` }, shape(player),
		s("g", { class: "badge", transform: `translate(${back} 24)` }, s("circle", { r: 16 }), s("text", { dy: 7.5 })));
	const knights = { first: knight("first", 80), second: knight("second", 22) };
	container.append(element);

	/** @type {Model} */
	let model = { files: 0, ranks: 0 };
	/** @type {Map<string, SVGGElement>} */
	let grid = new Map();
	/** The cells as they are seen, row by row. @type {string[][]} */
	let rows = [];
	let width = 0;
	/** The cell that Tab leads to. */
	let current = "";

	/** Where a point of the board is seen: column and row from the top left. @param {number} file @param {number} rank */
	function seenAt(file, rank) {
		const orientation = model.orientation ?? 0;
		let [x, y, w, h] = [file, model.ranks - 1 - rank, model.files, model.ranks];
		for (let turn = orientation & 3; turn > 0; turn -= 1) [x, y, w, h] = [h - 1 - y, x, h, w];
		return /** @type {const} */ ([orientation & 4 ? w - 1 - x : x, y]);
	}

	/** @param {string} cell */
	const seen = (cell) => seenAt(...coordinates(cell));

	/** In the units of the drawing. @param {readonly number[]} point */
	const middle = (point) => point.map((value) => (value + 0.5) * SIDE);

	/** @param {string | null} cell @returns {Player | undefined} */
	const playerOn = (cell) => PLAYERS.find((player) => cell && model[player] === cell);

	/** Draws the empty grid: for another size or orientation. */
	function lay() {
		const { files, ranks, orientation = 0 } = model;
		grid = new Map();
		rows = [];
		for (let file = 0; file < files; file += 1) {
			for (let rank = 0; rank < ranks; rank += 1) {
				const [x, y] = seenAt(file, rank);
				(rows[y] ??= [])[x] = cellName(file, rank);
			}
		}
		width = rows[0]?.length ?? 0;
		element.setAttribute("viewBox", `0 0 ${width * SIDE} ${rows.length * SIDE}`);
		element.style.setProperty("--columns", String(width));
		element.style.setProperty("--ratio", String(width / rows.length));
		fill(cells, rows.map((row, y) => s("g", { role: "row" }, row.map((cell, x) => {
			const [file, rank] = coordinates(cell);
			const names = [cell.slice(0, 1), cell.slice(1)];
			if (orientation & 1) names.reverse();
			const box = { x: 1.5, y: 1.5, width: SIDE - 3, height: SIDE - 3, rx: 7 };
			const place = `translate(${x * SIDE} ${y * SIDE})`;
			const group = s("g", { id: prefix + cell, class: "cell", role: "gridcell", "data-cell": cell, transform: place },
				s("rect", { class: "tile", ...box }),
				s("rect", { class: "tint", ...box }),
				x === 0 && s("text", { class: "coordinate", x: 9, y: 24 }, names[1]),
				y === rows.length - 1 && s("text", { class: "coordinate end", x: 92, y: 92 }, names[0]),
				s("text", { class: "note", x: 50, y: 58 }),
				s("g", { class: "mark", transform: "translate(50 50)" }, s("circle"), s("path"), s("text", { y: 22 })),
				s("text", { class: "tag", x: 94, y: 22 }),
				s("rect", { class: "ring", x: 4, y: 4, width: SIDE - 8, height: SIDE - 8, rx: 6 }));
			group.classList.toggle("dark", (file + rank) % 2 === 0);
			grid.set(cell, group);
			return group;
		}))));
		if (!grid.has(current)) current = "";
	}

	/** What a screen reader says about a cell. @param {string} cell */
	function describe(cell) {
		const { parts, blocked, marks, turn } = model;
		const player = playerOn(cell);
		const mark = marks?.[cell];
		const words = player ? [`${player} knight`, parts?.[player]] : [blocked?.includes(cell) ? "blocked" : "free"];
		if (mark?.kind === "unknown") words.push("value not known");
		else if (mark && turn) words.push(`${mark.kind === "win" ? turn : other(turn)} wins${mark.text ? ` in ${mark.text}` : ""}`);
		return [cell, ...words].filter(Boolean).join(", ");
	}

	/** Writes the model into the grid. */
	function update() {
		const { turn, marks, tints, rings, notes, tags, last, arrows = [] } = model;
		const blocked = new Set(model.blocked);
		const targets = new Set(model.targets);
		element.classList.toggle("placing", turn !== undefined && !model[turn]);
		current ||= (turn && model[turn]) || cellName((model.files - 1) >> 1, (model.ranks - 1) >> 1);
		for (const [cell, group] of grid) {
			const mark = marks?.[cell];
			const isTarget = targets.has(cell);
			set(group, {
				"aria-label": options.label?.(cell) ?? describe(cell),
				"aria-disabled": isTarget ? null : "true",
				tabindex: cell === current ? 0 : -1,
				"data-mark": mark?.kind,
				"data-plies": mark?.text || null,
				"data-tint": tints?.[cell],
				"data-ring": rings?.[cell],
			});
			const held = onDrop !== undefined && playerOn(cell) !== undefined;
			const flags = { blocked: blocked.has(cell), target: isTarget, last: last === cell, best: mark?.best === true, held };
			for (const [flag, on] of Object.entries(flags)) group.classList.toggle(flag, on);
			const name = tints?.[cell] === "region-both" ? "stripes" : blocked.has(cell) ? "hatch" : "";
			group.querySelector(".tint")?.setAttribute("fill", name ? `url(#${prefix}${name})` : "none");
			const [circle, path, text] = /** @type {[Element, Element, Element]} */ ([...group.querySelectorAll(".mark *")]);
			set(circle, { r: !mark ? 0 : mark.kind === "unknown" ? 13 : 35 });
			set(path, { d: SIGNS[mark?.kind ?? ""], transform: mark?.text ? "translate(0 -15) scale(.8)" : "scale(1.35)" });
			write(text, mark?.text);
			write(group.querySelector(".note"), notes?.[cell]);
			write(group.querySelector(".tag"), tags?.[cell]);
		}
		fill(over, drawAxis(), arrows.map(arrow));
	}

	/** Stands a knight on its cell; a knight's move glides. @param {Player} player @param {string | null} [before] */
	function stand(player, before) {
		const cell = model[player];
		const knight = knights[player];
		if (!cell) return knight.remove();
		const [x, y] = seen(cell);
		const [fx, fy] = before ? seen(before) : [x, y];
		const part = model.parts?.[player] ?? "";
		knight.classList.toggle("glides", Math.abs((fx - x) * (fy - y)) === 2);
		knight.style.transform = `translate(${x * SIDE}px, ${y * SIDE}px)`;
		knight.dataset["part"] = part;
		write(knight.querySelector("text"), part.charAt(0).toUpperCase());
		if (!knight.isConnected) pieces.append(knight);
	}

	function drawAxis() {
		const { files, ranks, axis = null } = model;
		const ends = AXES[axis ?? ""]?.map(([across, up]) => middle(seenAt(across * files - 0.5, up * ranks - 0.5)));
		return ends && s("path", { class: `axis ${axis}`, d: `M${ends.join("L")}` });
	}

	/** @param {Arrow} arrow */
	function arrow({ from, to, kind }) {
		const [x1 = 0, y1 = 0] = middle(seen(from));
		const [x2 = 0, y2 = 0] = middle(seen(to));
		const length = Math.hypot(x2 - x1, y2 - y1);
		const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
		// From the edge of one mark to the edge of the other, if there is room.
		const gap = length > 150 ? 40 : 22;
		const end = length - gap;
		const d = `M${gap} -5H${end - 22}V-17L${end} 0L${end - 22} 17V5H${gap}Z`;
		return s("path", { class: `arrow ${kind}`, d, transform: `translate(${x1} ${y1}) rotate(${angle})` });
	}

	/** @param {Event} event */
	const cellOf = (event) => /** @type {Element} */ (event.target).closest("[data-cell]")?.getAttribute("data-cell") ?? null;

	/** @param {string} cell */
	function focus(cell) {
		grid.get(current)?.setAttribute("tabindex", "-1");
		current = cell;
		grid.get(cell)?.setAttribute("tabindex", "0");
		grid.get(cell)?.focus({ preventScroll: true });
	}

	/** @param {string} cell @param {Event} event */
	function choose(cell, event) {
		focus(cell);
		if (model.targets?.includes(cell)) onCell?.(cell, event);
	}

	element.addEventListener("keydown", (event) => {
		const cell = cellOf(event);
		if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
		const step = STEPS[event.key];
		if (step) {
			const [x, y] = seen(cell);
			const row = rows[Math.max(0, Math.min(y + step[1], rows.length - 1))];
			focus(row?.[Math.max(0, Math.min(x + step[0], width - 1))] ?? cell);
		} else if (event.key === "Enter" || event.key === " ") {
			choose(cell, event);
		} else {
			return options.onKey?.(cell, event);
		}
		event.preventDefault();
	});

	/** The knight that follows the pointer. @type {{player: Player, from: string, x: number, y: number, moved: boolean} | null} */
	let drag = null;
	/** A click by a captured pointer does not count. */
	let captured = false;

	element.addEventListener("click", (event) => {
		const cell = cellOf(event);
		if (cell && !captured) choose(cell, event);
	});

	element.addEventListener("pointerdown", (event) => {
		const from = cellOf(event);
		const player = playerOn(from);
		captured = Boolean(onDrop && player && event.button === 0);
		if (!captured || !player || !from) return;
		drag = { player, from, x: event.clientX, y: event.clientY, moved: false };
		element.setPointerCapture(event.pointerId);
	});

	element.addEventListener("pointermove", (event) => {
		if (!drag) return;
		const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
		drag.moved ||= Math.hypot(dx, dy) > 5;
		if (!drag.moved) return;
		const scale = (width * SIDE) / element.getBoundingClientRect().width;
		const [x, y] = seen(drag.from);
		const knight = knights[drag.player];
		knight.classList.remove("glides");
		knight.style.transform = `translate(${x * SIDE + dx * scale}px, ${y * SIDE + dy * scale}px)`;
		onPoint?.(cellAt(event));
	});

	/** A drag that stays where it was is a click. @param {PointerEvent} event */
	const drop = (event) => {
		if (!drag) return;
		const { player, from, moved } = drag;
		drag = null;
		stand(player);
		if (event.type === "pointercancel") return;
		const to = cellAt(event);
		if (moved && to !== from) onDrop?.(from, to);
		else choose(from, event);
	};
	element.addEventListener("pointerup", drop);
	element.addEventListener("pointercancel", drop);

	/** @param {PointerEvent} event */
	function cellAt(event) {
		const box = element.getBoundingClientRect();
		const side = box.width / width;
		return rows[Math.floor((event.clientY - box.top) / side)]?.[Math.floor((event.clientX - box.left) / side)] ?? null;
	}

	if (onPoint) {
		for (const name of ["pointerover", "focusin"]) element.addEventListener(name, (event) => drag || onPoint(cellOf(event)));
		for (const name of ["pointerleave", "focusout"]) element.addEventListener(name, () => drag || onPoint(null));
	}

	return {
		element,
		focus,
		/** The cell that Tab leads to. */
		current: () => current,
		/** @param {Model} next */
		show(next) {
			const before = model;
			model = next;
			const same = ["files", "ranks", "orientation"].every((key) => Reflect.get(next, key) === Reflect.get(before, key));
			if (!same) lay();
			update();
			for (const player of PLAYERS) stand(player, same ? before[player] ?? null : null);
		},
	};
}
