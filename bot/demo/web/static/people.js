// Who and what is around the messages: places, members, and the person whose page this is.

import { h, patch } from "./dom.js";
import { language, said } from "./words.js";

const $ = (id) => document.getElementById(id);
const SIGNS = { channel: "#", thread: "🧵", direct: "✉" };
const GROUPS = ["at_table", "here", "away"];

export function avatar(one, size = "") {
  const kind = one.bot ? "bot" : one.robot ? "robot" : `p${Number(one.id.slice(-2)) % 5}`;
  return h("span", { class: `avatar ${kind} ${size}`, "aria-hidden": "true" }, one.name[0]);
}

/** The place that is open: its name, and what stands at its beginning. */
export function introduce({ you, people, channel }) {
  document.title = said("title", { name: you.name });
  $("sign").textContent = SIGNS[channel.kind];
  $("channel").textContent = channel.name;
  $("scroll").setAttribute("aria-label", said("messages", { place: channel.name }));
  $("welcome").classList.toggle("short", channel.kind !== "channel");
  $("greeting").textContent = said({ channel: "welcome", thread: "thread_about", direct: "direct_about" }[channel.kind], { place: channel.name });
  patch($("me"), [avatar(you, "medium"), h("b", null, you.name)]);
  patch($("as"), people.map((p) => h("option", { value: p.key }, named(p))));
  $("as").value = you.key;
  const others = people.filter((p) => p.key !== you.key);
  patch($("tabs"), others.map((p) => h("li", null, h("a", { href: `/?as=${p.key}`, target: "_blank" }, named(p)))));
}

/** Where else there is something to see: threads, and what the bot wrote to this person. */
export function showPlaces(places, here, href) {
  const open = places.filter((p) => !p.archived || p.id === here);
  $("places").classList.toggle("single", open.length < 2);
  patch($("places"), open.map((p) => h("a", { href: href(p.id), "aria-current": p.id === here ? "page" : null }, h("span", { class: "hash", "aria-hidden": "true" }, SIGNS[p.kind]), ` ${p.name}`)));
}

/** Whoever has no page open is a link to one. */
export function showMembers(members, me, apps) {
  patch($("members"), GROUPS.flatMap((group) => {
    const found = members.filter((one) => one.group === group);
    if (!found.length) return [];
    return [h("h2", null, `${said(group)} — ${found.length}`), h("ul", { class: group }, found.map((one) => h("li", null, member(one, me), one.key && apps.length > 0 && menu(one, apps))))];
  }));
}

function member(one, me) {
  const shown = [avatar(one, "medium"), one.here && h("span", { class: "dot", "aria-hidden": "true" }), h("span", { class: "name" }, one.name), one.bot && h("span", { class: "tag" }, "APP")];
  if (one.here || !one.key || one.key === me) return h("span", { class: "member" }, shown);
  return h("a", { class: "member", href: `/?as=${one.key}`, target: "_blank", title: said("open_as", { name: one.name }) }, shown);
}

/** What the bot offers in somebody's menu, as under "Apps" on Discord. */
function menu(one, apps) {
  const about = said("apps", { name: one.name });
  return h("details", { class: "apps" }, h("summary", { "aria-label": about, title: about }, h("span", { "aria-hidden": "true" }, "⋯")), apps.map((app) => h("button", { type: "button", class: "button secondary", "data-app": app.real, "data-person": one.id }, app.name)));
}

/** `ask(command, person)` runs what was chosen in somebody's menu. */
export function personMenus(ask) {
  $("members").addEventListener("click", ({ target }) => {
    const chosen = target.closest("[data-app]");
    if (!chosen) return;
    chosen.closest("details").open = false;
    close(null);
    ask(chosen.dataset.app, chosen.dataset.person);
  });
}

function named(one) {
  return one.language === language ? one.name : `${one.name} (${inOwn(one.language)})`;
}

function inOwn(tongue) {
  return new Intl.DisplayNames([language], { type: "language" }).of(tongue);
}

/** The languages on offer, each under its own name. */
export function showLanguages(languages) {
  patch($("language"), Object.entries(languages).map(([value, name]) => h("option", { value }, name)));
  $("language").value = language;
}

$("as").addEventListener("change", () => location.assign(`/?as=${$("as").value}`));
$("theme").value = localStorage.getItem("theme") || "";
$("theme").addEventListener("change", () => {
  const { value } = $("theme");
  localStorage.setItem("theme", value);
  document.documentElement.dataset.theme = value;
});
$("people").addEventListener("click", () => {
  document.body.classList.toggle("flipped");
  expanded();
});

// -- what opens and closes -----------------------------------------------------------------------

/** The list stands beside the messages where there is room, and over them where there is none. */
const narrow = matchMedia("(max-width: 1099px)");

function expanded() {
  const is = document.body.classList.contains("flipped") === narrow.matches;
  $("people").setAttribute("aria-expanded", String(is));
}

/** Closes what lies over the messages. Returns what had opened it. */
function close(target) {
  if ($("menu").open && !(target && target.closest("#menu"))) {
    $("menu").open = false;
    return $("menu").querySelector("summary");
  }
  const over = narrow.matches && document.body.classList.contains("flipped");
  if (!over || (target && target.closest("#members, #people"))) return null;
  document.body.classList.remove("flipped");
  expanded();
  return $("people");
}

document.addEventListener("click", ({ target }) => close(target));
document.addEventListener("keydown", ({ key }) => {
  const opener = key === "Escape" && close(null);
  if (opener) opener.focus();
});
narrow.addEventListener("change", expanded);
expanded();
