/** Heuristics against the truth: what each scores and would play in the position, and whether that keeps the win. */

import { fill, h, write } from "./dom.js";
import { moveButton, problems, Question } from "./parts.js";
import { count, kind, value } from "./words.js";

/** How many equally good choices are listed. */
const LISTED = 2;

/** @param {Opinion} opinion @returns {[rank: number, Kind, words: string]} wrong ones come first */
function judge({ keeps_win }) {
	if (keeps_win === null) return [1, "unknown", "no win to keep, or not known"];
	return keeps_win ? [2, "win", "keeps the win"] : [0, "loss", "gives the win away"];
}

/** Whether nothing is said: so before the first placement. @param {Opinions} opinions */
const isSilent = ({ heuristics }) => heuristics.every(({ score, choices }) => score === null && !choices.length);

/** @param {Opinions} opinions */
function summed({ turn, winner, heuristics }) {
	const all = count(heuristics.length, "heuristic");
	if (!heuristics.some(({ choices }) => choices.length)) return "There is no move that a heuristic could choose.";
	if (winner === null) return `It is not known who wins, so none of ${all} can be judged.`;
	if (winner !== turn) return `Every move loses, so there is no win to keep. This is what ${all} would play.`;
	const [wrong, open] = [false, null].map((keeps) => heuristics.filter(({ keeps_win }) => keeps_win === keeps).length);
	if (!wrong && !open) return `All ${all} keep the win.`;
	const known = wrong ? `For ${wrong} of ${all} a losing move is the best one, or one of them.`
		: `None of ${all} is known to give the win away.`;
	return known + (open ? ` ${open} of them cannot be judged.` : "");
}

/** @type {Mountable["mount"]} */
function mount(container, { store }) {
	const question = new Question();
	let asked = "";
	const verdict = h("p", { role: "status" });
	const table = h("table");
	const problem = problems();
	const root = h("div", { id: "heuristics", class: "tight" }, problem.element, verdict, h("div", { class: "scroll" }, table));
	container.append(root);

	async function change() {
		const p = store.text();
		if (p === asked) return;
		asked = p;
		root.dataset["state"] = "loading";
		problem.tell();
		try {
			/** @type {Opinions | null} */
			const opinions = await question.ask("/heuristics", { p });
			if (!opinions) return;
			const silent = isSilent(opinions);
			write(verdict, silent ? "No heuristic speaks of the first placement." : summed(opinions));
			if (silent) fill(table);
			else draw(opinions);
		} catch (error) {
			problem.tell(error);
			fill(table);
		}
		root.dataset["p"] = p;
		root.dataset["state"] = "done";
	}

	/** @param {Opinions} opinions */
	function draw({ turn, heuristics }) {
		const head = ["heuristic", "score", "would play"].map((text) => h("th", { scope: "col" }, text));
		const rows = heuristics.sort((a, b) => judge(a)[0] - judge(b)[0]).map((opinion) => row(opinion, turn));
		fill(table, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
	}

	/** @param {Opinion} opinion @param {Player} turn */
	function row(opinion, turn) {
		const { heuristic, what, source, score, choices, keeps_win, choice_winners } = opinion;
		const [, verdict, words] = judge(opinion);
		const shown = choices.slice(0, LISTED)
			.map((cell) => moveButton(kind(choice_winners[cell], turn), cell, `Play ${cell}`, () => store.play(cell)));
		const rest = choices.length - shown.length;
		return h("tr", { "data-heuristic": heuristic, "data-choice": choices.join(" "), "data-keeps": String(keeps_win) },
			h("th", { scope: "row", title: `${words} (${source})` }, value(verdict), h("span", { class: "visually-hidden" }, words),
				h("code", {}, heuristic), h("span", { class: "small muted" }, what)),
			h("td", {}, score === null ? "–" : Math.round(score * 100) / 100),
			h("td", {}, shown, rest > 0 && h("span", { class: "small muted", title: choices.join(" ") }, ` +${rest}`)));
	}

	void change();
	const end = store.subscribe(change);
	return () => {
		end();
		question.stop();
		root.remove();
	};
}

/** @type {Mountable} */
export default { mount };
