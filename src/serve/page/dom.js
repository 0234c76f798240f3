/** Elements, made without ever reading text as markup. */

/** Functions are listeners; `false` and `null` take an attribute away. @param {Element} element @param {Attributes} attributes */
export function set(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
		else if (value === false || value === null || value === undefined) element.removeAttribute(name);
		else element.setAttribute(name, value === true ? "" : String(value));
	}
}

/** Replaces all children; `false` and `null` are none. @param {Element} element @param {Children} children */
export function fill(element, ...children) {
	const kept = children.flat().filter((child) => child !== false && child !== null && child !== undefined);
	element.replaceChildren(...kept.map((child) => (child instanceof Node ? child : String(child))));
}

/** Fills a new element. @template {Element} T @param {T} element @param {Attributes} attributes @param {Children} children */
function made(element, attributes, children) {
	set(element, attributes);
	fill(element, ...children);
	return element;
}

/** An element of HTML. @type {H} */
export const h = (tag, attributes = {}, ...children) =>
	made(document.createElement(tag), tag === "button" ? { type: "button", ...attributes } : attributes, children);

/** An element of SVG. @type {S} */
export const s = (tag, attributes = {}, ...children) =>
	made(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Writes a text that is another one; none is read aloud twice. @param {Element | null} element @param {string | null} [text] */
export function write(element, text) {
	if (element && element.textContent !== (text ?? "")) element.textContent = text ?? "";
}

/** Strokes in a square of 24. */
const ICONS = {
	first: "M6 5v14M19 6l-8 6 8 6z",
	back: "M15 5l-7 7 7 7",
	forward: "M9 5l7 7-7 7",
	last: "M18 5v14M5 6l8 6-8 6z",
	flip: "M12 3v18M9 7l-5 5 5 5M15 7l5 5-5 5",
	rotate: "M19 12a7 7 0 1 1-2.5-5.4M17 2.5v4.6h-4.6",
	sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M5 19l1-1M18 6l1-1",
	moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
	win: "M5 12.5l4.5 4.5L19 7",
	loss: "M7 7l10 10M17 7L7 17",
	unknown: "M12 12h.01",
	center: "M4 4h16v16H4zM12 11v2",
	vertical: "M4 4h16v16H4zM12 4v16",
	horizontal: "M4 4h16v16H4zM4 12h16",
	diagonal: "M4 4h16v16H4zM4 20L20 4",
	antidiagonal: "M4 4h16v16H4zM4 4l16 16",
	copy: "M9 9h11v11H9zM5 15H4V4h11v1",
	open: "M12 16V5M7 9l5-5 5 5M5 20h14",
};

/** An icon that is only decoration: what stands beside it has a name. @param {keyof typeof ICONS} name */
export const icon = (name) =>
	s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** @param {string} id @param {string} title @param {keyof typeof ICONS} picture @param {() => unknown} act */
export const iconButton = (id, title, picture, act) =>
	h("button", { id, class: "icon-only", "aria-label": title, title, onclick: () => void act() }, icon(picture));
