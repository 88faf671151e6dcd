// A message as descriptions of elements.

import { h } from "./dom.js";
import { emoji, markdown, when } from "./markdown.js";
import { avatar } from "./people.js";
import { language, pieces, said } from "./words.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };
const BUTTON = 2;

/** `local` is what only this page knows of the message: the pressed control, and a failure. */
export function message(data, local, context) {
  const { author } = data;
  return [
    data.used && used(data.used),
    avatar(author),
    h(
      "div",
      { class: "body" },
      h("div", { class: "by" }, h("b", null, author.name), author.bot && h("span", { class: "tag" }, "APP"), h("time", { datetime: new Date(data.at * 1000).toISOString() }, when(data.at, "t"))),
      data.thinking && h("div", { class: "small" }, said("thinking", { name: author.name })),
      data.content && h("div", { class: "text" }, markdown(data.content, context)),
      data.attachments.map((one) => attachment(one)),
      data.components.map((c) => component(c, local, context)),
      local.failed && h("div", { class: "failed" }, local.failed),
      data.private && h("div", { class: "only" }, `${said("only_you")} · `, h("button", { type: "button", class: "as-link", "data-dismiss": "1" }, said("dismiss"))),
    ),
  ].filter(Boolean);
}

function used({ by, id, name }) {
  const command = h("span", { class: "mention" }, `/${name}`);
  return h("div", { class: "used" }, avatar({ id, name: by }, "small"), h("span", null, pieces("used", { name: h("b", null, by), command })));
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
    case 8:
      return channels(c, local, context);
    case 9:
      return h("div", { class: "section" }, h("div", null, inner()), component(c.accessory, local, context));
    case 10:
      return h("div", { class: "text" }, markdown(c.content, context));
    case 11:
      return picture(c.media, c.description, "thumbnail");
    case 12:
      return h("div", { class: `gallery of${Math.min(c.items.length, 3)}` }, c.items.map((i) => picture(i.media, i.description, "")));
    case 13:
      return attachment({ url: c.file.url, name: c.name || last(c.file.url), size: c.size });
    case 14:
      return h("hr", { class: `${c.divider === false ? "blank " : ""}${c.spacing === 2 ? "wide" : ""}` });
    case 17:
      return h("div", { class: "container" }, inner());
    default:
      return h("div", { class: "small" }, said("no_part"));
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
      "aria-label": c.placeholder || (chosen ? chosen.label : said("choose")),
    },
    !chosen && h("option", { value: "", hidden: "" }, c.placeholder || said("choose")),
    c.options.map((o) => h("option", { value: o.value }, words(o))),
  );
}

/** A list of channels. Where none need be chosen, that is a choice as well. */
function channels(c, local, context) {
  const [chosen] = c.default_values || [];
  const none = c.min_values === 0 ? [{ value: "", label: said("none"), default: !chosen }] : [];
  const there = context.places.filter((p) => p.kind === "channel").map((p) => ({ value: p.id, label: `# ${p.name}`, default: Boolean(chosen) && chosen.id === p.id }));
  return select({ ...c, options: [...none, ...there] }, local);
}

/** Pictures come from this page's own server, wherever the stand-in says they are. */
function picture(media, description, kind) {
  return h("img", { class: kind || null, src: path(media.url), alt: description || "" });
}

const PICTURE = /\.(png|gif|jpe?g|webp)$/i;

/** A picture is shown. Any other file can be opened in a tab and saved. */
function attachment({ url, name, size }) {
  if (PICTURE.test(name)) return h("div", { class: "gallery" }, picture({ url }, name, ""));
  const save = said("download", { name });
  return h(
    "div",
    { class: "file" },
    h("span", { class: "paper", "aria-hidden": "true" }, name.split(".").pop()),
    h("span", { class: "of" }, h("a", { class: "link", href: path(url), target: "_blank" }, name), size && h("span", { class: "small" }, bytes(size))),
    h("a", { class: "save", href: path(url), download: name, "aria-label": save, title: save }, h("span", { "aria-hidden": "true" }, "⤓")),
  );
}

function bytes(size) {
  const [unit, by] = size < 1000 ? ["byte", 1] : size < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: by > 1 ? 1 : 0 }).format(size / by);
}

const last = (url) => decodeURIComponent(path(url).split("/").pop());

function path(url) {
  return new URL(url, location.href).pathname;
}
