/** Claims about the game, with verdicts that were computed and evidence that can be played through. */

import { fill, h, write } from "./dom.js";
import { evidenceParts, linked } from "./evidence.js";
import { explore, problems, Question, quiet } from "./parts.js";
import { count } from "./words.js";

/** The verdicts with their signs and looks. @type {Record<string, string[]>} */
const VERDICTS = {
	proved: ["✓", "win"],
	"holds with exceptions": ["≈", "mixed"],
	"depends on reading": ["±", "mixed"],
	refuted: ["✕", "loss"],
	measured: ["#", ""],
};

/** @param {string} verdict */
function badge(verdict) {
	const [sign, look] = VERDICTS[verdict] ?? ["?", ""];
	return h("span", { class: `badge judged ${look}` }, `${sign} ${verdict}`);
}

/** @type {View["mount"]} */
function mount(root, context) {
	const question = new Question();
	let verdict = "";
	const filters = h("div", { class: "row", role: "group", "aria-label": "Verdicts" });
	const shown = h("p", { class: "small muted", role: "status" });
	const list = h("div", { class: "stack" });
	const problem = problems();
	root.classList.add("stack", "claims");
	root.dataset["state"] = "loading";
	root.append(h("p", { class: "muted" }, "What people have said about the game, and what is true of it. ",
		"Every verdict was computed, and every line can be opened on the board."), problem.element, filters, shown, list);

	async function load() {
		try {
			/** @type {Claim[]} */
			const claims = (await question.ask("/claims")) ?? [];
			fill(list, claims.map(entry));
			fill(filters, Object.keys(VERDICTS).map((name) =>
				h("button", { class: "small-button", "data-verdict": name, onclick: () => choose(name) },
					badge(name), claims.filter((claim) => claim.verdict === name).length)));
			choose("");
			list.querySelector("[open]")?.scrollIntoView();
		} catch (error) {
			problem.tell(error);
		}
		root.dataset["state"] = "done";
	}

	/** @param {string} name */
	function choose(name) {
		verdict = verdict === name ? "" : name;
		/** @param {Element} element */
		const fits = (element) => element.getAttribute("data-verdict") === verdict;
		for (const button of filters.children) button.ariaPressed = String(fits(button));
		for (const claim of list.children) claim.toggleAttribute("hidden", verdict !== "" && !fits(claim));
		write(shown, count(list.querySelectorAll(".claim:not([hidden])").length, "claim"));
	}

	/** @param {Claim} claim */
	function entry(claim) {
		const open = claim.id === context.params["claim"];
		const details = h("details", { class: "card claim", "data-claim": claim.id, "data-verdict": claim.verdict, open },
			h("summary", { class: "tight" }, h("span", { class: "row small muted" }, badge(claim.verdict), claim.source),
				h("b", {}, claim.says), quiet(claim.summary)),
			open && body(claim));
		details.addEventListener("toggle", () => {
			// Most claims are never opened, so the rest is made only then.
			if (details.open && details.children.length === 1) details.append(body(claim));
			if (details.open) context.setParams({ claim: claim.id });
		});
		return details;
	}

	/** @type {OpenLine} */
	const open = (line, at) => explore(context, line, at);

	/** @param {Claim} claim */
	function body({ published, reading, summary, evidence, readings, command, commands }) {
		const told = Object.entries({ Published: published, "Read as": reading, Found: summary });
		return h("div", { class: "tight" },
			h("dl", {}, told.flatMap(([name, text]) => [h("dt", { class: "small muted" }, name), h("dd", {}, linked(text, open))])),
			evidenceParts(evidence, open),
			readings.map(({ statement, verdict, summary, evidence }) => h("section", { class: "reading tight" },
				h("h3", {}, badge(verdict), " ", linked(statement, open)), h("p", {}, linked(summary, open)),
				evidenceParts(evidence, open))),
			quiet("On the command line:"), [command, ...commands].map((text) => h("code", {}, linked(text, open))));
	}

	void load();
	return () => question.stop();
}

/** @type {View} */
export default { name: "claims", title: "Claims", mount };
