/** Light or dark: as the system says, until somebody chooses the other one. */

import { fill, icon, set } from "./dom.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const { dataset } = document.documentElement;

/** @returns {"sun" | "moon"} the icon of the theme that is not seen */
const next = () => ((dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark" ? "sun" : "moon");

/** @param {HTMLElement} button @returns {() => void} changes the theme */
export function themeButton(button) {
	const saved = localStorage.getItem("theme");
	if (saved) dataset["theme"] = saved;
	const draw = () => {
		const title = `Switch to the ${next() === "sun" ? "light" : "dark"} theme`;
		set(button, { title, "aria-label": title });
		fill(button, icon(next()));
	};
	const toggle = () => {
		const theme = next() === "sun" ? "light" : "dark";
		// A choice that agrees with the system is no choice: the page follows the system again.
		if ((theme === "dark") === system.matches) {
			delete dataset["theme"];
			localStorage.removeItem("theme");
		} else {
			localStorage.setItem("theme", (dataset["theme"] = theme));
		}
		draw();
	};
	button.addEventListener("click", toggle);
	system.addEventListener("change", draw);
	draw();
	return toggle;
}
