/** The explorer: the value of every move, who wins and why, the main line. */

import { follow } from "./analysis.js";
import { boardModel, createBoard, flipped, knightIcon, rotated } from "./board.js";
import { createCopy } from "./copy.js";
import { fill, h, icon, iconButton, write } from "./dom.js";
import { createHistory, moveNumber } from "./history.js";
import { rove } from "./keys.js";
import { createOverlays } from "./overlays.js";
import { card } from "./parts.js";
import { sizeChooser } from "./size.js";
import { count, isPlacing, kind, known, marks, origin, outcome, sentence, value } from "./words.js";

/** @param {HTMLElement} root @param {Context} context */
function mount(root, context) {
	const { store, api, toast, status } = context;

	/** @type {Progress} */
	let progress = { state: "waiting", analysis: null, complete: false, waiting: null };
	/** The position whose analysis is followed. */
	let followed = "";
	let close = () => {};
	/** The cell under the pointer or with the focus. @type {string | null} */
	let pointed = null;
	/** The moves in the list, as text. */
	let listed = "";
	const flip = () => store.turn(flipped(store.orientation));
	const rotate = () => store.turn(rotated(store.orientation));

	const emblem = h("div", { class: "emblem", "aria-hidden": "true" });
	const verdict = h("p", { id: "sentence", class: "verdict", role: "status" });
	const effort = h("p", { class: "small muted" });
	const more = h("button", { id: "search-on", class: "small-button", onclick: () => look("1m") }, "Search longer");
	const boardBox = h("div", { class: "board-box" });
	const turning = [iconButton("flip", "Flip (f)", "flip", flip), iconButton("rotate", "Rotate (r)", "rotate", rotate)];
	const size = sizeChooser((board) => void store.open(board), "size");
	const players = h("dl", { class: "players" });
	const movesTitle = h("h2", { class: "label" });
	const moves = h("ol", { id: "moves" });
	const movesCard = card("Moves", movesTitle, moves);
	const line = h("ol", { id: "line", class: "plies" });
	const lineKind = h("p", { class: "small muted" });
	const step = h("button", { id: "line-step", class: "small-button", onclick: () => followLine(1) }, icon("forward"), "Step");
	const lineCard = card("Main line", h("header", { class: "row" }, label("Main line"), step), line, lineKind);
	const past = createHistory(store);
	const summary = h("summary", { class: "label" }, "Heuristics against the truth");
	const heuristics = h("details", { id: "heuristics-panel", class: "card part" }, summary);
	const board = createBoard(boardBox, {
		onCell: (cell) => void store.play(cell),
		onDrop: (from, to) => to && from === mover() && void store.play(to),
		onPoint: point,
	});
	const overlays = createOverlays(context, draw);
	const copy = createCopy(context, () => progress.analysis);
	const stops = { moves: rove(moves), line: rove(line) };

	root.classList.add("with-board", "explore");
	root.append(
		h("div", { class: "head" }, emblem, h("div", {}, verdict, h("div", { class: "row" }, effort, more))),
		h("div", { class: "board-column" }, boardBox,
			h("div", { class: "tools row" }, h("span", {}, past.buttons), h("span", {}, turning),
				h("label", { class: "row", for: "size" }, "Board", size.element)),
			overlays.element),
		h("div", { class: "stack side" }, players, movesCard, lineCard,
			card("Game", label("Game"), past.element), copy, heuristics),
	);

	for (const name of ["pointerover", "focusin", "pointerleave", "focusout"]) {
		const inside = name === "pointerover" || name === "focusin";
		moves.addEventListener(name, (event) => point(inside ? moveOf(event.target) : null));
	}

	function mover() {
		const { show } = store.state;
		return show?.[show.turn]?.cell ?? null;
	}

	/** @param {string | null} cell */
	function point(cell) {
		if (cell === pointed) return;
		pointed = cell;
		draw();
	}

	/** Another position, or it is seen from another side. */
	function change() {
		const { show, error } = store.state;
		if (error && api.connection.online) toast(error);
		if (!show || store.text() === followed) return draw();
		followed = store.text();
		root.dataset["p"] = followed;
		pointed = null;
		listed = "";
		size.show(show);
		past.update();
		fill(players, player(show, "first"), player(show, "second"));
		overlays.update();
		look(null);
	}

	/** Follows the analysis of the position; the one before is given up. @param {string | null} time */
	function look(time) {
		close();
		close = follow(followed, time, (news) => {
			progress = news;
			root.dataset["state"] = news.state;
			status("queue", news.waiting);
			drawAnalysis();
			draw();
		});
	}

	function draw() {
		const { show, moves, at } = store.state;
		if (!show) return;
		const { analysis } = progress;
		const model = boardModel(show, moves[at - 1], store.orientation);
		const from = mover();
		if (from && pointed && show.legal_moves.includes(pointed)) model.arrows = [{ from, to: pointed, kind: "move" }];
		// Which ply took a cell; the knights hide theirs.
		const taken = moves.slice(0, at).map((cell, index) => [cell, String(index + 1)]);
		model.notes = Object.fromEntries(taken.filter(([cell]) => cell !== model.first && cell !== model.second));
		model.marks = analysis ? marks(analysis) : Object.fromEntries(show.legal_moves.map((cell) => [cell, { kind: "unknown" }]));
		board.show(overlays.decorate(model, pointed));
	}

	function drawAnalysis() {
		const { analysis, state, complete } = progress;
		const searching = state !== "done";
		more.hidden = searching || complete || !analysis || analysis.seconds > 30;
		movesCard.hidden = analysis?.moves.length === 0;
		lineCard.hidden = !analysis?.line.length;
		if (!analysis) {
			for (const element of [verdict, effort, emblem, movesTitle, moves]) fill(element);
			listed = "";
			return;
		}
		const winner = known(analysis.winner);
		write(verdict, sentence(analysis, searching));
		write(effort, cost(analysis, searching));
		fill(emblem, winner && knightIcon(winner));
		drawMoves(analysis.moves, isPlacing(analysis), analysis.turn);
		drawLine(analysis);
	}

	/** @param {Judged[]} judged @param {boolean} placing @param {Player} turn */
	function drawMoves(judged, placing, turn) {
		const text = JSON.stringify([turn, judged]);
		if (text === listed) return;
		listed = text;
		const origins = new Set(judged.map((move) => origin(move.origin)));
		const [same] = origins.size === 1 ? origins : [""];
		write(movesTitle, count(judged.length, placing ? "placement" : "move") + (same && ` · ${same}`));
		moves.classList.toggle("many", placing);
		const focused = moveOf(document.activeElement);
		fill(moves, judged.map((one) => {
			const { move, winner, plies } = one;
			const words = outcome(one, turn);
			return h("li", { "data-move": move, "data-winner": winner ?? "unknown", "data-plies": plies ?? "" },
				h("button", { "aria-label": `${move}, ${words}`, onclick: () => void store.play(move) },
					value(kind(winner, turn)), h("b", {}, move), h("span", {}, placing ? plies : words),
					!placing && !same && h("span", { class: "origin small muted" }, origin(one.origin))));
		}));
		const again = focused ? moves.querySelector(`[data-move="${focused}"] button`) : null;
		stops.moves(again);
		if (again instanceof HTMLElement) again.focus();
	}

	/** @param {Analysis} analysis */
	function drawLine({ line: cells, line_complete, line_optimal }) {
		const { at, start } = store.state;
		fill(line, cells.map((cell, index) =>
			h("li", {}, moveNumber(start, at + index), h("button", { onclick: () => followLine(index + 1) }, cell))));
		stops.line();
		write(lineKind, !line_complete ? "The rest is not found yet."
			: line_optimal ? "Best play: the winner hurries, the loser delays."
				: "The winner's moves are proven; the loser's are the most stubborn found.");
	}

	/** @param {number} plies */
	function followLine(plies) {
		const next = progress.analysis?.line ?? [];
		const { moves, at } = store.state;
		// On a line that is followed already, a step is a step.
		if (plies === 1 && moves[at] === next[0]) void store.redo();
		else if (next.length > 0) void store.follow(next, plies);
	}

	// The heuristics are loaded when somebody opens them.
	let unmountHeuristics = () => {};
	heuristics.addEventListener("toggle", async () => {
		unmountHeuristics();
		unmountHeuristics = () => {};
		heuristics.querySelector("div")?.remove();
		if (!heuristics.open) return;
		const panel = h("div");
		heuristics.append(panel);
		const { default: view } = await import("./heuristics.js");
		if (panel.isConnected) unmountHeuristics = view.mount(panel, context);
	});

	/** @type {Bindings} */
	const bindings = {
		0: ["no overlay", () => overlays.choose("")],
		...past.bindings,
		l: ["one step along the main line", () => followLine(1)],
		f: ["flip the board", flip],
		r: ["rotate the board", rotate],
		b: ["to the board", () => board.focus(board.current())],
	};
	overlays.names.forEach((name, index) => {
		bindings[index + 1] = [index ? "" : `overlays: 1 to ${overlays.names.length}, in their order`, () => overlays.choose(name)];
	});
	const freeKeys = context.keys(bindings);
	const unsubscribe = store.subscribe(change);
	change();
	return () => {
		unsubscribe();
		freeKeys();
		close();
		overlays.stop();
		unmountHeuristics();
		status("queue", null);
	};
}

/** The move of the list that something belongs to. @param {EventTarget | null} target */
const moveOf = (target) => (target instanceof Element ? target.closest("#moves li")?.getAttribute("data-move") : null) ?? null;

/** @param {string} name */
const label = (name) => h("h2", { class: "label" }, name);

/** A player and what can be said about the knight. @param {Show} show @param {Player} player */
function player(show, player) {
	const knight = show[player];
	const toMove = show.turn === player && !show.winner;
	return h("div", { class: `player ${toMove ? "turn" : ""}`, "data-player": player },
		h("dt", {}, knightIcon(player), player, knight?.part && h("span", { class: "badge" }, knight.part)),
		h("dd", { class: "muted" }, knight ? `${count(knight.liberties, "move")} · region ${knight.region}` : "not placed yet"),
		h("dd", {}, toMove ? (knight ? "to move" : "to place") : show.winner === player && "has won"));
}

/** How much was searched. @param {Analysis} analysis @param {boolean} searching */
function cost({ nodes, seconds }, searching) {
	if (nodes === 0) return searching ? "Searching…" : "Known without a search.";
	return `${searching ? "Searching: " : ""}${count(nodes, "position")} in ${seconds.toFixed(1)} s.`;
}

/** @type {View} */
export default { name: "explore", title: "Explore", mount };
