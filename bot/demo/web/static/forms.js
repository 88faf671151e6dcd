// A form of the bot's: labelled lists and boxes in a dialog, sent in together.

import { said } from "./words.js";

const LIST = 3;

function element(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

function list(field) {
  const options = field.options.map(({ label, value, default: on }) => new Option(label, value, on, on));
  return element("select", { name: field.custom_id }, ...options);
}

function boxes(field) {
  const rows = field.options.map(({ label, value, default: on }) => {
    const box = element("input", { type: "checkbox", name: field.custom_id, value, defaultChecked: on });
    return element("label", { className: "box" }, box, ` ${label}`);
  });
  return element("div", {}, ...rows);
}

function row({ label, component }) {
  if (component.type !== LIST) {
    return element("fieldset", {}, element("legend", { textContent: label }), boxes(component));
  }
  return element("label", { className: "field" }, element("span", { textContent: label }), list(component));
}

/** `send(values)` gets by field what was chosen or ticked. */
export function open(form, send) {
  const cancel = element("button", { type: "button", textContent: said("cancel") });
  const submit = element("button", { type: "submit", className: "submit", textContent: said("submit") });
  const title = element("h2", { textContent: form.title });
  const fields = element("form", { method: "dialog" }, title, ...form.components.map(row));
  fields.append(element("div", { className: "ends" }, cancel, submit));
  const dialog = element("dialog", { className: "form" }, fields);
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  fields.addEventListener("submit", () => {
    const sent = new FormData(fields);
    const names = form.components.map(({ component }) => component.custom_id);
    send(Object.fromEntries(names.map((name) => [name, sent.getAll(name)])));
  });
  document.body.append(dialog);
  dialog.showModal();
}
