// Describes elements in plain data and patches the page to look like that.
//
// Nodes are kept and changed in place, by position: a button that is pressed while the message is
// redrawn is still the same button when it is let go.

export function h(tag, props, ...children) {
  return { tag, props: props || {}, children: children.flat(Infinity).filter((c) => c || c === 0) };
}

/** The button under a finger or a mouse key: it is neither disabled nor replaced until released. */
export let held = null;

export function hold(button) {
  held = button;
}

export function patch(parent, wanted) {
  wanted.forEach((want, i) => {
    const node = parent.childNodes[i];
    if (!node) parent.append(create(want));
    else if (!patched(node, want)) node.replaceWith(create(want));
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
}

function patched(node, want) {
  if (typeof want !== "object") {
    if (node.nodeType !== Node.TEXT_NODE) return false;
    if (node.data !== String(want)) node.data = want;
    return true;
  }
  if (node.localName !== want.tag) return false;
  dress(node, want);
  return true;
}

function create(want) {
  if (typeof want !== "object") return document.createTextNode(want);
  const node = document.createElement(want.tag);
  dress(node, want);
  return node;
}

function dress(node, { props, children }) {
  const before = node.described || {};
  for (const name of Object.keys(before)) {
    if (!(name in props)) set(node, name, null);
  }
  for (const [name, value] of Object.entries(props)) {
    if (before[name] !== value) set(node, name, value);
  }
  node.described = props;
  patch(node, children);
  if (node.localName === "select") choose(node);
}

function set(node, name, value) {
  if (name === "disabled") {
    if (node !== held) node.disabled = Boolean(value);
  } else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

/** After a button is released: it may be disabled now. */
export function catchUp(button) {
  if (button.described) button.disabled = Boolean(button.described.disabled);
}

/** A list shows what the message says is chosen, not what was picked and refused. */
export function choose(select) {
  if (select.dataset.value !== undefined && document.activeElement !== select) {
    select.value = select.dataset.value;
  }
}
