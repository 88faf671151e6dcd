// Where the messages are scrolled to. Whoever is at the end stays there, whatever comes or grows;
// whoever reads above sees nothing move; and a button that is held down stays under the finger.

import { held } from "./dom.js";

const scroll = document.getElementById("scroll");
const list = document.getElementById("messages");
const newest = document.getElementById("newest");
const NEAR = 40; // px from the end that still count as the end
let following = true;
let ours = 0; // where this file has scrolled to: other places are a person's
let height = 0; // of all there was to scroll then

export function toEnd() {
  following = true;
  settle();
}

/**
 * Goes to the end again if that is where the person is. Nothing moves while a button is held. Where
 * there are no messages yet, the beginning is what there is to see.
 */
export function settle() {
  if (following && !held) move(list.children.length ? scroll.scrollHeight : 0);
  mark();
}

/** Makes changes without moving what a person looks at. */
export function steadily(change) {
  const anchor = held || (following ? null : aimed() || uppermost());
  const before = anchor && anchor.getBoundingClientRect().top;
  change();
  if (anchor && anchor.isConnected) move(scroll.scrollTop + anchor.getBoundingClientRect().top - before);
  settle();
}

function aimed() {
  return list.querySelector(".button:hover, select:focus");
}

function uppermost() {
  const { top } = scroll.getBoundingClientRect();
  return [...list.children].find((one) => one.getBoundingClientRect().bottom > top);
}

function move(top) {
  scroll.scrollTop = top;
  ours = scroll.scrollTop;
  height = scroll.scrollHeight;
}

function mark() {
  newest.hidden = following;
}

scroll.addEventListener("scroll", () => {
  if (Math.abs(scroll.scrollTop - ours) < 1) return;
  // The browser itself goes up where something shrinks at the end, also if more has come since.
  if (following && scroll.scrollTop < ours && scroll.scrollHeight !== height) return settle();
  ours = scroll.scrollTop;
  following = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;
  mark();
});
newest.addEventListener("click", toEnd);
const sizes = new ResizeObserver(settle); // pictures that have loaded, a window that has shrunk
for (const one of [scroll, ...scroll.children]) sizes.observe(one);
