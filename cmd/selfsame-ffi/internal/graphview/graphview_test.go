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
	graph, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
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
			svg, err := read(t, graphOf(3)).SVG(context.Background(), layout)
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
	svg, err := read(t, graphOf(10_000)).SVG(context.Background(), Dagre)
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
		{strings.Replace(good, `"id":1,`, `"id":7,`, 1), "node 1: expected id 1"},
		{strings.Replace(good, `"target":2`, `"target":3`, 1), "edge 2: expected source and target to be ids of the 3 nodes"},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, expected %q", err, c.want)
		}
	}
}
