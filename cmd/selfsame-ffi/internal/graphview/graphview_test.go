package graphview

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// graphOf makes the JSON of a root that owns `fan` objects and belongs to a cycle with one more.
func graphOf(fan int) string {
	node := func(id int, key string, root bool) map[string]any {
		return map[string]any{
			"id": id, "type_key": key, "address": fmt.Sprintf("%#x", 4096+64*id), "strong": 1, "weak": 1, "bytes": 40,
			"state": "Active", "record": 1, "go_handle": "0x0", "wrapper": "Leaf", "python": nil,
			"fields": map[string]string{"value": "<" + fmt.Sprint(id) + ">"}, "root": root, "outside": false,
			"shared": false, "cycle": 0, "natives": 1, "unknown": 0, "held_by": [][]string{{"module m.x"}},
		}
	}
	nodes := []map[string]any{node(0, "t.Root", true), node(1, "t.Other", false)}
	edge := func(from, to int, label string, cycle bool) map[string]any {
		return map[string]any{"source": from, "target": to, "kind": "field", "label": label, "cycle": cycle}
	}
	edges := []map[string]any{edge(0, 1, "other", true), edge(1, 0, "root", true)}
	for i := range fan {
		nodes = append(nodes, node(2+i, "t.Leaf", false))
		edges = append(edges, edge(1, 2+i, fmt.Sprintf("leaf%d", i), false))
	}
	text, _ := json.Marshal(map[string]any{"format": Format, "truncated": 0, "nodes": nodes, "edges": edges})
	return string(text)
}

func read(t *testing.T, text string) *Graph {
	t.Helper()
	graph := testenv.Value(Read(strings.NewReader(text)))(t)
	return graph
}

// classes counts the elements of a picture by class, and fails when it is no XML.
func classes(t *testing.T, svg string) map[string]int {
	t.Helper()
	found := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("%v in %.300s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok {
			for _, attribute := range start.Attr {
				if attribute.Name.Local == "class" {
					for _, class := range strings.Fields(attribute.Value) {
						found[class]++
					}
				}
			}
		}
	}
}

// Requirement: G5
func TestPicturesShowNodesEdgesAndCycles(t *testing.T) {
	for _, layout := range []Layout{Dagre, Dot} {
		t.Run(string(layout), func(t *testing.T) {
			if _, err := exec.LookPath("dot"); layout == Dot && err != nil {
				t.Skip("Graphviz is not installed")
			}
			svg, _, err := read(t, graphOf(3)).SVG(context.Background(), layout)
			if err != nil {
				t.Fatal(err)
			}
			found := classes(t, svg)
			// A node's group has "cycle" only when its number is not 0, so here the edges alone have it.
			if found["node"] != 5 || found["edge"] != 5 || found["cycle"] != 2 || found["root"] != 1 {
				t.Errorf("got %v", found)
			}
			if !strings.Contains(svg, "value = &lt;4&gt;") || !strings.Contains(svg, ">.leaf2<") {
				t.Error("a field or a label is missing")
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "undefined") {
				t.Error("a node or an edge has no place")
			}
		})
	}
}

// Requirement: G5
func TestLargeFansAreFolded(t *testing.T) {
	svg, _, err := read(t, graphOf(10_000)).SVG(context.Background(), Dagre)
	if err != nil {
		t.Fatal(err)
	}
	if found := classes(t, svg); found["node"] != 11 || found["state-fold"] != 1 {
		t.Errorf("got %v, expected the root, its neighbour, 8 leaves and a fold", found)
	}
	if !strings.Contains(svg, "… 9992 more") {
		t.Error("the fold does not say how many there are")
	}
}

func TestPagesNeedNoNetwork(t *testing.T) {
	text := graphOf(2)
	text = strings.Replace(text, "t.Other", "</script><!--", 1)
	page := read(t, text).HTML("a & b")
	if strings.Count(page, "</script>") != strings.Count(page, "<script") || strings.Contains(page, "<!--") {
		t.Error("text of the graph ends a script element")
	}
	if !strings.Contains(page, "<title>a &amp; b</title>") || !strings.Contains(page, "default-src 'none'") {
		t.Error("the title or the content security policy is missing")
	}
	for _, sign := range []string{` src="`, ` href="`, "@import", "url(http", "fetch(", "sourceMappingURL"} {
		if strings.Contains(page, sign) {
			t.Errorf("the page refers to another file: %s", sign)
		}
	}
}

func TestWrongGraphsAreRefused(t *testing.T) {
	good := graphOf(1)
	for _, c := range []struct{ text, want string }{
		{"[", "expected the JSON of a graph"},
		{`{"nodes": [], "edges": []}`, `expected a graph of format "selfsame.graph/1", got ""`},
		{`{"format": "selfsame.graph/1", "edges": []}`, "expected the lists nodes and edges"},
		{`{"format": "selfsame.graph/1", "nodes": [], "edges": null}`, "expected the lists nodes and edges"},
		{strings.Replace(good, `"id":1,`, `"id":7,`, 1), "node 1: expected id 1"},
		{strings.Replace(good, `"target":2`, `"target":3`, 1), "edge 2: expected source and target to be ids of the 3 nodes"},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, expected %q", err, c.want)
		}
	}
}

// Requirement: G5
func TestTextOfGraphsStaysText(t *testing.T) {
	markup := `"><image href="x" onerror="alert(1)"/><g class="` + "'><script>alert(2)</script>&amp;\x00\x1b[31m\u202egnp\u2028\ufffe]]>"
	good := graphOf(1)
	texts := []string{"t.Root", "leaf0", "Active", `"field"`, "module m.x", "0x1000", `"Leaf"`, "value"}
	for _, place := range texts {
		quoted, _ := json.Marshal(markup)
		inner := string(quoted[1 : len(quoted)-1])
		if strings.HasPrefix(place, `"`) {
			inner = `"` + inner + `"`
		}
		text := strings.ReplaceAll(good, place, inner)
		graph, err := Read(strings.NewReader(text))
		if place == "Active" {
			if err == nil || !strings.Contains(err.Error(), "expected a state of Active, Held") {
				t.Errorf("a state: got %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", place, err)
		}
		svg, _, err := graph.SVG(context.Background(), Dagre)
		if err != nil {
			t.Fatal(err)
		}
		elements(t, place, svg)
		page := graph.HTML(markup)
		if strings.Count(page, "</script>") != strings.Count(page, "<script") || strings.Contains(page, "<image") {
			t.Errorf("%s: text is markup in the page", place)
		}
	}
}

// elements fails when a picture is no XML, or has an element or attribute that scene.js does not write.
func elements(t *testing.T, place, svg string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", place, err)
		}
		if start, ok := token.(xml.StartElement); ok {
			if !strings.Contains(" svg style defs marker path g text title rect ", " "+start.Name.Local+" ") {
				t.Errorf("%s: the element %s", place, start.Name.Local)
			}
			for _, attribute := range start.Attr {
				if strings.HasPrefix(attribute.Name.Local, "on") || attribute.Name.Local == "href" {
					t.Errorf("%s: the attribute %s", place, attribute.Name.Local)
				}
			}
		}
	}
}

func TestMembersHaveTheirTypesOnce(t *testing.T) {
	good := graphOf(1)
	for _, wrong := range []string{
		strings.Replace(good, `"strong":1`, `"strong":"<b>"`, 1), strings.Replace(good, `"cycle":0`, `"cycle":[]`, 1),
		strings.Replace(good, `"label":"leaf0"`, `"label":{}`, 1), strings.Replace(good, `"root":true`, `"root":"x"`, 1),
		strings.Replace(good, `"value":"`, `"value":5,"v":"`, 1), good + good, strings.Repeat("[", 100_000),
	} {
		if _, err := Read(strings.NewReader(wrong)); err == nil || !strings.Contains(err.Error(), "expected the JSON of a graph") {
			t.Errorf("got %v", err)
		}
	}
	graph := read(t, strings.Replace(good, `"strong":1`, `"foreign":"<b>","STRONG":2,"strong":1`, 1))
	if strings.Contains(string(graph.text), "foreign") || strings.Contains(string(graph.text), "STRONG") {
		t.Error("a member that is not of the format is passed on")
	}
}

func TestLargeGraphsAreDrawn(t *testing.T) {
	const size = 20_000
	star := func(i int) (int, int) { return 0, i + 1 }
	into := func(i int) (int, int) { return i + 1, 0 }
	for name, ends := range map[string]func(int) (int, int){"star": star, "into": into} {
		var content document
		content.Format = Format
		key := "t.Node"
		for i := range size {
			content.Nodes = append(content.Nodes, node{
				ID: &i, TypeKey: &key, State: "None", Root: i == 0, Fields: map[string]string{}, HeldBy: [][]string{},
				Outside: name == "into" && i > 0,
			})
			if i+1 < size {
				source, target := ends(i)
				content.Edges = append(content.Edges, edge{Source: &source, Target: &target, Kind: "item"})
			}
		}
		text := testenv.Value(json.Marshal(content))(t)
		svg, _, err := read(t, string(text)).SVG(context.Background(), Dagre)
		if err != nil {
			t.Fatal(err)
		}
		if found := classes(t, svg); found["node"] > 500 {
			t.Errorf("%s: %d nodes are drawn", name, found["node"])
		}
	}
}

// scene.js shows the same characters by their number as the other outputs do.
func TestPicturesHideTheSameCharacters(t *testing.T) {
	vm := goja.New()
	testenv.Value(vm.RunString(sceneJS))(t)
	tried := func(r rune) bool { // those near any that act
		return utf8.ValidRune(r) && (r < 0x3000 || 0xF000 <= r && r < 0x10000 || r&0xFFF0 == 0xFFF0 || 0xE0000 <= r && r < 0xE0100)
	}
	var codes []rune
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if tried(r) {
			codes = append(codes, r)
		}
	}
	testenv.OK(t, vm.Set("codes", codes))
	changed, err := vm.RunString(`(() => {
		const found = [];
		for (const code of codes) {
			const text = String.fromCodePoint(code), out = scene.escape(text);
			if (out !== text && out[0] !== "&") found.push(code);
		}
		return found.join(" ");
	})()`)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range codes {
		if r != '\n' && r != '\t' && escape.TerminalLine(string(r)) != string(r) {
			want = append(want, fmt.Sprint(int(r)))
		}
	}
	if changed.String() != strings.Join(want, " ") {
		t.Errorf("got %s\nexpected %s", changed, strings.Join(want, " "))
	}
}

// A picture has a bounded number of nodes and references, and says how many there are besides.
//
// Requirement: I11
func TestAPictureIsBounded(t *testing.T) {
	const count, each, roots = 300, 5, 250
	var nodes, edges []string
	for i := range count {
		nodes = append(nodes, fmt.Sprintf(`{"id": %d, "type_key": "t.N", "state": "None", "fields": {}, "held_by": [], "root": %v}`, i, i < roots))
		for step := range each {
			edges = append(edges, fmt.Sprintf(`{"source": %d, "target": %d, "kind": "field", "label": "f", "cycle": %v}`,
				i, (i*7+step*31+1)%count, i == count/2))
		}
	}
	text := fmt.Sprintf(`{"format": %q, "nodes": [%s], "edges": [%s]}`, Format, strings.Join(nodes, ","), strings.Join(edges, ","))
	svg, leftOut, err := read(t, text).SVG(t.Context(), Dagre)
	if err != nil {
		t.Fatal(err)
	}
	drawn, references := strings.Count(svg, `<g class="node`), strings.Count(svg, `<g class="edge`)
	if drawn < 200 || drawn > 400 || references > drawn+50 {
		t.Errorf("%d nodes and %d references are drawn", drawn, references)
	}
	var further, asked int
	const form = "%d further references between these objects and %d of the objects that were asked for are not drawn"
	if _, err := fmt.Sscanf(leftOut, form, &further, &asked); err != nil || further < 100 || asked != roots-200 || !strings.Contains(svg, leftOut) {
		t.Errorf("left out: %q, %v", leftOut, err)
	}
}
