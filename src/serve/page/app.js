/** The page around the views: addresses, navigation, messages. */

import * as api from "./api.js";
import { fill, h, set, write } from "./dom.js";
import explore from "./explore.js";
import { bind, help } from "./keys.js";
import { store } from "./store.js";
import { themeButton } from "./theme.js";

/** The views; all but the first are loaded when they are looked at. @type {Record<string, () => Promise<Module>>} */
const VIEWS = {
	explore: async () => ({ default: explore }),
	setup: () => import("./setup.js"),
	atlas: () => import("./atlas.js"),
	play: () => import("./play.js"),
	games: () => import("./games.js"),
	claims: () => import("./claims.js"),
};

const START = "7x7";

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {{view: View, unmount: () => void, params: Record<string, string>} | null} */
let mounted = null;
/** Counts the addresses: only the last one matters. */
let routes = 0;
/** How many addresses are being read: meanwhile, none is written. */
let reading = 0;

/** The address of a view with the position on the board, or with another one. @param {string} view @param {Params} [params] */
function href(view, params = {}) {
	const whole = store.whole();
	const { at, moves } = store.state;
	const here = params["p"] ? {} : { p: whole !== START && whole, at: at < moves.length && at };
	const query = api.query({ ...params, ...here });
	return `/${view}${query && `?${query}`}`;
}

/** @param {string} address */
function go(address) {
	history.pushState(null, "", address);
	void route();
}

/** Writes the position into the address. @param {"pushState" | "replaceState"} [how] */
function writeAddress(how = "pushState") {
	if (!mounted) return;
	const next = href(mounted.view.name, mounted.params);
	if (next !== location.pathname + location.search) history[how](null, "", next);
	for (const name of Object.keys(VIEWS)) set(byId(`nav-${name}`), { href: href(name) });
}

/** Shows what the address says. */
async function route() {
	const number = (routes += 1);
	const path = location.pathname.slice(1);
	const name = path in VIEWS ? path : "explore";
	const { p = START, at, ...params } = Object.fromEntries(new URLSearchParams(location.search));
	const [view] = await Promise.all([load(name), open(p, /^\d+$/.test(at ?? "") ? Number(at) : null)]);
	if (number !== routes || !view) return;
	const before = mounted;
	if (before?.view !== view.default) {
		mount(view.default, params);
	} else if (api.query(params) !== api.query(before.params)) {
		if (!view.default.update) mount(view.default, params);
		else view.default.update((before.params = params));
	}
	writeAddress("replaceState");
	requestAnimationFrame(() => (document.documentElement.dataset["ready"] = "1"));
}

/**
 * Loads a view; if the server is away, when it is back.
 * @param {string} name @param {boolean} [again] @returns {Promise<Module | undefined>}
 */
async function load(name, again = false) {
	try {
		return await VIEWS[name]?.();
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		api.connection.lost();
		await api.connection.back();
		if (!again) return load(name, true);
		// A new version of the server no longer has the files of this page.
		location.reload();
	}
}

/** Opens the position of an address, or says what is wrong with it. @param {string} p @param {number | null} at */
async function open(p, at) {
	const { show, moves } = store.state;
	if (show && store.whole() === p && (at ?? moves.length) === store.state.at) return;
	reading += 1;
	try {
		await store.open(p, at);
	} catch (error) {
		await api.connection.back();
		const gone = error instanceof api.ApiError && error.status === 0;
		if (!gone) toast(`The address holds no position: ${api.messageOf(error)}`);
		await store.open(gone ? p : START, gone ? at : null).catch(() => {});
	} finally {
		reading -= 1;
	}
}

/** @param {View} view @param {Record<string, string>} params */
function mount(view, params) {
	mounted?.unmount();
	const root = h("section", { id: `view-${view.name}`, class: "view" });
	fill(byId("main"), root);
	document.title = `${view.title} · Isolde`;
	for (const name of Object.keys(VIEWS)) set(byId(`nav-${name}`), { "aria-current": name === view.name && "page" });
	const here = (mounted = { view, params, unmount: () => {} });
	here.unmount = view.mount(root, {
		store, api, params, href, toast, status,
		navigate: (view, params) => go(href(view, params)),
		setParams(params) {
			here.params = Object.fromEntries(new URLSearchParams(api.query(params)));
			writeAddress();
		},
		keys: (bindings, title = view.title) => bind(title, bindings),
	});
	if (!root.querySelector("h1")) root.prepend(h("h1", { class: "visually-hidden" }, view.title));
}

let toasting = 0;

/** @param {string} text */
function toast(text) {
	const { classList } = byId("toast");
	byId("toast").textContent = text;
	classList.add("shown");
	clearTimeout(toasting);
	toasting = setTimeout(() => classList.remove("shown"), Math.max(2500, text.length * 60));
}

/** What the status line says, by what it is about. @type {Record<string, string | null>} */
const statuses = { connection: null };

/** @param {string} about @param {string | null} text */
function status(about, text) {
	statuses[about] = text;
	const shown = Object.values(statuses).find(Boolean);
	byId("status").hidden = !shown;
	write(byId("status"), shown);
}

byId("help").addEventListener("click", help);
bind("Everywhere", { "?": ["this list", help], t: ["light or dark", themeButton(byId("theme"))] });

document.addEventListener("click", (event) => {
	const link = /** @type {Element} */ (event.target).closest("a");
	if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
	if (link.origin !== location.origin || !(link.pathname.slice(1) in VIEWS)) return;
	event.preventDefault();
	go(link.href);
});
addEventListener("popstate", () => void route());
store.subscribe(() => reading || writeAddress());
api.connection.subscribe((online) => {
	status("connection", online ? null : "The server does not answer. The page goes on when it is back.");
	if (online) toast("The server is back.");
});
void route();
