/** The review of a game: who wins after every ply, as a chart, and the moves that gave a win away. */

import { fill, h, s, set, write } from "./dom.js";
import { numberOf } from "./history.js";
import { wins as winsOf } from "./match.js";
import { button, card, explore, moveButton, problems, Question } from "./parts.js";
import { textOf } from "./store.js";
import { count, kind, other, SIGNS } from "./words.js";

/** Where the line runs in a chart of height 6. */
const LEVELS = { win: 1, unknown: 3, loss: 5 };

/**
 * Reviews the game in the store, whichever it is, until the function that is returned is called.
 * @param {HTMLElement} container @param {Context} context @param {Record<Player, string>} names
 * @param {Player} seen whose wins are drawn upwards
 */
export function mountReview(container, context, names, seen) {
	const { store } = context;
	const question = new Question();
	/** @type {Review} */
	let review = { start_winner: null, plies: [] };
	let reviewed = "";

	const problem = problems();
	const summary = h("p", { role: "status" });
	const chart = s("svg", {
		class: "chart", role: "slider", tabindex: 0, preserveAspectRatio: "none", "aria-label": "Who wins after each ply",
	});
	const now = h("p", { class: "small" });
	const list = h("ol", { class: "tight blunders" });
	const title = h("h2", { class: "label" }, "Review");
	const root = card("Review", title, problem.element, summary, legend(seen), chart, legend(other(seen)), now, list);
	root.id = "review";
	container.append(root);

	/** @param {Player} winner */
	function legend(winner) {
		const value = kind(winner, seen);
		return h("p", { class: `small value ${value}` }, `${SIGNS[value]} ${wins(winner)}`);
	}

	/** @param {Player | null} winner */
	function wins(winner) {
		return winner ? winsOf(names[winner]) : "not known who wins";
	}

	async function load() {
		reviewed = store.whole();
		set(root, { "data-p": reviewed, "data-state": "loading" });
		problem.tell();
		write(summary, "Looking for the true value of every position…");
		try {
			const answer = await question.ask("/review", { p: reviewed }, (text) => write(summary, text));
			if (!answer) return;
			review = answer;
		} catch (error) {
			problem.tell(error);
			review = { start_winner: null, plies: [] };
		}
		const bad = review.plies.filter((ply) => ply.blunder);
		const open = review.plies.filter((ply) => !ply.winner).length;
		const unsolved = open ? ` ${count(open, "position")} could not be solved in time.` : "";
		const judged = `${bad.length ? count(bad.length, "move") : "No move"} gave a proven win away.${unsolved}`;
		write(summary, problem.element.hidden ? judged : "");
		fill(list, bad.map(blunder));
		draw();
		root.dataset["state"] = "done";
	}

	/** @param {ReviewedPly} ply */
	function blunder({ ply, move, player, better = [] }) {
		const { start, moves } = store.state;
		return h("li", { class: "row small", "data-ply": ply },
			button(`${numberOf(start, ply - 1)} ${move}??`, () => store.goto(ply), { class: "small-button" }),
			`by ${names[player]}${better.length ? ", instead of" : ""}`,
			better.map((cell) => moveButton("win", cell, `${cell} would have won`, () =>
				explore(context, textOf({ start, moves: [...moves.slice(0, ply - 1), cell] })))));
	}

	function draw() {
		const values = [review.start_winner, ...review.plies.map((ply) => ply.winner)].map((winner) => kind(winner, seen));
		set(chart, { viewBox: `0 0 ${values.length} 6`, "aria-valuemin": 0, "aria-valuemax": values.length - 1 });
		const plies = values.map((value, ply) => {
			const { winner, blunder } = review.plies[ply - 1] ?? { winner: review.start_winner, blunder: false };
			return s("g", { class: `ply ${value} ${blunder ? "blunder" : ""}`, "data-ply": ply, "data-winner": winner ?? "unknown" },
				s("rect", { class: "hit", x: ply, width: 1, height: 6 }),
				s("rect", { x: ply, y: Math.min(3, LEVELS[value]), width: 0.95, height: Math.abs(3 - LEVELS[value]) }));
		});
		const steps = values.map((value, ply) => `${ply ? "V" : "M0 "}${LEVELS[value]}H${ply + 1}`);
		const dots = review.plies.map((ply) => (ply.blunder ? `M${ply.ply} 3h0` : ""));
		const lines = { steps: steps.join(""), dots: dots.join(""), here: "" };
		fill(chart, plies, Object.entries(lines).map(([name, d]) => s("path", { class: name, d })));
		follow();
	}

	/** The store has changed: another ply is looked at, or another game. */
	function follow() {
		if (store.whole() !== reviewed) return void load();
		const { at } = store.state;
		const ply = review.plies[at - 1];
		const when = ply ? `Ply ${at}, ${ply.move}` : "At the start";
		const value = wins(ply ? ply.winner : review.start_winner) + (ply?.plies ? ` in ${ply.plies}` : "");
		write(now, `${when}: ${value}.${ply?.blunder ? " A blunder." : ""}`);
		set(chart, { "aria-valuenow": at, "aria-valuetext": now.textContent });
		chart.querySelector(".here")?.setAttribute("d", `M${at + 0.5} 0V6`);
	}

	chart.addEventListener("click", ({ target }) => {
		const ply = /** @type {Element} */ (target).closest("[data-ply]")?.getAttribute("data-ply");
		if (ply) void store.goto(Number(ply));
	});
	// The view binds ← and →, as for every list of plies; these are a slider's own.
	chart.addEventListener("keydown", (event) => {
		const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
		if (!step) return;
		event.preventDefault();
		void store.goto(store.state.at + step);
	});
	const end = store.subscribe(follow);
	void load();
	return () => {
		end();
		question.stop();
		root.remove();
	};
}
