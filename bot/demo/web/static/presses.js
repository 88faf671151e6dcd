// What is pressed and chosen in messages: sent at once, shown as pending until it is answered.

import { catchUp, choose, hold } from "./dom.js";
import { settle } from "./follow.js";

let aim = null; // the button and what it said when the pointer went down on it

/** `entry(node)` finds the message around a node; `redraw(entry)` draws it again. */
export function presses(list, ask, entry, redraw) {
  function send(one, id, what, after = () => {}) {
    const { pending } = one.local; // how many presses of each control wait for an answer
    pending.set(id, (pending.get(id) || 0) + 1);
    one.local.failed = "";
    redraw(one);
    ask({ message: one.data.id, id, ...what }, ({ ok, why }) => {
      if (pending.get(id) > 1) pending.set(id, pending.get(id) - 1);
      else pending.delete(id);
      one.local.failed = ok ? one.local.failed : why;
      redraw(one);
      after();
    });
  }

  list.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    const one = button && entry(button);
    if (!one) return;
    if (button.dataset.id) {
      send(one, aim && aim.button === button ? aim.id : button.dataset.id, { do: "press" });
    } else if (button.dataset.dismiss) ask({ do: "dismiss", message: one.data.id });
  });

  list.addEventListener("change", ({ target }) => {
    const one = entry(target);
    if (one && target.dataset.id) {
      target.blur();
      send(one, target.dataset.id, { do: "choose", values: target.value ? [target.value] : [] }, () => choose(target));
    }
  });

  list.addEventListener("pointerdown", ({ target }) => {
    const button = target.closest(".button[data-id]");
    aim = button && !button.disabled ? { button, id: button.dataset.id } : null;
    if (aim) hold(button);
  });
}

function release() {
  if (aim === null) return;
  const { button } = aim;
  hold(null);
  setTimeout(() => {
    aim = null;
    catchUp(button); // after the click
    settle();
  });
}
document.addEventListener("pointerup", release);
document.addEventListener("pointercancel", release);
