// The line at the bottom: `/` lists the commands, then their options; Enter runs or says something.

import { h, patch } from "./dom.js";

const input = document.getElementById("text");
const list = document.getElementById("commands");
const trouble = document.getElementById("trouble");

/** `write(text, done)` sends what was typed. The returned object takes the list of commands. */
export function composer(write) {
  const state = { commands: [] };
  let marked = 0;

  function run(text) {
    input.value = "";
    trouble.textContent = "";
    suggest();
    write(text, ({ ok, why }) => {
      if (ok) return;
      trouble.textContent = why;
      if (!input.value) input.value = text;
    });
  }

  function suggest() {
    const found = suggestions(state.commands, input.value);
    marked = Math.min(marked, Math.max(0, found.length - 1));
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (list.hidden) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `c${marked}`);
    patch(list, found.map((one, i) => line(one, i, i === marked)));
    const chosen = list.children[marked];
    if (chosen) chosen.scrollIntoView({ block: "nearest" });
    return found;
  }

  /** What can be run is run; all else is completed, to be typed on. */
  function pick(one) {
    if (one.runs) return run(one.text);
    input.value = one.text;
    input.focus();
    suggest();
  }

  input.addEventListener("input", suggest);
  input.addEventListener("keydown", (event) => {
    const found = list.hidden ? [] : suggestions(state.commands, input.value);
    if (!found.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      marked = (marked + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      suggest();
    } else if (event.key === "Tab" && !event.shiftKey) {
      input.value = found[marked].runs ? `${found[marked].text} ` : found[marked].text;
      suggest();
    } else if (event.key === "Escape") {
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
    } else return;
    event.preventDefault();
  });
  document.getElementById("write").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    const found = suggestions(state.commands, input.value);
    const begun = found.length && !list.hidden && !found.some((one) => one.exact);
    if (begun) pick(found[marked]);
    else run(text);
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    const chosen = target.closest("[data-number]");
    if (chosen) pick(suggestions(state.commands, input.value)[Number(chosen.dataset.number)]);
  });
  document.addEventListener("keydown", (event) => {
    const typed = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (typed && !document.activeElement.matches("input, select, button, a, summary")) input.focus();
  });
  return state;
}

/** What the line could become: `text`; whether that `runs` as it is; `exact`: it is typed already. */
function suggestions(commands, line) {
  if (!line.startsWith("/")) return [];
  const typed = line.slice(1).toLowerCase();
  const begun = commands.filter((c) => typed.startsWith(`${c.name} `)).sort((a, b) => b.name.length - a.name.length)[0];
  const choices = begun ? choicesOf(begun, line) : [];
  if (choices.length) return choices;
  return commands.filter((c) => c === begun || c.name.startsWith(typed.trimEnd())).map((command) => {
    const needed = command.options.find((o) => o.required);
    const text = `/${command.name}`;
    const exact = command === begun || line.trim() === text;
    return { title: text, about: command.description, options: command.options, exact, runs: !needed, text: needed ? `${text} ${needed.name}:` : text };
  });
}

/** The values of the option that the line ends with. */
function choicesOf(command, line) {
  const [before, name, begun] = (line.match(/^(.*\s(\S+):)\s*([^:]*)$/) || []).slice(1);
  const option = command.options.find((o) => o.name === name);
  if (!option) return [];
  const found = option.choices.filter((c) => c.toLowerCase().startsWith(begun.trim().toLowerCase()));
  return found.map((choice) => ({ title: choice, about: option.description, options: [], exact: choice === begun.trim(), runs: false, text: `${before}${choice}` }));
}

function line({ title, about, options }, i, chosen) {
  return h(
    "li",
    { role: "option", id: `c${i}`, "aria-selected": String(chosen), "data-number": String(i) },
    h("b", null, title),
    options.map((o) => h("span", { class: "option", title: o.description }, o.required ? `${o.name}:` : `[${o.name}:]`)),
    h("span", { class: "small" }, about),
  );
}
