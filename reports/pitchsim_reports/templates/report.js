"use strict";
// Every heading of a table becomes a button that sorts by its column: numbers as numbers, words as
// words, what has no number last.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const sortBy = (column, direction) => {
    const key = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    const compare = (one, other) => {
      const [a, b] = [key(one), key(other)];
      if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
      return direction * (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
    };
    body.append(...[...body.rows].sort(compare));
  };
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const up = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", up ? "ascending" : "descending");
      sortBy(column, up ? 1 : -1);
    });
  });
}
