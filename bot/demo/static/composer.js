// The line at the bottom: `/` lists the commands, Enter runs one or says something.

import { h, patch } from "./dom.js";

const input = document.getElementById("text");
const list = document.getElementById("commands");
const trouble = document.getElementById("trouble");

/** `write(text, done)` sends what was typed. The returned object takes the list of commands. */
export function composer(write) {
  const state = { commands: [] };
  let marked = 0;

  function fitting() {
    const text = input.value;
    if (!text.startsWith("/")) return [];
    const typed = text.slice(1).toLowerCase();
    return state.commands.filter((c) => c.name.startsWith(typed.trimEnd()) || typed.startsWith(`${c.name} `));
  }

  function suggest() {
    const found = fitting();
    marked = Math.min(marked, Math.max(0, found.length - 1));
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (list.hidden) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `c${marked}`);
    patch(list, found.map((c, i) => line(c, i, i === marked)));
  }

  function line(command, i, chosen) {
    const options = command.options.map((o) => h("span", { class: "option" }, o.required ? `${o.name}:` : `[${o.name}:]`));
    return h(
      "li",
      { role: "option", id: `c${i}`, "aria-selected": String(chosen), "data-name": command.name },
      h("b", null, `/${command.name}`),
      options,
      h("span", { class: "small" }, command.description),
    );
  }

  function run(text) {
    input.value = "";
    trouble.textContent = "";
    suggest();
    const failed = text.startsWith("/") ? "The application did not respond" : "";
    write(text, ({ ok, why }) => {
      if (ok) return;
      trouble.textContent = why === "This interaction failed" ? failed || why : why;
      if (!input.value) input.value = text;
    });
  }

  /** A command that needs options is only completed; its options are typed after it. */
  function pick(command) {
    const full = `/${command.name}`;
    if (command.options.some((o) => o.required)) {
      input.value = `${full} ${command.options.filter((o) => o.required)[0].name}:`;
      input.focus();
      suggest();
    } else run(full);
  }

  input.addEventListener("input", suggest);
  input.addEventListener("keydown", (event) => {
    const found = fitting();
    if (!found.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      marked = (marked + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      suggest();
      event.preventDefault();
    } else if (event.key === "Tab" && !event.shiftKey) {
      input.value = `/${found[marked].name} `;
      suggest();
      event.preventDefault();
    } else if (event.key === "Escape") list.hidden = true;
  });
  document.getElementById("write").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    const found = fitting();
    const exact = found.some((c) => text === `/${c.name}` || text.startsWith(`/${c.name} `));
    if (found.length && !exact) pick(found[marked]);
    else run(text);
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-name]");
    if (chosen) pick(state.commands.find((c) => c.name === chosen.dataset.name));
  });
  return state;
}
