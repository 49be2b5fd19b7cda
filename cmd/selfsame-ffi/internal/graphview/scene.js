// Which part of a graph is shown, where, and as which SVG. The page runs this file in a browser, and the command line
// tool runs it for still pictures. It uses no DOM.
"use strict";
var scene = (() => {
  const FAN = 12; // a node with more references than this is shown with the first FIRST of them
  const FIRST = 8;
  const STEP = 50; // how many more one unfolding shows
  // How much is shown: nodes before anything was unfolded, and references besides those that led to the nodes. The time of
  // the layout grows with what these references cross. A still picture is made by an interpreter, and has less.
  const PAGE = { nodes: 400, references: 150 };
  const STILL = { nodes: 200, references: 50 };
  const LINE = 15, CHARACTER = 6.7, PADDING = 10;

  // index(data) prepares a graph as read from JSON: references by their ends.
  function index(data) {
    const out = data.nodes.map(() => []), into = data.nodes.map(() => []);
    for (const edge of data.edges) {
      out[edge.source].push(edge);
      into[edge.target].push(edge);
    }
    return { data, out, into };
  }

  function label(edge) {
    if (edge.kind === "field") return "." + edge.label;
    if (edge.kind === "item" || edge.kind === "value") return "[" + edge.label + "]";
    return edge.kind === "key" ? "key" : "";
  }

  // fold(graph, shown, most) chooses the nodes to draw. `shown` maps ids to how many references of that node are followed.
  // Returns {nodes: [{id, lines, ...}], edges: [{source, target, label, cycle}], left}, the ids of folds being "fold:ID";
  // left has the numbers of references between the nodes, and of roots, that are not drawn.
  function fold(graph, shown, most = PAGE) {
    const nodes = new Map(), edges = new Map(), first = new Set();
    const { data, out, into } = graph;
    const unfolded = shown.size > 0;
    const pending = [];
    const visit = (id) => {
      if (nodes.has(id)) return;
      nodes.set(id, box(data.nodes[id]));
      pending.push(id);
    };
    const link = (source, target, text, cycle, outside) => {
      const key = source + ">" + target;
      const known = edges.get(key);
      if (!known) edges.set(key, { source, target, labels: [text], cycle, outside });
      else if (known.labels.length < 3) known.labels.push(text);
      else known.more = (known.more || 0) + 1;
    };
    let roots = 0;
    for (const node of data.nodes) {
      if (!node.root) continue;
      if (nodes.size < most.nodes || shown.has(node.id)) visit(node.id);
      else roots++;
    }
    if (pending.length === 0 && data.nodes.length > 0) visit(0);
    for (let at = 0; at < pending.length; at++) {
      const id = pending[at];
      const targets = [...new Set(out[id].map((edge) => edge.target))];
      const fresh = targets.filter((target) => !nodes.has(target));
      let room = shown.has(id) ? shown.get(id) : fresh.length > FAN ? FIRST : fresh.length;
      if (!unfolded || !shown.has(id)) room = Math.min(room, Math.max(0, most.nodes - nodes.size));
      for (const target of fresh.slice(0, room)) {
        first.add(id + ">" + target);
        visit(target);
      }
      const hidden = fresh.slice(room).filter((target) => !nodes.has(target));
      nodes.get(id).targets = fresh.length;
      nodes.get(id).open = room > 0;
      if (hidden.length > 0) {
        const name = "fold:" + id;
        nodes.set(name, foldBox(name, id, hidden, data));
        link(id, name, "", false, false);
      }
    }
    // Owners that the roots do not lead to, nearest first.
    let level = [...nodes.keys()].filter((id) => typeof id === "number"), room = 40;
    while (level.length > 0 && room > 0) {
      const next = [];
      for (const id of level) {
        for (const edge of into[id]) {
          const owner = data.nodes[edge.source];
          if (owner.outside && !nodes.has(owner.id) && room-- > 0) {
            nodes.set(owner.id, box(owner));
            first.add(owner.id + ">" + id);
            next.push(owner.id);
          }
        }
      }
      level = next;
    }
    for (const id of nodes.keys()) {
      if (typeof id !== "number") continue;
      for (const edge of out[id]) {
        if (nodes.has(edge.target)) link(id, edge.target, label(edge), edge.cycle, data.nodes[id].outside);
      }
    }
    const further = [...edges].filter(([key, edge]) => !first.has(key) && typeof edge.target === "number");
    further.sort(([, a], [, b]) => b.cycle - a.cycle); // those of cycles first
    for (const [key] of further.slice(most.references)) edges.delete(key);
    const drawn = [...edges.values()].map((edge) => {
      const text = edge.labels.filter((one) => one).join(" ") + (edge.more ? " +" + edge.more : "");
      return { source: edge.source, target: edge.target, label: text, cycle: edge.cycle, outside: edge.outside };
    });
    const left = { references: Math.max(0, further.length - most.references), roots };
    return { nodes: [...nodes.values()], edges: drawn, left };
  }

  function short(text, length) {
    return text.length <= length ? text : text.slice(0, length - 1) + "…";
  }

  function size(node) {
    const longest = Math.max(...node.lines.map((line) => line.length));
    node.width = Math.max(70, longest * CHARACTER + 2 * PADDING);
    node.height = node.lines.length * LINE + PADDING;
    return node;
  }

  function box(node) {
    const lines = [short(node.type_key, 40)];
    lines.push(node.strong + " strong" + (node.weak > 1 ? ", " + (node.weak - 1) + " weak" : "") +
      (node.state === "None" || node.state === "?" ? "" : ", " + node.state));
    const fields = Object.entries(node.fields);
    for (const [name, value] of fields.slice(0, 3)) lines.push(short(name + " = " + value, 34));
    if (fields.length > 3) lines.push("… " + (fields.length - 3) + " more");
    if (node.python) lines.push(short("Python: " + node.python, 34));
    const marks = [];
    if (node.go_handle !== "0x0") marks.push("Go handle");
    if (node.unknown) marks.push("+" + node.unknown + " native code");
    if (marks.length > 0) lines.push(marks.join(", "));
    return size({ id: node.id, lines, state: node.state, root: node.root, outside: node.outside,
      shared: node.shared, cycle: node.cycle > 0, marked: marks.length > 0 });
  }

  function foldBox(name, owner, hidden, data) {
    const counts = new Map();
    for (const id of hidden) {
      const key = data.nodes[id].type_key;
      counts.set(key, (counts.get(key) || 0) + 1);
    }
    const lines = ["… " + hidden.length + " more"];
    for (const [key, count] of [...counts].slice(0, 3)) lines.push(short(count + " " + key, 34));
    return size({ id: name, lines, state: "fold", fold: owner });
  }

  // layout(drawn) sets x and y, the centres of nodes, and points of edges.
  function layout(drawn) {
    const graph = new dagre.graphlib.Graph({ multigraph: false });
    graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 60, marginx: 12, marginy: 12 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const node of drawn.nodes) graph.setNode(String(node.id), { width: node.width, height: node.height });
    for (const edge of drawn.edges) {
      graph.setEdge(String(edge.source), String(edge.target),
        { width: Math.min(edge.label.length, 24) * 5.6, height: 12, labelpos: "c" });
    }
    dagre.layout(graph);
    for (const node of drawn.nodes) {
      const at = graph.node(String(node.id));
      node.x = at.x;
      node.y = at.y;
    }
    for (const edge of drawn.edges) {
      const at = graph.edge(String(edge.source), String(edge.target));
      edge.points = at.points.map((point) => [point.x, point.y]);
      edge.at = [at.x, at.y];
    }
    drawn.width = graph.graph().width;
    drawn.height = graph.graph().height;
    return drawn;
  }

  const number = (value) => String(Math.round(value * 10) / 10);
  const UNSEEN = new Set([0x115f, 0x1160, 0x180e, 0x200b, 0x3164, 0xffa0]); // fillers, and a space without width
  // Whether a character acts instead of being shown, as internal/escape has it: XML takes few of them, and others change
  // the order in which a text is read.
  const acts = (code) => code < 32 ? code !== 9 && code !== 10 : code >= 127 && (code < 160 || code === 0x61c ||
    code === 0x200e || code === 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xd800 && code <= 0xdfff) || (code >= 0xfdd0 && code <= 0xfdef) || code === 0xfeff ||
    (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff) || (code & 0xfffe) === 0xfffe ||
    UNSEEN.has(code));
  const markup = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

  // escape(text) is text in an element or in a quoted attribute, of SVG and HTML. Every text of a graph goes through it.
  function escape(text) {
    let out = "";
    for (const char of String(text)) {
      const code = char.codePointAt(0);
      out += acts(code) ? "\\u{" + code.toString(16) + "}" : markup[char] || char;
    }
    return out;
  }

  function path(edge) {
    const points = edge.points.map((point) => number(point[0]) + " " + number(point[1]));
    if (edge.curve) { // cubic, as Graphviz gives them
      let text = "M" + points[0];
      for (let i = 1; i + 2 < points.length; i += 3) text += " C" + points[i] + " " + points[i + 1] + " " + points[i + 2];
      return text;
    }
    return "M" + points.join(" L");
  }

  function drawEdge(edge) {
    const kind = ["edge", edge.cycle ? "cycle" : "", edge.outside ? "outside" : ""].filter((one) => one).join(" ");
    let text = `<g class="${kind}"><path d="${path(edge)}" marker-end="url(#arrow)"/>`;
    if (edge.label) {
      text += `<text x="${number(edge.at[0])}" y="${number(edge.at[1] + 4)}">${escape(short(edge.label, 26))}</text>`;
    }
    return text + "</g>";
  }

  function drawNode(node) {
    const kinds = ["node", "state-" + escape(node.state.toLowerCase().replace("?", "unknown"))];
    for (const kind of ["root", "outside", "shared", "cycle"]) if (node[kind]) kinds.push(kind);
    const x = node.x - node.width / 2, y = node.y - node.height / 2;
    const name = typeof node.id === "number" ? `data-id="${escape(node.id)}"` : `data-fold="${escape(node.fold)}"`;
    let text = `<g class="${kinds.join(" ")}" ${name} tabindex="0" role="button" aria-label="${escape(node.lines.join(", "))}">`;
    text += `<title>${escape(node.lines.join("\n"))}</title>`;
    const rect = (grow, kind) => `<rect class="${kind}" x="${number(x - grow)}" y="${number(y - grow)}" rx="5" ` +
      `width="${number(node.width + 2 * grow)}" height="${number(node.height + 2 * grow)}"/>`;
    if (node.shared) text += rect(3, "second");
    text += rect(0, "box");
    node.lines.forEach((line, i) => {
      const kind = i === 0 ? "name" : node.marked && i === node.lines.length - 1 ? "mark" : "line";
      text += `<text class="${kind}" x="${number(x + PADDING)}" y="${number(y + 16 + i * LINE)}">${escape(line)}</text>`;
    });
    return text + "</g>";
  }

  // leftOut(left) says how many references and roots of a fold are not drawn, "" when all are.
  function leftOut(left) {
    const parts = [];
    if (left.references) parts.push(left.references + " further references between these objects");
    if (left.roots) parts.push(left.roots + " of the objects that were asked for");
    return parts.length > 0 ? parts.join(" and ") + " are not drawn" : "";
  }

  // draw(drawn, style) is the SVG of a laid out graph.
  function draw(drawn, style) {
    const note = leftOut(drawn.left);
    const width = Math.max(Math.ceil(drawn.width), note ? note.length * CHARACTER + 24 : 0);
    const height = Math.ceil(drawn.height) + (note ? LINE + 12 : 0);
    return `<svg xmlns="http://www.w3.org/2000/svg" class="selfsame-graph" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" role="img" aria-label="graph of native objects">` +
      (style ? `<style>${style}</style>` : "") +
      '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">' +
      '<path d="M0 0 L8 4 L0 8 z"/></marker></defs><g class="all">' +
      drawn.edges.map(drawEdge).join("") + drawn.nodes.map(drawNode).join("") +
      (note ? `<text class="left" x="12" y="${height - 12}">${escape(note)}</text>` : "") + "</g></svg>";
  }

  return { FIRST, STEP, STILL, leftOut, index, fold, layout, draw, escape };
})();
