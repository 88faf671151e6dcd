// A message as descriptions of elements.

import { h } from "./dom.js";
import { emoji, markdown } from "./markdown.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };
const BUTTON = 2;

/** `local` is what only this page knows of the message: the pressed control, and a failure. */
export function message(data, local, context) {
  const { author } = data;
  return [
    data.used && h("div", { class: "used" }, h("b", null, data.used.by), " used ", h("span", { class: "mention" }, `/${data.used.name}`)),
    h("div", { class: `avatar ${author.bot ? "bot" : `p${Number(author.id.slice(-2)) % 5}`}`, "aria-hidden": "true" }, author.name[0]),
    h(
      "div",
      { class: "body" },
      h("div", { class: "by" }, h("b", null, author.name), author.bot && h("span", { class: "tag" }, "APP"), h("time", null, clock(data.at))),
      data.thinking && h("div", { class: "small" }, `${author.name} is thinking…`),
      data.content && h("div", { class: "text" }, markdown(data.content, context)),
      data.components.map((c) => component(c, local, context)),
      local.failed && h("div", { class: "failed" }, local.failed),
      data.private && h("div", { class: "only" }, "Only you can see this · ", h("button", { type: "button", class: "as-link", "data-dismiss": "1" }, "Dismiss message")),
    ),
  ].filter(Boolean);
}

function clock(at) {
  return new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function component(c, local, context) {
  const inner = () => c.components.map((one) => component(one, local, context));
  switch (c.type) {
    case 1:
      return h("div", { class: "row" }, inner());
    case BUTTON:
      return button(c, local);
    case 3:
      return select(c, local);
    case 9:
      return h("div", { class: "section" }, h("div", null, inner()), component(c.accessory, local, context));
    case 10:
      return h("div", { class: "text" }, markdown(c.content, context));
    case 11:
      return picture(c.media, c.description, "thumbnail");
    case 12:
      return h("div", { class: `gallery of${Math.min(c.items.length, 3)}` }, c.items.map((i) => picture(i.media, i.description, "")));
    case 13:
      return h("div", { class: "file" }, decodeURIComponent(path(c.file.url).split("/").pop()));
    case 14:
      return h("hr", { class: `${c.divider === false ? "blank " : ""}${c.spacing === 2 ? "wide" : ""}` });
    case 17:
      return h("div", { class: "container" }, inner());
    default:
      return h("div", { class: "small" }, `The demo cannot show this part (${c.type}).`);
  }
}

function button(c, local) {
  const pending = local.pending.has(c.custom_id);
  const face = c.emoji && (c.emoji.id ? emoji(c.emoji.name, c.emoji.id, c.label) : h("span", { class: "sign", "aria-hidden": c.label ? "true" : null }, c.emoji.name));
  return h(
    "button",
    {
      type: "button",
      class: `button ${STYLES[c.style]}${pending ? " pending" : ""}`,
      disabled: Boolean(c.disabled),
      "aria-busy": pending ? "true" : null,
      "data-id": c.custom_id || null,
      title: c.url || null,
    },
    face,
    c.label && h("span", null, c.label),
  );
}

function select(c, local) {
  const chosen = c.options.find((o) => o.default);
  const words = (o) => `${o.emoji && !o.emoji.id ? `${o.emoji.name} ` : ""}${o.label}`;
  return h(
    "select",
    {
      class: local.pending.has(c.custom_id) ? "pending" : null,
      disabled: Boolean(c.disabled),
      "data-id": c.custom_id,
      "data-value": chosen ? chosen.value : "",
      "aria-label": c.placeholder || (chosen ? chosen.label : "Choose"),
    },
    !chosen && h("option", { value: "", hidden: "" }, c.placeholder || "Make a selection"),
    c.options.map((o) => h("option", { value: o.value }, words(o))),
  );
}

/** Pictures come from this page's own server, wherever the stand-in says they are. */
function picture(media, description, kind) {
  return h("img", { class: kind || null, src: path(media.url), alt: description || "" });
}

function path(url) {
  return new URL(url, location.href).pathname;
}
