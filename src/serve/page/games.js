/** Saved games: files of `isolde play` and `isolde tournament`, listed, replayed and reviewed. */

import { messageOf } from "./api.js";
import { boardModel, createBoard, knightIcon } from "./board.js";
import { fill, h, icon, write } from "./dom.js";
import { createHistory } from "./history.js";
import { begin, wins, YOU } from "./match.js";
import { button, card, PLAYERS, problems, quiet } from "./parts.js";
import { mountReview } from "./review.js";
import { count, other } from "./words.js";

/** How many games are listed at most. */
const LISTED = 300;

/** What the list can be narrowed to, in words and as a test. @type {Record<string, [string, (game: SavedGame) => unknown]>} */
const FILTERS = {
	all: ["all games", () => true],
	first: ["first player won", ({ winner }) => winner === "first"],
	second: ["second player won", ({ winner }) => winner === "second"],
	blunders: ["with blunders", ({ blunders }) => blunders?.length],
	unfinished: ["unfinished", ({ winner }) => !winner],
};

/** The games that were opened last: they stay while other views are looked at. @type {SavedGame[]} */
let games = [];
let name = "";

/** What is said about a game beside the names. @param {SavedGame} game */
function factsOf({ board, moves, winner, blunders }) {
	const facts = [`${board}, ${count(moves.length, "ply", "plies")}`, ...(winner ? [] : ["unfinished"])];
	return blunders?.length ? [...facts, `● ${count(blunders.length, "blunder")}`] : facts;
}

/** @param {SavedGame} game */
function endOf({ winner, end, limit, ...names }) {
	const result = winner ? `${wins(names[winner], "You")}: ${names[other(winner)]} ${end}` : "Unfinished";
	return `${result}. Limit per move: ${limit}.`;
}

/** @param {File} file */
async function textOf(file) {
	const bytes = await file.arrayBuffer();
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new Error("the file is not a text in UTF-8");
	}
}

/** @type {View["mount"]} */
function mount(root, context) {
	const { store, api, navigate, href } = context;
	let unmountReview = () => {};
	/** The game whose review is shown. */
	let reviewed = "";

	const input = h("input", {
		id: "games-file", class: "visually-hidden", type: "file", accept: ".json,.jsonl", onchange: () => void read(input.files?.[0]),
	});
	const drop = h("label", { class: "drop", for: "games-file" }, icon("open"), h("b", {}, "Open a file, or drop it here"),
		quiet("A game that Play or isolde play has saved, or all games of isolde tournament."));
	const problem = problems();
	const summary = h("p", { role: "status" });
	const player = h("input", {
		id: "games-player", type: "search", placeholder: "Player", "aria-label": "Player", oninput: drawList,
	});
	const filter = h("select", { id: "games-filter", "aria-label": "Which games", onchange: drawList },
		Object.entries(FILTERS).map(([value, [words]]) => h("option", { value }, words)));
	const list = h("ol", { id: "games-list", class: "scroll" });
	const listing = card("Games", summary, h("div", { class: "filters" }, player, filter), list);
	const boardBox = h("div", { class: "board-box" });
	const board = createBoard(boardBox, { name: "Board" });
	const history = createHistory(store);
	const tools = h("div", { class: "row", role: "toolbar", "aria-label": "Replay" }, history.buttons);
	const [title, ending] = [h("h2"), quiet("")];
	const explore = h("a", { class: "button" }, "Explore this position");
	const goOn = button("Go on with this game", resume);
	const replay = card("Game", title, ending, history.element, h("div", { class: "row" }, explore, goOn));
	const reviewBox = h("div", { class: "review-box" });
	root.classList.add("with-board", "with-review", "games");
	root.append(h("div", { class: "board-column" }, boardBox, tools),
		h("div", { class: "stack side" }, input, drop, problem.element, listing, replay), reviewBox);

	/** @param {File} [file] */
	async function read(file) {
		if (!file) return;
		problem.tell();
		root.dataset["state"] = "loading";
		try {
			const found = (await api.post("/games", await textOf(file))).games;
			if (found.length) [games, name] = [found, file.name];
			if (found[0]) await open(found[0]);
			else problem.tell(`${file.name} holds no game.`);
		} catch (error) {
			problem.tell(`${file.name}: ${messageOf(error)}`);
		}
		input.value = "";
		drawList();
	}

	function drawList() {
		root.dataset["state"] = games.length ? "done" : "empty";
		listing.hidden = games.length === 0;
		const wanted = player.value.toLowerCase();
		const found = games.filter((game) =>
			FILTERS[filter.value]?.[1](game) && `${game.first} ${game.second}`.toLowerCase().includes(wanted));
		const won = PLAYERS.map((player) => `${player} wins ${found.filter((game) => game.winner === player).length}`);
		const rest = found.length > LISTED ? ` The first ${LISTED} are listed.` : "";
		write(summary, `${name}: ${count(found.length, "game")}, ${won.join(", ")}.${rest}`);
		fill(list, found.slice(0, LISTED).map(entry));
	}

	/** @param {SavedGame} game */
	function entry(game) {
		const players = PLAYERS.map((player) =>
			h("span", { class: game.winner === player && "won" }, knightIcon(player), ` ${game[player]}`));
		const { first, second, winner, line } = game;
		const won = winner ? [wins(game[winner])] : [];
		const label = [`Game ${game.game}: ${first} against ${second}`, ...won, ...factsOf(game)].join(", ");
		return h("li", {}, h("button", {
			"data-game": game.game, "aria-current": line === store.whole() && "true", "aria-label": label, onclick: () => void open(game),
		},
			h("span", { class: "muted" }, game.game), h("span", {}, players),
			h("span", { class: "small muted" }, factsOf(game).map((text) => h("span", {}, text)))));
	}

	/** Opens a game at its first blunder, or where the players began. @param {SavedGame} game */
	async function open({ line, given, blunders }) {
		await store.open(line, blunders?.[0] ?? given);
		boardBox.scrollIntoView({ block: "nearest" });
	}

	const opened = () => games.find(({ line }) => line === store.whole());

	/** An unfinished game goes on in Play. */
	async function resume() {
		const game = opened();
		await store.goto(Infinity);
		if (game) begin(store.state, { first: game.first, second: game.second }, game.limit, game.given);
		navigate("play");
	}

	function draw() {
		const { show, moves, at } = store.state;
		if (!show) return;
		board.show({ ...boardModel(show, moves[at - 1] ?? null, store.orientation), targets: [] });
		explore.href = href("explore");
		history.update();
		if (store.whole() === reviewed) return;
		reviewed = store.whole();
		unmountReview();
		unmountReview = () => {};
		drawList();
		const isGame = moves.length > 0;
		replay.hidden = tools.hidden = !isGame;
		root.toggleAttribute("data-replay", isGame);
		if (!isGame) return;
		const game = opened();
		const names = game ?? { first: "the first player", second: "the second player" };
		write(title, game ? `${game.first} – ${game.second}` : "The game on the board");
		write(ending, game && endOf(game));
		goOn.hidden = !game || game.winner !== null;
		unmountReview = mountReview(reviewBox, context, names, names.second === YOU ? "second" : "first");
	}

	/** @param {DragEvent} event */
	function drag(event) {
		event.preventDefault();
		drop.classList.toggle("over", event.type === "dragover");
		if (event.type === "drop") void read(event.dataTransfer?.files[0]);
	}

	root.addEventListener("dragover", drag);
	root.addEventListener("dragleave", drag);
	root.addEventListener("drop", drag);
	const unbind = context.keys(history.bindings);
	drawList();
	draw();
	const end = store.subscribe(draw);
	return () => {
		end();
		unbind();
		unmountReview();
	};
}

/** @type {View} */
export default { name: "games", title: "Games", mount };
