// The page of a graph: draws what scene.js chooses, and answers clicks, keys and the search.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const graph = scene.index(JSON.parse(find("data").textContent));
  const nodes = graph.data.nodes;
  const escape = scene.escape;
  let shown = new Map(), drawn = null, pan = null, chosen = null, matches = [];

  const root = document.documentElement;
  const wanted = new URLSearchParams(location.search).get("theme");
  root.dataset.theme = wanted || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  find("theme").onclick = () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; };

  const group = (id) => find("view").querySelector(`.node[data-id="${id}"]`);
  const place = (id) => drawn && drawn.nodes.find((node) => node.id === id);

  // Draws again. The node `still` stays where it is on the screen.
  function redraw(still) {
    const before = still !== undefined && place(still);
    const zoom = pan && pan.getZoom(), offset = pan && pan.getPan(), scale = pan && pan.getSizes().realZoom;
    if (pan) pan.destroy();
    drawn = scene.layout(scene.fold(graph, shown));
    find("view").innerHTML = scene.draw(drawn, "");
    pan = svgPanZoom(find("view").firstChild, {
      minZoom: 0.05, maxZoom: 40, zoomScaleSensitivity: 0.3, dblClickZoomEnabled: false, fit: true, center: true,
    });
    const after = before && place(still);
    if (after) {
      pan.zoom(zoom * scale / (pan.getSizes().realZoom / pan.getZoom() * zoom));
      const now = pan.getSizes().realZoom;
      pan.pan({ x: offset.x + before.x * scale - after.x * now, y: offset.y + before.y * scale - after.y * now });
    }
    mark();
  }

  function mark() {
    for (const one of find("view").querySelectorAll(".found")) one.classList.remove("found");
    for (const id of matches) {
      const found = group(id);
      if (found) found.classList.add("found");
    }
  }

  // The references of the roots' trees that lead to a node, so that it can be unfolded.
  function reveal(id) {
    if (place(id)) return;
    const from = new Map(), pending = nodes.filter((node) => node.root || node.outside).map((node) => node.id);
    for (const start of pending) from.set(start, -1);
    for (let at = 0; at < pending.length && !from.has(id); at++) {
      for (const edge of graph.out[pending[at]]) {
        if (!from.has(edge.target)) {
          from.set(edge.target, pending[at]);
          pending.push(edge.target);
        }
      }
    }
    for (let at = id; from.has(at) && from.get(at) >= 0; at = from.get(at)) {
      const parent = from.get(at);
      const targets = [...new Set(graph.out[parent].map((edge) => edge.target))];
      shown.set(parent, Math.max(shown.get(parent) || scene.FIRST, targets.indexOf(at) + 1));
    }
    redraw();
  }

  function centre(id) {
    const at = place(id);
    if (!at) return;
    if (pan.getSizes().realZoom < 0.7) pan.zoom(pan.getZoom() * 0.9 / pan.getSizes().realZoom);
    const sizes = pan.getSizes();
    pan.pan({ x: sizes.width / 2 - at.x * sizes.realZoom, y: sizes.height / 2 - at.y * sizes.realZoom });
  }

  const link = (id) => `<a data-go="${id}" tabindex="0">${escape(nodes[id].type_key)} ${escape(nodes[id].address)}</a>`;
  const name = (edge) => escape(edge.kind === "field" ? "." + edge.label : edge.kind === "key" ? "key" : edge.label ? `[${edge.label}]` : "");

  function list(edges, end) {
    const items = edges.slice(0, 20).map((edge) => `<li>${link(edge[end])} ${name(edge)}</li>`);
    if (edges.length > 20) items.push(`<li>… ${edges.length - 20} more</li>`);
    return items.length ? `<ul>${items.join("")}</ul>` : "<p>none</p>";
  }

  function describe(id) {
    chosen = id;
    const node = nodes[id];
    const rows = [["address", node.address], ["strong, weak", `${node.strong}, ${node.weak}`],
      ["bytes", node.bytes === null ? "?" : node.bytes], ["wrapper", node.state + (node.wrapper ? `, ${node.wrapper}` : "")],
      ["tie record", node.record || "none"], ["Go handle", node.go_handle === "0x0" ? "none" : node.go_handle]];
    if (node.python) rows.push(["Python object", node.python]);
    const fields = Object.entries(node.fields);
    const table = (rows) => "<table>" + rows.map(([a, b]) => `<tr><td>${escape(a)}</td><td>${escape(b)}</td></tr>`).join("") + "</table>";
    const paths = node.held_by.map((path) => `<li>${path.map(escape).join(" → ")}</li>`).join("");
    find("about").innerHTML = `<h2>${escape(node.type_key)}</h2>${table(rows)}` +
      (fields.length ? `<h3>Fields</h3>${table(fields)}` : "") +
      `<h3>Kept alive by</h3>${paths ? `<ol>${paths}</ol>` : "<p>nothing that is known</p>"}` +
      `<h3>Native owners</h3>${list(graph.into[id], "source")}<h3>Owns</h3>${list(graph.out[id], "target")}`;
  }

  function toggle(id) {
    const node = place(id);
    if (!node) return;
    if (node.open && node.targets > 0) shown.set(id, 0);
    else shown.set(id, Math.max(scene.FIRST, scene.STEP));
    redraw(id);
  }

  function go(id) {
    reveal(id);
    describe(id);
    centre(id);
  }

  function act(target) {
    const fold = target.closest("[data-fold]"), node = target.closest("[data-id]"), jump = target.closest("[data-go]");
    if (jump) go(Number(jump.dataset.go));
    else if (fold) {
      const owner = Number(fold.dataset.fold);
      const now = place(owner);
      shown.set(owner, (shown.has(owner) ? shown.get(owner) : now.open ? scene.FIRST : 0) + scene.STEP);
      redraw(owner);
    } else if (node) describe(Number(node.dataset.id));
  }

  let pressed = null;
  document.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
  document.addEventListener("click", (event) => {
    if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5) act(event.target);
  });
  document.addEventListener("dblclick", (event) => {
    const node = event.target.closest("[data-id]");
    if (node) toggle(Number(node.dataset.id));
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.id === "search") {
      if (event.key === "Enter" && matches.length) go(matches[0]);
    } else if (event.key === "Enter") act(event.target);
    else if (event.key === " " && event.target.closest("[data-id]")) {
      event.preventDefault();
      toggle(Number(event.target.closest("[data-id]").dataset.id));
    } else if (event.key === "/") {
      event.preventDefault();
      find("search").focus();
    }
  });

  const text = (node) => `${node.type_key} ${node.address} ${node.wrapper || ""} ${node.python || ""} ` +
    Object.entries(node.fields).map(([key, value]) => `${key}=${value}`).join(" ");
  const texts = nodes.map((node) => text(node).toLowerCase());
  find("search").oninput = () => {
    const words = find("search").value.toLowerCase().split(/\s+/).filter((word) => word);
    matches = words.length === 0 ? [] : texts.flatMap((one, id) => words.every((word) => one.includes(word)) ? [id] : []);
    find("count").textContent = words.length === 0 ? "" : `${matches.length} found`;
    find("results").hidden = matches.length === 0;
    find("results").innerHTML = "<h2>Found</h2><ul>" + matches.slice(0, 50).map((id) => `<li>${link(id)}</li>`).join("") +
      (matches.length > 50 ? `<li>… ${matches.length - 50} more</li>` : "") + "</ul>";
    mark();
  };
  find("fit").onclick = () => { pan.resize(); pan.fit(); pan.center(); };
  find("in").onclick = () => pan.zoomIn();
  find("out").onclick = () => pan.zoomOut();
  find("fold").onclick = () => { shown = new Map(); redraw(); };
  addEventListener("resize", () => pan.resize());
  redraw();
  const first = nodes.find((node) => node.root);
  if (first) describe(first.id);
})();
