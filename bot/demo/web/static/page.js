// The page: what the server says is shown, what is pressed and typed is sent.

import { composer } from "./composer.js";
import { connection } from "./connection.js";
import { patch } from "./dom.js";
import { message } from "./draw.js";
import { steadily, toEnd } from "./follow.js";
import { when } from "./markdown.js";
import { open } from "./forms.js";
import { introduce, personMenus, showLanguages, showMembers, showPlaces } from "./people.js";
import { presses } from "./presses.js";
import { language, said } from "./words.js";

const $ = (id) => document.getElementById(id);
const shown = new Map(); // message id -> { data, local, node }
const context = { you: null, channel: { id: "", name: "" }, people: [], places: [], members: [], apps: [], href };
const query = new URLSearchParams(location.search);
const me = query.get("as") || "anna";

function href(channel, message) {
  return `/?as=${me}&in=${channel}${message ? `#m${message}` : ""}`;
}

// -- what the server says ------------------------------------------------------------------------

function take(news) {
  if (news.language && news.language !== language) return location.reload();
  if (news.you) {
    Object.assign(context, { you: news.you, people: news.people, channel: news.channel });
    introduce(news);
    showLanguages(news.languages);
  }
  if ("online" in news) online(news.online);
  if (news.trouble) $("trouble").textContent = news.trouble;
  if (news.commands) typing.commands = news.commands;
  if (news.form) open(news.form, (values) => ask({ do: "fill", values }));
  if (news.apps) context.apps = news.apps;
  if (news.members) context.members = news.members;
  if (news.apps || news.members) showMembers(context.members, me, context.apps);
  if (news.places) {
    context.places = news.places;
    showPlaces(news.places, context.channel.id, href);
    for (const one of shown.values()) draw(one); // mentions know their names now
  }
  if (news.order || news.messages) arrive(news);
}

function online(is) {
  $("online").className = is ? "on" : "off";
  $("online").textContent = said(is ? "online" : "offline");
  document.body.classList.toggle("ready", is);
}

function connected(is) {
  $("lost").textContent = is ? "" : said("lost");
  if (!is) online(false);
}

/** Whoever asked for something sees the answer; all others stay where they are. */
function arrive(news) {
  const last = $("messages").lastElementChild;
  steadily(() => show(news));
  const newest = $("messages").lastElementChild;
  if (!newest || newest === last) return;
  const { data } = shown.get(newest.dataset.message);
  if (data.private || data.author.id === context.you.id || (data.used && data.used.id === context.you.id)) toEnd();
}

function show({ order, messages }) {
  for (const data of messages || []) {
    const known = shown.get(data.id);
    if (known) Object.assign(known, { data }).local.failed = "";
    else shown.set(data.id, { data, local: { pending: new Map(), failed: "" }, node: item(data) });
    draw(shown.get(data.id));
  }
  if (!order) return;
  for (const [id, { node }] of shown) {
    if (order.includes(id)) continue;
    node.remove();
    shown.delete(id);
  }
  order.forEach((id, i) => {
    const { node } = shown.get(id);
    if ($("messages").children[i] !== node) $("messages").insertBefore(node, $("messages").children[i] || null);
  });
}

function item(data) {
  const node = document.createElement("li");
  node.id = `m${data.id}`;
  node.dataset.message = data.id;
  return node;
}

function draw({ data, local, node }) {
  node.className = `message${data.private ? " private" : ""}`;
  patch(node, message(data, local, context));
}

function entry(node) {
  const li = node.closest("[data-message]");
  return li && shown.get(li.dataset.message);
}

// -- what the person does ------------------------------------------------------------------------

const where = query.get("in") ? `&in=${encodeURIComponent(query.get("in"))}` : "";
const typing = composer((text, done) => ask({ do: "write", text }, done));
const ask = connection(`ws://${location.host}/socket?as=${encodeURIComponent(me)}${where}`, take, connected);

typing.ask = (text, done) => ask({ do: "suggest", text }, done);
personMenus((command, person) => {
  $("trouble").textContent = "";
  ask({ do: "apps", command, person }, ({ ok, why }) => {
    if (!ok) $("trouble").textContent = why;
  });
});

presses($("messages"), ask, entry, (one) => steadily(() => draw(one)));

for (const button of document.querySelectorAll("[data-play]")) {
  button.addEventListener("click", () => {
    $("trouble").textContent = "";
    button.classList.add("pending");
    ask({ do: "play", game: button.dataset.play }, ({ ok, why }) => {
      button.classList.remove("pending");
      if (ok) toEnd();
      else $("trouble").textContent = why;
    });
  });
}
$("restart").addEventListener("click", () => {
  $("menu").open = false;
  ask({ do: "restart" });
});
$("language").addEventListener("change", () => ask({ do: "speak", language: $("language").value }));

setInterval(() => {
  for (const node of document.querySelectorAll("time[data-at]")) {
    const words = when(Number(node.dataset.at), node.dataset.style);
    if (node.textContent !== words) node.firstChild.data = words;
  }
}, 1000);
