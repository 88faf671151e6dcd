// The words of the page, in the language it was asked for. The server has put them into the page.

const words = JSON.parse(document.getElementById("words").textContent);

export const language = document.documentElement.lang;

const GAP = /\{(\w+)\}/;

/** Words with their gaps filled. */
export function said(key, values = {}) {
  return pieces(key, values).join("");
}

/** The same as a list, for gaps that are elements. */
export function pieces(key, values) {
  return words[key].split(GAP).map((part, i) => (i % 2 ? values[part] : part)).filter((part) => part !== "");
}
