/** Playing against an agent, or watching two of them. */

import { follow } from "./analysis.js";
import { messageOf } from "./api.js";
import { boardModel, createBoard, knightIcon } from "./board.js";
import { fill, h, set, write } from "./dom.js";
import { createHistory } from "./history.js";
import { limitParams, match, resultOf, setMatch, YOU } from "./match.js";
import { newGame } from "./new-game.js";
import { button, card, PLAYERS, Question, quiet, sleep } from "./parts.js";
import { mountReview } from "./review.js";
import { textOf } from "./store.js";
import { marks, origin, other, sentence, value } from "./words.js";

/** Between the moves of two agents, so that one can follow them, in milliseconds. */
const PAUSE = 400;

/** @type {View["mount"]} */
function mount(root, context) {
	const { store, toast, api } = context;
	const thinking = new Question();
	/** The match, while it is the game on the board. @type {Match | null} */
	let game = match()?.line === store.whole() ? match() : null;
	/** The position whose move was asked for. */
	let asked = "";
	let paused = false;
	/** The values of your moves, when you have asked for them. @type {Analysis | null} */
	let hint = null;
	let endHint = () => {};
	/** @type {(() => void) | null} */
	let unmountReview = null;

	const boardBox = h("div", { class: "board-box" });
	const board = createBoard(boardBox, {
		name: "Board", onCell: move, onDrop: (_, to) => to && move(to),
	});
	const history = createHistory(store);
	const seats = h("ul", { class: "seats" });
	const says = h("p", { class: "says", role: "status" });
	const result = h("p", { id: "play-result", class: "row result", role: "status" });
	const note = quiet("");
	const hinted = h("p", { class: "small", role: "status" });
	const file = h("a", { id: "play-file", class: "small" });
	const buttons = {
		hint: button("Hint", toggleHint, { id: "play-hint", title: "The proven values of your moves (h)" }),
		takeback: button("Take back", takeBack, { id: "play-takeback", title: "Your last move and the reply to it (b)" }),
		resign: button("Resign", resign, { id: "play-resign" }),
		pause: button("", () => pause(!paused), { id: "play-pause" }),
		save: button("Save", save, { id: "play-save" }),
		leave: button("New game", leave, { id: "play-new" }),
	};
	const resume = button("", () => start(match()?.line), { class: "notice" });
	const form = newGame(context, () => start(match()?.line));
	const panel = h("div", { class: "stack" },
		card("Game", seats, result, says, note, h("div", { class: "row" }, Object.values(buttons)), hinted, file),
		card("Moves", h("h2", { class: "label" }, "Moves"), history.element));
	const reviewBox = h("div", { class: "review-box" });
	root.classList.add("with-board", "with-review");
	root.append(h("div", { class: "board-column" }, boardBox),
		h("div", { class: "stack side" }, resume, form.element, panel), reviewBox);

	/** How the match ended. */
	const ended = () => (game?.ended?.line === store.whole() ? game.ended : null);

	/** Whether you are to move in the position on the board. */
	const yours = () => !ended() && store.state.show !== null && game?.players[store.state.show.turn] === YOU;

	/** Whether two agents play. */
	const watched = () => !Object.values(game?.players ?? {}).includes(YOU);

	/** Goes on with the match that has been saved. @param {string} [line] */
	async function start(line = "") {
		if (store.whole() !== line) await store.open(line);
		game = match();
		paused = false;
		change();
		board.focus(board.current());
	}

	/** Plays a move. Those that came after this ply before are dropped. @param {string} cell */
	function move(cell) {
		const { start, moves, at, show } = store.state;
		if (!yours() || !show?.legal_moves.includes(cell)) return;
		void store.open(textOf({ start, moves: [...moves.slice(0, at), cell] }));
	}

	/** Lets the agent whose turn it is choose its move. */
	async function think() {
		const { show, at, moves } = store.state;
		const agent = show && game?.players[show.turn];
		const p = store.text();
		if (!game || !agent || agent === YOU || paused || at < moves.length || ended()) {
			asked = "";
			return thinking.stop();
		}
		if (p === asked) return;
		asked = p;
		try {
			const params = { p, agent, ...limitParams(game.limit), seed: Math.floor(Math.random() * 2 ** 32) };
			const answer = thinking.ask("/move", params, (text) => write(says, text));
			const [chosen] = /** @type {[ChosenMove | null, unknown]} */ (await Promise.all([answer, watched() && sleep(PAUSE)]));
			if (!chosen || p !== asked) return;
			asked = "";
			game.notes[`${p} ${chosen.move}`] = rests(agent, chosen);
			await store.play(chosen.move);
		} catch (error) {
			pause(true);
			write(says, messageOf(error));
		}
	}

	/** What a move rests on. @param {string} agent @param {ChosenMove} chosen */
	function rests(agent, { move, proven, winner, plies, by, score }) {
		const why = proven ? `it is proven that the ${winner} player wins${plies ? ` in ${plies}` : ""}, by ${origin(by)}` : by;
		return `${agent} chose ${move}: ${why}${score === null ? "" : `, score ${Math.round(score * 100) / 100}`}.`;
	}

	/** @param {boolean} next */
	function pause(next) {
		paused = next;
		draw();
		void think();
	}

	/** The ply to which your last move is taken back; -1 if there is none. */
	function backTo() {
		const { show, at, moves } = store.state;
		let ply = (ended() ? moves.length : at) - 1;
		/** @param {number} ply */
		const mover = (ply) => (show && (at - ply) % 2 ? other(show.turn) : show?.turn);
		while (game && ply >= game.given && game.players[mover(ply) ?? "first"] !== YOU) ply -= 1;
		return game && ply >= game.given ? ply : -1;
	}

	function takeBack() {
		const ply = backTo();
		if (!game || ply < 0) return;
		game.ended = null;
		void store.open(store.text(ply));
	}

	function resign() {
		const you = PLAYERS.find((player) => game?.players[player] === YOU);
		if (game && you) game.ended = { winner: other(you), end: "resigned", line: store.whole() };
		change();
	}

	function leave() {
		const opening = game?.opening ?? "";
		game = null;
		setMatch(null);
		void store.open(opening);
	}

	function toggleHint() {
		const open = buttons.hint.ariaPressed === "true";
		closeHint();
		if (open) return draw();
		buttons.hint.ariaPressed = "true";
		endHint = follow(store.text(), null, ({ analysis, waiting, state }) => {
			hint = analysis;
			write(hinted, waiting ?? (analysis ? sentence(analysis, state !== "done") : "Looking…"));
			draw();
		});
	}

	function closeHint() {
		endHint();
		hint = null;
		hinted.textContent = "";
		buttons.hint.ariaPressed = "false";
	}

	async function save() {
		if (!game) return;
		const { players, limit, given } = game;
		const { winner, end } = ended() ?? { winner: null, end: "unfinished" };
		try {
			const record = await api.post("/record", { ...players, limit, given, line: store.whole(), end, winner });
			file.href = `data:application/json,${encodeURIComponent(`${JSON.stringify(record)}\n`)}`;
			file.download = file.textContent = `isolde-${store.state.show?.board}-${players.first}-${players.second}.json`;
			file.click();
		} catch (error) {
			toast(messageOf(error));
		}
	}

	/** The store or the match has changed. */
	function change() {
		const { state } = store;
		if (game && textOf(state, game.given) !== game.opening) game = null;
		if (game) {
			// The back button takes moves away. An agent that answered at once would make it useless.
			if (store.whole() !== game.line) paused = game.line.startsWith(store.whole());
			game.line = store.whole();
			const winner = state.at === state.moves.length && state.show?.winner;
			if (winner && !ended()) game.ended = { winner, end: "stuck", line: game.line };
			setMatch(game);
		}
		closeHint();
		file.textContent = "";
		draw();
		void think();
	}

	function draw() {
		const { show, moves, at } = store.state;
		if (!show) return;
		const over = ended();
		const left = game ? null : match();
		root.dataset["state"] = !game ? "setup" : over ? "over" : yours() ? "yours" : "thinking";
		panel.hidden = !game;
		form.element.hidden = Boolean(game);
		resume.hidden = !left;
		resume.textContent = left && `Go on with the game of ${left.players.first} and ${left.players.second}`;
		const model = boardModel(show, moves[at - 1] ?? null, store.orientation);
		board.show({ ...model, targets: yours() ? show.legal_moves : [], marks: hint ? marks(hint) : {} });
		drawReview(Boolean(over));
		if (!game) return form.update();
		const { players, limit, notes } = game;
		fill(seats, PLAYERS.map((player) => h("li", { class: `row ${!over && show.turn === player ? "turn" : ""}` },
			knightIcon(player), h("b", {}, players[player]), players[player] !== YOU && quiet(`${limit} a move`))));
		const sign = over && (watched() ? knightIcon(over.winner) : value(players[over.winner] === YOU ? "win" : "loss"));
		fill(result, sign, over && resultOf(game, over));
		set(result, { hidden: !over, "data-winner": over?.winner });
		const theirs = `${players[show.turn]} is ${at < moves.length || paused ? "to move." : "thinking…"}`;
		write(says, over ? "" : yours() ? `Your turn: ${show[show.turn] ? "move" : "place your knight"}.` : theirs);
		write(note, notes[`${store.text(at - 1)} ${moves[at - 1]}`]);
		buttons.hint.hidden = buttons.resign.hidden = watched() || Boolean(over);
		buttons.hint.disabled = !yours();
		buttons.takeback.hidden = watched();
		buttons.takeback.disabled = backTo() < 0;
		buttons.pause.hidden = Boolean(over) || yours() || !(watched() || paused);
		buttons.pause.textContent = paused ? "Go on" : "Pause";
		buttons.save.disabled = show.line === null;
		set(buttons.save, { title: buttons.save.disabled && "This game began from a diagram: only a line of play can be saved." });
		history.update();
	}

	/** @param {boolean} wanted */
	function drawReview(wanted) {
		if (wanted === Boolean(unmountReview)) return;
		unmountReview?.();
		const seen = game?.players.second === YOU ? "second" : "first";
		unmountReview = wanted && game ? mountReview(reviewBox, context, game.players, seen) : null;
	}

	const unbind = context.keys({
		h: ["the values of your moves", () => yours() && toggleHint()],
		b: ["take back your last move", takeBack],
		...history.bindings,
	});
	change();
	const end = store.subscribe(change);
	return () => {
		end();
		unbind();
		endHint();
		thinking.stop();
		unmountReview?.();
	};
}

/** @type {View} */
export default { name: "play", title: "Play", mount };
