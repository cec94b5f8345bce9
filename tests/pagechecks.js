// What the browser tests ask of a page that is shown; each function gives a list of complaints.
window.checks = {
  // What is shown wider than the window, but for what scrolls in a box of its own.
  overflowing() {
    const wide = document.documentElement.clientWidth;
    const out = document.documentElement.scrollWidth > wide ? ["the page scrolls sideways"] : [];
    for (const element of document.querySelectorAll("body *:not(.box *):not(svg):not(svg *):not(.skip), svg text")) {
      const box = element.getBoundingClientRect();
      if (box.width && (box.right > wide + 0.5 || box.left < -0.5)) {
        out.push(`${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`);
      }
    }
    return out;
  },

  // Pictures that say nothing to who does not see them.
  withoutWords() {
    const named = (image) =>
      (image.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" ");
    return [...document.querySelectorAll("svg, img")]
      .filter((image) => image.getAttribute("role") !== "img" || named(image).length < 40)
      .map((image) => image.outerHTML.slice(0, 80));
  },

  // Texts that stand out too little from what is behind them, by the formula of WCAG 2.
  faint(least) {
    const out = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || element.closest(".unseen, .skip, script, style, title, desc, metadata")) continue;
      const style = getComputedStyle(element);
      const ink = parsed(element.closest("svg") ? style.fill : style.color);
      const paper = behind(element);
      const ratio = contrast(ink, paper);
      if (ratio < least) out.push(`${node.data.trim().slice(0, 40)}: ${ratio.toFixed(2)} (${ink} on ${paper})`);
    }
    return out;
  },

  // Write tiny marks at the top and the bottom of whatever must not be cut by the end of a page.
  markBlocks() {
    const blocks = document.querySelectorAll(
      ".sheet, tbody tr > :first-child, thead, figure, .deal, .played, .findings > div, pre");
    blocks.forEach((block, number) => {
      if (block.tagName !== "THEAD") block.style.position = "relative";
      for (const [letter, edge] of [["a", "top"], ["z", "bottom"]]) {
        const mark = document.createElement("span");
        mark.textContent = `q${number}${letter}q`;
        mark.style.cssText = `position:absolute; left:0; ${edge}:0; font: 2px monospace; color:#000;`;
        (block.tagName === "THEAD" ? block.rows[0].cells[0] : block).append(mark);
      }
    });
    return blocks.length;
  },
};

function parsed(colour) {
  const numbers = colour.match(/[\d.]+/g).map(Number);
  return numbers.length === 3 ? [...numbers, 1] : numbers;
}

function over(top, bottom) {
  return [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat([1]);
}

function contrast(ink, paper) {
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const x = part / 255;
      return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(over(ink, paper)), light(paper)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// The colour behind an element: the backgrounds under it, and in a picture the shapes.
function behind(element) {
  const layers = [];
  if (element.closest("svg")) {
    element.scrollIntoView({ block: "center", inline: "center" });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const below = document.elementsFromPoint(x, y);
    for (const shape of below.filter((one) => one instanceof SVGGeometryElement)) {
      const place = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      const { fill, fillOpacity, opacity } = getComputedStyle(shape);
      if (fill === "none" || fill.startsWith("url") || !shape.isPointInFill(place)) continue;
      const colour = parsed(fill);
      colour[3] *= Number(fillOpacity) * Number(opacity);
      layers.push(colour);
    }
  }
  for (let one = element.closest("svg") ?? element; one; one = one.parentElement) {
    layers.push(parsed(getComputedStyle(one).backgroundColor));
  }
  return layers.reverse().reduce((paper, layer) => over(layer, paper), [255, 255, 255, 1]);
}
