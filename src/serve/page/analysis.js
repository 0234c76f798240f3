/** The analysis of a position while it improves. Broken streams are opened again. */

import { connection, events } from "./api.js";
import { count } from "./words.js";

/** Complete analyses by their positions, so that a step back costs nothing. @type {Map<string, Analysis>} */
const complete = new Map();
const KEPT = 200;
/** How many errors are taken for those of a server that stops, and may come back. */
const FORGIVEN = 3;

/**
 * Follows the analysis of a position until the function that is returned is called.
 * @param {string} p @param {string | null} time such as `1m`; null: the server's usual time
 * @param {(progress: Progress) => void} report
 */
export function follow(p, time, report) {
	const kept = complete.get(p) ?? null;
	/** @type {Progress} */
	let progress = { state: kept ? "done" : "waiting", analysis: kept, complete: kept !== null, waiting: null };
	/** @param {Partial<Progress>} news */
	const say = (news) => report((progress = { ...progress, waiting: null, ...news }));
	say({});

	let ended = kept !== null;
	let broken = false;
	let errors = 0;
	let close = () => {};
	let timer = 0;
	const open = () => {
		broken = false;
		close = events("/position/events", { p, time }, {
			waiting: ({ ahead }) => say({ waiting: `Waiting for a free solver, behind ${count(ahead, "other question")}.` }),
			analysis: (analysis) => say({ state: "searching", analysis }),
			done: (end) => {
				ended = true;
				if (end.complete && progress.analysis) keep(p, progress.analysis);
				say({ state: "done", complete: end.complete });
			},
			// The stream ends after it.
			error: ({ error }) => ((errors += 1) > FORGIVEN ? stop(error) : say({ waiting: error })),
			fail: ({ status, message, retryAfter }) => {
				broken = status === 0;
				if (ended || broken) return;
				if (status !== 503) return stop(message);
				const wait = retryAfter ?? 2;
				say({ waiting: `The server is busy. Asking again in ${count(wait, "second")}.` });
				timer = setTimeout(open, wait * 1000);
			},
			// The server went away politely.
			end: () => ended || (timer = setTimeout(open, 500)),
		});
	};
	/** @param {string} waiting */
	const stop = (waiting) => {
		ended = true;
		say({ state: "done", waiting });
	};
	const pause = () => {
		clearTimeout(timer);
		close();
	};
	const left = new AbortController();
	// A browser may keep a page that was left, in case somebody comes back. It does not search there.
	addEventListener("pagehide", pause, { signal: left.signal });
	addEventListener("pageshow", ({ persisted }) => persisted && !ended && open(), { signal: left.signal });
	const unsubscribe = connection.subscribe((online) => online && broken && !ended && open());
	if (!ended) open();
	return () => {
		ended = true;
		unsubscribe();
		left.abort();
		pause();
	};
}

/** @param {string} p @param {Analysis} analysis */
function keep(p, analysis) {
	complete.set(p, analysis);
	if (complete.size > KEPT) complete.delete([...complete.keys()][0] ?? "");
}
