/** The atlas: who wins each board with complete openings, all its openings, and the exceptions to the colour law. */

import { createBoard } from "./board.js";
import { fill, h, write } from "./dom.js";
import { createMap, key } from "./openings-map.js";
import { button, card, explore, problems, Question, quiet } from "./parts.js";
import { count, kind, origin } from "./words.js";

/** The board that is shown if no other is asked for. */
const FIRST = "7x7";

const UNEXPLAINED = "No mirror explains these; they are proven move by move.";

/** @type {View["mount"]} */
function mount(root, context) {
	const question = new Question();
	/** @type {OpeningMap | null} */
	let openings = null;
	let first = context.params["first"] ?? "";

	const boards = h("ul", { id: "atlas-boards", "aria-label": "Boards" });
	const title = h("h2", { role: "status" });
	const problem = problems();
	const map = createMap(choose);
	const [replyTitle, replyFacts, replyBox] = [h("h3", { role: "status" }), quiet(""), h("div")];
	const board = createBoard(replyBox, { name: "Replies", onCell: (cell) => open(first, cell), label: labelled });
	const exceptions = h("div", { class: "tight" });
	root.classList.add("stack");
	root.append(boards, problem.element, title, h("div", { class: "maps" },
		card("All openings", h("h3", {}, "All openings"),
			quiet("One small board for each cell where the first player can place. Choose one to see the replies."), map.element, key()),
		card("Replies", replyTitle, replyFacts, replyBox, quiet("Choose a cell to explore that opening."))), exceptions);

	async function load() {
		/** @type {{boards: AtlasBoard[]} | null} */
		const atlas = await question.ask("/boards");
		if (!atlas) return;
		fill(boards, atlas.boards.map(entry));
		await show(context.params["board"] ?? FIRST);
	}

	/** @param {AtlasBoard} entry */
	function entry({ board, winner, openings, exceptions }) {
		const facts = [`${winner} wins`, count(openings, "opening"), count(exceptions, "exception")];
		const take = () => {
			context.setParams({ board });
			void wait(() => show(board));
		};
		return h("li", {}, h("button", { "data-board": board, onclick: take }, h("b", {}, board),
			facts.map((text) => h("span", { class: "small muted" }, text))));
	}

	/** @param {() => Promise<void>} work */
	async function wait(work) {
		root.dataset["state"] = "loading";
		problem.tell();
		try {
			await work();
		} catch (error) {
			problem.tell(error);
			root.dataset["state"] = "done";
		}
	}

	/** @param {string} name */
	async function show(name) {
		for (const button of boards.querySelectorAll("button")) {
			button.ariaPressed = String(button.dataset["board"] === name);
			if (button.dataset["board"] === name) button.scrollIntoView({ block: "nearest", inline: "center" });
		}
		openings = (await question.ask("/openings", { board: name })) ?? openings;
		if (openings?.board !== name) return;
		const { placements, sentence } = openings;
		write(title, sentence);
		map.show(...sides(), placements);
		if (!placements.some((placement) => placement.first === first)) {
			first = (placements.find(({ replies }) => replies.some((reply) => reply.exception)) ?? placements[0])?.first ?? "";
		}
		drawReplies();
		drawExceptions(openings);
		root.dataset["board"] = name;
		root.dataset["state"] = "done";
	}

	const sides = () => /** @type {[number, number]} */ (openings?.board.split("x").map(Number));

	const placement = () => openings?.placements.find((placement) => placement.first === first);

	/** @param {string} cell */
	function choose(cell) {
		first = cell;
		context.setParams({ board: openings?.board, first });
		drawReplies();
	}

	function drawReplies() {
		const { replies, stands_for } = placement() ?? { replies: [], stands_for: 1 };
		const [files, ranks] = sides();
		const won = replies.filter((reply) => reply.winner === "second").length;
		const odd = replies.filter((reply) => reply.exception);
		map.select(first);
		write(replyTitle, `First player on ${first}`);
		const alike = stands_for > 1 ? ` By symmetry, ${stands_for} cells are alike.` : "";
		write(replyFacts, `The second player wins ${won} of ${replies.length} replies.${alike}`);
		board.show({
			files, ranks, first, turn: "second", targets: replies.map((reply) => reply.second),
			marks: Object.fromEntries(replies.map(({ second, winner }) => [second, { kind: kind(winner, "second") }])),
			rings: Object.fromEntries(odd.map(({ second }) => [second, "exception"])),
		});
	}

	/** @param {string} cell */
	function labelled(cell) {
		const reply = placement()?.replies.find((reply) => reply.second === cell);
		if (!reply) return `${cell}, first knight`;
		return `${cell}, ${reply.winner ?? "not known who"} wins${reply.exception ? ", against the colour law" : ""}`;
	}

	/** Exceptions by the mirror that explains them. @param {OpeningMap} openings */
	function drawExceptions({ placements, exceptions: many }) {
		/** @type {Record<string, HTMLElement[]>} */
		const groups = {};
		for (const { first, replies } of placements) {
			for (const { second, winner, mirror } of replies.filter((reply) => reply.exception)) {
				const [name, after] = mirror?.split(" after ") ?? [];
				const how = after ? `${winner} plays ${after}` : `${winner} wins`;
				const why = name ? `Explained by a ${origin(name)}: the winner answers every move with its image.` : UNEXPLAINED;
				(groups[why] ??= []).push(button(`${first} ${second} · ${how}`, () => open(first, second), { class: "small-button" }));
			}
		}
		const parts = Object.entries(groups).map(([why, buttons]) =>
			card(why, h("p", { class: "small" }, why), h("div", { class: "row scroll" }, buttons)));
		fill(exceptions, many > 0 && h("h3", {}, `${count(many, "exception")} to the colour law`), parts);
	}

	/** @param {string} first @param {string} second */
	const open = (first, second) => explore(context, `${openings?.board}: ${first} ${second}`);

	void wait(load);
	return () => question.stop();
}

/** @type {View} */
export default { name: "atlas", title: "Atlas", mount };
