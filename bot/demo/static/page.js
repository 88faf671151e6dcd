// The channel: what the server says is shown, what is pressed and typed is sent.

import { catchUp, choose, hold, patch, h } from "./dom.js";
import { message } from "./draw.js";
import { speak, when } from "./markdown.js";
import { composer } from "./composer.js";

const $ = (id) => document.getElementById(id);
const scroll = $("scroll");
const shown = new Map(); // message id -> { data, local, node }
const asks = new Map(); // number -> what to do with the answer
const context = { channel: { id: "", name: "" }, people: [], places: [], href };
const query = new URLSearchParams(location.search);
const me = query.get("as") || "anna";
let socket = null;
let numbered = 0;
const SIGNS = { channel: "#", thread: "🧵", direct: "✉" };

// -- the connection ------------------------------------------------------------------------------

function connect() {
  const where = query.get("in") ? `&in=${encodeURIComponent(query.get("in"))}` : "";
  socket = new WebSocket(`ws://${location.host}/socket?as=${encodeURIComponent(me)}${where}`);
  let opened = false;
  socket.onopen = () => (opened = true);
  socket.onmessage = (event) => take(JSON.parse(event.data));
  socket.onclose = () => {
    online(false, opened ? "demo ended" : "no connection");
    for (const n of [...asks.keys()]) answer({ n, ok: false, why: "The demo is not running" });
    setTimeout(connect, 1000);
  };
}

/** Sends an ask; `done` is told of the answer. */
function ask(what, done) {
  if (socket.readyState !== WebSocket.OPEN) return done({ ok: false, why: "The demo is not running" });
  numbered += 1;
  asks.set(numbered, done);
  socket.send(JSON.stringify({ n: numbered, ...what }));
}

function answer(one) {
  const done = asks.get(one.n);
  asks.delete(one.n);
  if (done) done(one);
  else if (!one.ok) $("trouble").textContent = one.why;
}

function take(news) {
  if (news.you) introduce(news);
  if ("online" in news) online(news.online, news.online ? "bot online" : "bot offline");
  if (news.commands) typing.commands = news.commands;
  if (news.places) visit(news.places);
  if (news.order || news.messages) steadily(() => show(news));
  for (const one of news.answers || []) answer(one);
}

function introduce({ you, people, channel }) {
  Object.assign(context, { people, channel });
  speak(people.find((p) => p.key === you.key).language);
  document.title = `Ligretto demo · ${you.name}`;
  $("channel").textContent = channel.name;
  $("text").placeholder = `Type / or a message`;
  $("text").setAttribute("aria-label", $("text").placeholder);
  const others = people.filter((p) => p.key !== you.key);
  patch($("as"), people.map((p) => h("option", { value: p.key }, named(p))));
  $("as").value = you.key;
  patch($("tabs"), others.map((p) => h("li", null, h("a", { href: `/?as=${p.key}`, target: "_blank" }, named(p)))));
}

/** Where else there is something to see: threads, and what the bot wrote to this person. */
function visit(places) {
  context.places = places;
  const open = places.filter((p) => !p.archived || p.id === context.channel.id);
  $("places").hidden = open.length < 2;
  patch($("places"), open.map((p) => h("a", { href: href(p.id), "aria-current": p.id === context.channel.id ? "page" : null }, `${SIGNS[p.kind]} ${p.name}`)));
  for (const one of shown.values()) draw(one); // mentions know their names now
}

function href(channel, message) {
  return `/?as=${me}&in=${channel}${message ? `#m${message}` : ""}`;
}

function named({ name, language }) {
  if (language === "en") return name;
  return `${name} (${new Intl.DisplayNames([language], { type: "language" }).of(language)})`;
}

function online(is, words) {
  $("online").className = is ? "on" : "off";
  $("online").textContent = words;
}

// -- messages ------------------------------------------------------------------------------------

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

/**
 * Makes changes without moving what a person looks at: the end of the list if they are there, and
 * above all the button under the pointer.
 */
function steadily(change) {
  const count = $("messages").lastElementChild;
  const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40;
  const aimed = document.querySelector(".button:active, .button:hover, select:focus");
  const before = aimed && aimed.getBoundingClientRect().top;
  change();
  const arrived = $("messages").lastElementChild !== count;
  const answered = arrived && $("messages").lastElementChild.classList.contains("private");
  if (answered) scroll.scrollTop = scroll.scrollHeight; // a panel somebody has asked for
  else if (aimed && aimed.isConnected && !(arrived && atEnd)) {
    scroll.scrollTop += aimed.getBoundingClientRect().top - before;
  } else if (atEnd) scroll.scrollTop = scroll.scrollHeight;
}

// -- presses -------------------------------------------------------------------------------------

let aim = null; // the button and what it said when the pointer went down on it

function entry(node) {
  const li = node.closest("[data-message]");
  return li && shown.get(li.dataset.message);
}

function send(one, id, what, after = () => {}) {
  const { pending } = one.local; // how many presses of each control wait for an answer
  pending.set(id, (pending.get(id) || 0) + 1);
  one.local.failed = "";
  steadily(() => draw(one));
  ask({ message: one.data.id, id, ...what }, ({ ok, why }) => {
    if (pending.get(id) > 1) pending.set(id, pending.get(id) - 1);
    else pending.delete(id);
    one.local.failed = ok ? one.local.failed : why;
    steadily(() => draw(one));
    after();
  });
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest(".button[data-id]");
  aim = button && !button.disabled ? { button, id: button.dataset.id } : null;
  if (aim) hold(button);
});

function release() {
  if (aim === null) return;
  const { button } = aim;
  hold(null);
  setTimeout(() => {
    aim = null;
    catchUp(button); // after the click
  });
}
document.addEventListener("pointerup", release);
document.addEventListener("pointercancel", release);

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const one = entry(button);
  if (one && button.dataset.id) {
    send(one, aim && aim.button === button ? aim.id : button.dataset.id, { do: "press" });
  } else if (one && button.dataset.dismiss) ask({ do: "dismiss", message: one.data.id }, () => {});
});

$("messages").addEventListener("change", ({ target }) => {
  const one = entry(target);
  if (one && target.dataset.id) {
    target.blur();
    send(one, target.dataset.id, { do: "choose", values: [target.value] }, () => choose(target));
  }
});

// -- the rest of the page ------------------------------------------------------------------------

const typing = composer((text, done) => ask({ do: "write", text }, done));

$("as").addEventListener("change", () => location.assign(`/?as=${$("as").value}`));
$("restart").addEventListener("click", () => {
  $("menu").open = false;
  ask({ do: "restart" }, () => {});
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("#menu")) $("menu").open = false;
});
addEventListener("resize", () => (scroll.scrollTop = scroll.scrollHeight));
setInterval(() => {
  for (const node of document.querySelectorAll("time[data-at]")) {
    const words = when(Number(node.dataset.at), node.dataset.style);
    if (node.textContent !== words) node.firstChild.data = words;
  }
}, 1000);
connect();
