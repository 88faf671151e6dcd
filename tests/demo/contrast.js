// Texts on the page that are hard to read: their contrast with what is behind them is below 4.5.
// A disabled control may be pale. Called with nothing; returns a list of words and ratios.

() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

  /** The colours, the upper ones over the lower ones, as red, green and blue. */
  function mixed(colours) {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }

  function light(rgb) {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !node.checkVisibility() || node.closest(":disabled, option, [aria-hidden]")) continue;
    const behind = [];
    for (let one = node; one; one = one.parentElement) behind.unshift(getComputedStyle(one).backgroundColor);
    const [a, b] = [mixed(behind), mixed([...behind, getComputedStyle(node).color])].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${texts.currentNode.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return found;
}
