/** The form for a new game: against whom, on which side, on which board, with how much time. */

import { h } from "./dom.js";
import { begin, limitParams, YOU } from "./match.js";
import { button, PLAYERS, problems } from "./parts.js";

/** Who comes first in the list of agents. */
const FAVOURITES = ["best", "perfect", "AB_Improved", "AB_next_moves", "MM_Improved", "Random"];
const BOARDS = ["5x5", "6x6", "7x7", "8x8", "11x9"];
const TIMES = ["150ms", "1s", "5s", "20s"];

/** @param {Context} context @param {() => void} started */
export function newGame({ store, api }, started) {
	const agents = h("datalist", { id: "agents" });
	// An empty field stands for the best player, so that the list offers all agents.
	const agent = field("play-agent", "Against", { list: "agents", placeholder: "best" });
	const rival = field("play-rival", "Second player", { list: "agents", placeholder: "best" });
	const board = field("play-board", "Board, line or position", { onchange: look }, BOARDS);
	const limit = field("play-time", "Limit for each move: a time, 20,000 nodes, or depth 7", { value: "1s" }, TIMES);
	const side = h("select", { id: "play-side", onchange: () => (rival.element.hidden = side.value !== "watch") },
		PLAYERS.map((value) => h("option", { value }, `you are the ${value} player`)),
		h("option", { value: "watch" }, "watch two agents"));
	const problem = problems();
	const start = h("button", { id: "play-start", class: "primary", type: "submit" }, "Start");
	const element = h("form", { class: "card stack", onsubmit: submit }, h("h2", {}, "New game"), agents, agent.element,
		h("div", { class: "field" }, h("label", { for: "play-side" }, "Side"), side),
		rival.element, board.element, limit.element, problem.element, start);
	rival.element.hidden = true;
	api.get("/agents").then(list, problem.tell);

	/**
	 * A field with a label, and texts that can be put into it.
	 * @param {string} id @param {string} label @param {Attributes} attributes @param {string[]} [texts]
	 */
	function field(id, label, attributes, texts = []) {
		const input = h("input", { id, autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attributes });
		/** @param {string} text */
		const take = (text) => {
			input.value = text;
			input.dispatchEvent(new Event("change"));
		};
		const chips = texts.map((text) => button(text, () => take(text), { class: "small-button" }));
		const element = h("div", { class: "field" }, h("label", { for: id }, label), input, h("div", { class: "row" }, chips));
		return { input, element };
	}

	/** @param {Catalogue} catalogue */
	function list({ agents: kinds, heuristics, all }) {
		/** @param {string} name */
		const what = (name) => {
			const scored = name.slice(3).toLowerCase();
			return (kinds.find(({ agent }) => agent === name) ?? heuristics.find(({ heuristic }) => heuristic === scored))?.what;
		};
		for (const name of new Set([...FAVOURITES, ...all])) agents.append(h("option", { value: name }, what(name)));
	}

	/** Shows the position on the board. */
	async function look() {
		problem.tell();
		if (board.input.value !== store.text()) await store.open(board.input.value).catch(problem.tell);
	}

	/** @param {Event} event */
	async function submit(event) {
		event.preventDefault();
		await look();
		if (store.state.show?.winner) problem.tell("The game is over in this position: choose another one.");
		if (!problem.element.hidden) return;
		const name = agent.input.value.trim() || "best";
		const first = side.value === "first" ? YOU : name;
		const second = side.value === "second" ? YOU : side.value === "first" ? name : rival.input.value.trim() || "best";
		const text = limit.input.value.trim();
		start.disabled = true;
		try {
			// Only the server knows what an agent and a limit are. On a tiny board it answers at once.
			for (const agent of [first, second]) if (agent !== YOU) await api.get("/move", { p: "2x1", agent, ...limitParams(text) });
			begin(store.state, { first, second }, text);
			started();
		} catch (error) {
			problem.tell(error);
		}
		start.disabled = false;
	}

	return {
		element,
		/** The position on the board has changed. */
		update() {
			if (document.activeElement !== board.input) board.input.value = store.text();
		},
	};
}
