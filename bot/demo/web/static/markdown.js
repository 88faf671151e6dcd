// The part of Discord's markdown that messages use, as descriptions of elements.

import { h } from "./dom.js";
import { language, said } from "./words.js";

const INLINE = [
  [/^\\([^A-Za-z0-9\s])/, (m) => m[1]],
  [/^``(.+?)``(?!`)/s, (m) => h("code", null, m[1].trim())],
  [/^`([^`]+)`/, (m) => h("code", null, m[1])],
  [/^\*\*((?:\\.|[^\\])+?)\*\*(?!\*)/s, (m, c) => h("strong", null, inline(m[1], c))],
  [/^__((?:\\.|[^\\])+?)__(?!_)/s, (m, c) => h("u", null, inline(m[1], c))],
  [/^~~((?:\\.|[^\\])+?)~~/s, (m, c) => h("s", null, inline(m[1], c))],
  [/^\*(?!\s)((?:\\.|[^\\*])+?)\*/s, (m, c) => h("em", null, inline(m[1], c))],
  [/^_(?!\s)((?:\\.|[^\\_])+?)_(?![A-Za-z0-9])/s, (m, c) => h("em", null, inline(m[1], c))],
  [/^<t:(\d{1,12})(?::([tTdDfFR]))?>/, (m) => time(Number(m[1]), m[2] || "f")],
  [/^<a?:(\w{2,32}):(\d+)>/, (m) => emoji(m[1], m[2])],
  [/^<#(\d+)>/, (m, c) => place(m[1], c)],
  [/^<@!?(\d+)>/, (m, c) => mention(`@${(c.people.find((p) => p.id === m[1]) || { name: said("somebody") }).name}`)],
  [/^<\/([\w -]+):\d+>/, (m) => mention(`/${m[1]}`)],
  [/^\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m) => link(m[2], m[1])],
  [/^<?(https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?)>?/, (m, c) => jump(m, c)],
  [/^<?(https?:\/\/[^\s<>]+[^\s<>.,:;"')\]])>?/, (m) => link(m[1], m[1])],
];
const PLAIN = /^(?:[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*| +|[\s\S])/u; // snake_case is no emphasis
const BLOCKS = [
  [/^### +(.*)/, "h3"],
  [/^## +(.*)/, "h2"],
  [/^# +(.*)/, "h1"],
  [/^-# +(.*)/, "small"],
  [/^> (.*)/, "blockquote"],
  [/^ *[-*] +(.*)/, "li"],
];

/** `context` has the channel and the people that mentions name. */
export function markdown(text, context) {
  const parts = text.split(/```(?:[\w+-]*\n)?([\s\S]+?)\n?```\n?/);
  return parts.flatMap((part, i) => (i % 2 ? h("pre", null, part) : part ? lines(part, context) : []));
}

function lines(text, context) {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      for (const [pattern, tag] of BLOCKS) {
        const found = line.match(pattern);
        if (found) return h("div", { class: tag }, inline(found[1], context));
      }
      return h("div", { class: "line" }, line ? inline(line, context) : "\u200b");
    });
}

function inline(text, context) {
  const found = [];
  let rest = text;
  while (rest) {
    const [m, make] = first(rest) || [rest.match(PLAIN), null];
    const part = make ? make(m, context) : m[0];
    if (typeof part === "string" && typeof found.at(-1) === "string") found[found.length - 1] += part;
    else found.push(part);
    rest = rest.slice(m[0].length);
  }
  return found;
}

function first(text) {
  for (const [pattern, make] of INLINE) {
    const m = text.match(pattern);
    if (m) return [m, make];
  }
  return null;
}

const mention = (words) => h("span", { class: "mention" }, words);

/** Beside words it has none of its own, so that a button is called by its label. */
export const emoji = (name, id, beside = "") =>
  h("img", { class: "emoji", src: `/emojis/${id}`, alt: beside ? "" : `:${name}:`, title: beside ? null : `:${name}:`, draggable: "false" });

/** Nothing on this page leads off this machine: links show where they would go. */
const link = (url, words) => h("span", { class: "link", title: url }, words);

function place(id, context) {
  const found = id === context.channel.id ? context.channel : context.places.find((p) => p.id === id);
  return h("a", { class: "mention", href: context.href(id) }, `# ${found ? found.name : said("unknown")}`);
}

function jump([, url, channel, message], context) {
  if (!message) return place(channel, context);
  const here = channel === context.channel.id;
  const found = here ? context.channel : context.places.find((p) => p.id === channel);
  const words = `# ${found ? found.name : said("unknown")} › 💬`;
  return h("a", { class: "mention", href: here ? `#m${message}` : context.href(channel, message), title: url }, words);
}

function time(at, style) {
  return h("time", { datetime: new Date(at * 1000).toISOString(), "data-at": at, "data-style": style }, when(at, style));
}

export function when(at, style) {
  if (style === "R") return ago(at - Date.now() / 1000);
  const date = { d: "short", D: "long", f: "long", F: "full" }[style];
  const clock = { t: "short", T: "medium", f: "short", F: "short" }[style];
  return new Intl.DateTimeFormat(language, { dateStyle: date, timeStyle: clock }).format(at * 1000);
}

const STEPS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
function ago(seconds) {
  const [unit, size] = STEPS.find(([, s]) => Math.abs(seconds) >= s) || STEPS.at(-1);
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}
