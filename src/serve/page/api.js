/// <reference path="../page.d.ts" />
/** The server: questions, streams of events, and whether it is there at all. */

/** An answer that is not the one asked for. Status 0: the server does not answer. */
export class ApiError extends Error {
	/** @param {string} message @param {number} status @param {number | null} [retryAfter] in seconds */
	constructor(message, status, retryAfter = null) {
		super(message);
		this.status = status;
		this.retryAfter = retryAfter;
	}
}

/** Whether a request was only given up. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** A query string that people can read: `:`, `/`, `,` and `*` stand for themselves. @param {Params} params */
export function query(params) {
	const pairs = Object.entries(params).filter(([, value]) => value || value === 0);
	const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
	return text.replace(/%(3A|2F|2C)/g, decodeURIComponent).replace(/%20/g, "+");
}

/** The address of a question. @param {string} path such as `/show` @param {Params} [params] */
export function address(path, params = {}) {
	const asked = query(params);
	return `/api/v1${path}${asked && `?${asked}`}`;
}

/** Asks, and reads the answer as JSON. @type {Get} */
export const get = async (path, params, options = {}) => (await request(address(path, params), options)).json();

/** Asks, and reads the answer as text. @param {string} path @param {Params} [params] */
export const getText = async (path, params) => (await request(address(path, params), {})).text();

/** Sends a text as it is, anything else as JSON. @type {Post} */
export async function post(path, body, options) {
	const [type, text] = typeof body === "string" ? ["text/plain", body] : ["application/json", JSON.stringify(body)];
	return (await request(address(path), { method: "POST", headers: { "content-type": type }, body: text, ...options })).json();
}

const away = () => {
	connection.lost();
	return new ApiError("The server does not answer.", 0);
};

/** @param {string} url @param {RequestInit} init */
async function request(url, init) {
	const response = await fetch(url, init).catch((error) => {
		throw isAbort(error) ? error : away();
	});
	connection.found();
	if (response.ok) return response;
	const { error } = await response.json().catch(() => ({ error: `The server answers ${response.status}.` }));
	throw new ApiError(error, response.status, Number(response.headers.get("retry-after")) || null);
}

/**
 * Listens to server-sent events. The function that is returned closes the stream at once.
 * (Not an `EventSource`: that cannot read why it was refused, and asks again by itself.)
 * @param {string} path @param {Params} params @param {Handlers} handlers
 */
export function events(path, params, handlers) {
	const abort = new AbortController();
	const { signal } = abort;
	listen(address(path, params), handlers, signal).then(
		() => signal.aborted || handlers["end"]?.(null),
		(error) => signal.aborted || handlers["fail"]?.(error instanceof ApiError ? error : away()),
	);
	return () => abort.abort();
}

/** @param {string} url @param {Handlers} handlers @param {AbortSignal} signal */
async function listen(url, handlers, signal) {
	const { body } = await request(url, { signal, headers: { accept: "text/event-stream" } });
	const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	for (;;) {
		const { value, done } = (await reader?.read()) ?? { done: true, value: "" };
		if (done) return;
		const blocks = (text + value).split("\n\n");
		text = blocks.pop() ?? "";
		for (const block of blocks) {
			const [, name = "", data = ""] = /^event: ?(.*)\ndata: ?(.*)$/m.exec(block) ?? [];
			if (!signal.aborted) handlers[name]?.(JSON.parse(data));
		}
	}
}

/** Whether the server is there. Once it is lost, it is asked for its health until it answers. */
export const connection = {
	online: true,
	/** @type {Set<(online: boolean) => void>} */
	listeners: new Set(),

	/** @param {(online: boolean) => void} listener @returns {End} */
	subscribe(listener) {
		this.listeners.add(listener);
		return () => void this.listeners.delete(listener);
	},

	found() {
		if (!this.online) this.change(true);
	},

	lost() {
		if (!this.online) return;
		this.change(false);
		this.ask(500);
	},

	/** @param {boolean} online */
	change(online) {
		this.online = online;
		for (const listener of [...this.listeners]) listener(online);
	},

	/** @param {number} wait in milliseconds */
	ask(wait) {
		setTimeout(async () => {
			const response = await fetch(address("/health")).catch(() => null);
			if (response?.ok) this.found();
			else if (!this.online) this.ask(Math.min(wait * 1.5, 4000));
		}, wait);
	},

	/** Waits until the server is there. */
	async back() {
		if (!this.online) await new Promise((resolve) => {
			const end = this.subscribe(() => resolve(end()));
		});
	},
};
