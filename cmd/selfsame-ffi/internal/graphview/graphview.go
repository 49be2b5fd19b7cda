// Package graphview draws graphs of native objects, as selfsame_ffi.debug.graph writes them: an SVG picture, or an HTML
// page with zoom, search and folding that needs no network.
//
// scene.js chooses and draws the nodes in both cases, so that a picture and a page look alike: the page runs it in a
// browser, this package in an interpreter written in Go. The layout is Graphviz's where the program dot is installed,
// otherwise that of dagre (third_party).
//
// Why the command line tool runs JavaScript. A picture and a page of a graph need one layout, and the page needs
// JavaScript. So scene.js folds, lays out with dagre and draws in both: the browser runs it for the page, goja, an
// interpreter written in Go, for the picture. Layout libraries written in Go do not show ownership from left to right,
// or are not kept. The price is 6.5 MB in the tool, 2.4 MB in a wheel.
package graphview

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// Format is the value of the member "format" of a graph's JSON.
const Format = "selfsame.graph/1"

var (
	//go:embed scene.js
	sceneJS string
	//go:embed graph.css
	graphCSS string
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
	//go:embed third_party/dagre.min.js
	dagreJS string
	//go:embed third_party/svg-pan-zoom.min.js
	panJS string
)

// dagre uses a function that browsers have and the interpreter lacks: copies of objects without a class.
const missingJS = `
function structuredClone(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(structuredClone);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, structuredClone(one)]));
}`

// A Graph is a graph as read from JSON.
type Graph struct {
	text []byte
}

// A document is the JSON of a graph. What scripts get is written from it again, so that each member has the type that they
// expect, stands there once, and no other member is there.
type document struct {
	Format    string `json:"format"`
	Truncated int64  `json:"truncated"`
	Nodes     []node `json:"nodes"`
	Edges     []edge `json:"edges"`
}

type node struct {
	ID       *int              `json:"id"`
	TypeKey  *string           `json:"type_key"`
	Address  string            `json:"address"`
	Strong   int64             `json:"strong"`
	Weak     int64             `json:"weak"`
	Bytes    *int64            `json:"bytes"`
	State    string            `json:"state"`
	Record   int64             `json:"record"`
	GoHandle string            `json:"go_handle"`
	Wrapper  *string           `json:"wrapper"`
	Python   *string           `json:"python"`
	Fields   map[string]string `json:"fields"`
	Root     bool              `json:"root"`
	Outside  bool              `json:"outside"`
	Shared   bool              `json:"shared"`
	Cycle    int64             `json:"cycle"`
	Natives  int64             `json:"natives"`
	Unknown  int64             `json:"unknown"`
	HeldBy   [][]string        `json:"held_by"`
}

type edge struct {
	Source *int   `json:"source"`
	Target *int   `json:"target"`
	Kind   string `json:"kind"`
	Label  string `json:"label"`
	Cycle  bool   `json:"cycle"`
}

// states are those of wrapper words, as selfsame_ffi.debug.graph names them. A picture has classes of them.
var states = []string{"Active", "Held", "Inactive", "Detached", "None", "?"}

// Read reads and checks the JSON of a graph.
func Read(r io.Reader) (*Graph, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var content document
	if err := json.Unmarshal(text, &content); err != nil {
		return nil, fmt.Errorf("expected the JSON of a graph: %w", err)
	}
	if content.Format != Format {
		return nil, fmt.Errorf("expected a graph of format %q, got %q", Format, content.Format)
	}
	if content.Nodes == nil || content.Edges == nil {
		return nil, errors.New("expected the lists nodes and edges")
	}
	for i, node := range content.Nodes {
		if node.ID == nil || *node.ID != i || node.TypeKey == nil || node.Fields == nil || node.HeldBy == nil ||
			slices.ContainsFunc(node.HeldBy, func(owner []string) bool { return owner == nil }) {
			return nil, fmt.Errorf("node %d: expected id %d, type_key, fields and held_by", i, i)
		}
		if !slices.Contains(states, node.State) {
			return nil, fmt.Errorf("node %d: expected a state of %s, got %q", i, strings.Join(states, ", "), node.State)
		}
	}
	for i, edge := range content.Edges {
		for _, end := range []*int{edge.Source, edge.Target} {
			if end == nil || *end < 0 || *end >= len(content.Nodes) {
				return nil, fmt.Errorf("edge %d: expected source and target to be ids of the %d nodes", i, len(content.Nodes))
			}
		}
	}
	if text, err = json.Marshal(content); err != nil {
		return nil, err
	}
	return &Graph{text}, nil
}

// IsDrawing reports whether a text is a picture or a page that this package, of any release, wrote.
func IsDrawing(text []byte) bool {
	return bytes.HasPrefix(text, []byte(`<svg xmlns="http://www.w3.org/2000/svg" class="selfsame-graph"`)) ||
		bytes.HasPrefix(text, []byte("<!doctype html>\n")) && bytes.Contains(text, []byte(Format))
}

// Layout says which program places the nodes.
type Layout string

const (
	Auto  Layout = "auto"  // Dot where it is installed, otherwise Dagre
	Dot   Layout = "dot"   // Graphviz
	Dagre Layout = "dagre" // the library in third_party
)

// SVG draws the graph, with large fans folded. leftOut says how much is not drawn of a graph of many nodes and references, "" when all
// is; the picture says it too. Its colours follow the reader's preference for light or dark.
func (g *Graph) SVG(ctx context.Context, layout Layout) (svg, leftOut string, err error) {
	vm := goja.New()
	vm.SetParserOptions(parser.WithDisableSourceMaps)
	stop := context.AfterFunc(ctx, func() { vm.Interrupt(ctx.Err()) })
	defer stop()
	for _, script := range []struct{ name, text string }{{"missing.js", missingJS}, {"dagre.min.js", dagreJS}, {"scene.js", sceneJS}} {
		if _, err := vm.RunScript(script.name, script.text); err != nil {
			return "", "", err
		}
	}
	if err := vm.Set("text", string(g.text)); err != nil {
		return "", "", err
	}
	if _, err := vm.RunString(`var drawn = scene.fold(scene.index(JSON.parse(text)), new Map(), scene.STILL), left = drawn.left`); err != nil {
		return "", "", err
	}
	placed := false
	if layout != Dagre {
		folded, err := vm.RunString(`JSON.stringify(drawn)`)
		if err != nil {
			return "", "", err
		}
		plan, err := layOutByDot(ctx, []byte(folded.String()))
		switch {
		case err == nil:
			placed = true
			if err := vm.Set("plan", string(plan)); err != nil {
				return "", "", err
			}
			if _, err := vm.RunString(`drawn = JSON.parse(plan)`); err != nil {
				return "", "", err
			}
		case layout == Dot:
			return "", "", err
		}
	}
	if !placed {
		if _, err := vm.RunString(`scene.layout(drawn)`); err != nil {
			return "", "", err
		}
	}
	if err := vm.Set("style", graphCSS); err != nil {
		return "", "", err
	}
	drawing, err := vm.RunString(`drawn.left = left, scene.draw(drawn, style)`)
	if err != nil {
		return "", "", err
	}
	note, err := vm.RunString(`scene.leftOut(left)`)
	if err != nil {
		return "", "", err
	}
	return drawing.String() + "\n", note.String(), nil
}

// HTML returns a page with the whole graph in it.
func (g *Graph) HTML(title string) string {
	return strings.NewReplacer(
		"{{title}}", escape.HTML(title), "{{css}}", graphCSS+pageCSS, "{{data}}", escape.HTMLData(g.text), "{{pan}}", panJS,
		"{{dagre}}", strings.ReplaceAll(dagreJS, "//# sourceMappingURL=dagre.min.js.map", ""),
		"{{scene}}", sceneJS, "{{page}}", pageJS,
	).Replace(pageHTML)
}
