// The line at the bottom: `/` lists the commands, then their options; Enter runs or says something.

import { h, patch } from "./dom.js";

const input = document.getElementById("text");
const list = document.getElementById("commands");
const trouble = document.getElementById("trouble");

const PAUSE = 80; // ms without a key after which the bot is asked for values

/**
 * `write(text, done)` sends what was typed. The returned object takes the list of `commands`, and `ask(text, done)`:
 * it gets the values that the bot suggests for the option that a text ends with.
 */
export function composer(write) {
  const state = { commands: [], ask: null };
  let offered = { text: "", choices: [] };
  let waiting = null;
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

  const found = () => suggestions(state.commands, input.value, offered.text === input.value ? offered.choices : []);

  /** Asks for values once nobody has typed for a moment. An answer to what is no longer there is dropped. */
  function look() {
    const text = input.value;
    clearTimeout(waiting);
    if (offered.text === text || !asks(state.commands, text)) return;
    waiting = setTimeout(() => state.ask(text, ({ choices }) => {
      if (input.value !== text) return;
      offered = { text, choices: choices || [] };
      suggest();
    }), PAUSE);
  }

  function suggest() {
    look();
    const all = found();
    marked = Math.min(marked, Math.max(0, all.length - 1));
    list.hidden = !all.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (list.hidden) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `c${marked}`);
    patch(list, all.map((one, i) => line(one, i, i === marked)));
    const chosen = list.children[marked];
    if (chosen) chosen.scrollIntoView({ block: "nearest" });
    return all;
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
    const all = list.hidden ? [] : found();
    if (!all.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      marked = (marked + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length;
      suggest();
    } else if (event.key === "Tab" && !event.shiftKey) {
      input.value = all[marked].runs ? `${all[marked].text} ` : all[marked].text;
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
    const all = found();
    const begun = all.length && !list.hidden && !all.some((one) => one.exact);
    if (begun) pick(all[marked]);
    else run(text);
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    const chosen = target.closest("[data-number]");
    if (chosen) pick(found()[Number(chosen.dataset.number)]);
  });
  document.addEventListener("keydown", (event) => {
    const typed = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (typed && !document.activeElement.matches("input, select, button, a, summary")) input.focus();
  });
  return state;
}

/**
 * What the line could become: `text`; whether that `runs` as it is; `exact`: it is typed already. `offered`: the
 * values that the bot suggests for the option that the line ends with.
 */
function suggestions(commands, line, offered) {
  if (!line.startsWith("/")) return [];
  const typed = line.slice(1).toLowerCase();
  const begun = commandOf(commands, line);
  const choices = begun ? choicesOf(begun, line, offered) : [];
  if (choices.length) return choices;
  const options = begun ? optionsOf(begun, line) : [];
  if (options.length && !line.endsWith(" ")) return options;
  const found = commands.filter((c) => c === begun || c.name.startsWith(typed.trimEnd())).map((command) => {
    const needed = command.options.find((o) => o.required);
    const text = `/${command.name}`;
    const exact = command === begun || line.trim() === text;
    return { title: text, about: command.description, options: command.options, exact, runs: !needed, text: needed ? `${text} ${needed.name}:` : text };
  });
  return [...found, ...options];
}

/** The longest command that the line begins with. */
function commandOf(commands, line) {
  const typed = line.slice(1).toLowerCase();
  return commands.filter((c) => typed.startsWith(`${c.name} `)).sort((a, b) => b.name.length - a.name.length)[0];
}

/** The option that the line ends with, what stands before its value, and the value so far. */
function lastOption(command, line) {
  const [before, name, begun] = (line.match(/^(.*\s(\S+):)\s*([^:]*)$/) || []).slice(1);
  return { option: command.options.find((o) => o.name === name), before, begun };
}

/** Whether the bot suggests values for the option that the line ends with. */
function asks(commands, line) {
  const command = line.startsWith("/") && commandOf(commands, line);
  const { option } = command ? lastOption(command, line) : {};
  return Boolean(option && option.asks);
}

/** The values of the option that the line ends with. */
function choicesOf(command, line, offered) {
  const { option, before, begun } = lastOption(command, line);
  if (!option) return [];
  const found = option.asks ? offered : option.choices.filter((c) => c.toLowerCase().startsWith(begun.trim().toLowerCase())).map((c) => ({ name: c, value: c }));
  return found.map(({ name, value }) => ({ title: name, about: option.description, options: [], exact: value === begun.trim(), runs: false, text: `${before}${value}` }));
}

/** The options that the line's last word begins, of those that it doesn't have yet. */
function optionsOf(command, line) {
  const [, before, begun] = line.match(/^(.*\s)([^\s:]*)$/) || [];
  if (before === undefined) return [];
  const found = command.options.filter((o) => o.name.startsWith(begun.toLowerCase()) && !line.includes(` ${o.name}:`));
  return found.map((o) => ({ title: `${o.name}:`, about: o.description, options: [], exact: false, runs: false, text: `${before}${o.name}:` }));
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
