package graphview

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const (
	pointsPerInch = 72
	dotLimit      = 30 * time.Second // a larger graph gets the other layout
)

// A drawing is what scene.js passes from its fold to its layout and on to draw. Members that are not named here are
// in rest.
type drawing struct {
	Nodes  []map[string]any `json:"nodes"`
	Edges  []map[string]any `json:"edges"`
	Width  float64          `json:"width"`
	Height float64          `json:"height"`
}

// layOutByDot places the nodes and edges of a folded graph with Graphviz's dot.
func layOutByDot(ctx context.Context, folded []byte) ([]byte, error) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		return nil, fmt.Errorf("the layout dot needs Graphviz: %w", err)
	}
	var drawn drawing
	if err := json.Unmarshal(folded, &drawn); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, dotLimit)
	defer cancel()
	command := exec.CommandContext(ctx, dot, "-Tplain")
	numbers := map[any]int{}
	for i, node := range drawn.Nodes {
		numbers[node["id"]] = i
	}
	command.Stdin = strings.NewReader(drawn.dot(numbers))
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", dot, err, strings.TrimSpace(problems.String()))
	}
	if err := drawn.place(string(out), numbers); err != nil {
		return nil, fmt.Errorf("%s: %w", dot, err)
	}
	return json.Marshal(drawn)
}

// dot returns the drawing in Graphviz's language: boxes of fixed sizes, and labels of about the right length.
func (d *drawing) dot(numbers map[any]int) string {
	var text strings.Builder
	text.WriteString("digraph { rankdir=LR; nodesep=0.2; ranksep=0.8; node [shape=box fixedsize=true label=\"\"]; edge [fontsize=9 arrowhead=none];\n")
	for i, node := range d.Nodes {
		width, _ := node["width"].(float64)
		height, _ := node["height"].(float64)
		fmt.Fprintf(&text, "n%d [width=%.3f height=%.3f];\n", i, width/pointsPerInch, height/pointsPerInch)
	}
	for _, edge := range d.Edges {
		label, _ := edge["label"].(string)
		fmt.Fprintf(&text, "n%d -> n%d [label=\"%s\"];\n",
			numbers[edge["source"]], numbers[edge["target"]], strings.Repeat("w", min(len([]rune(label)), 24)))
	}
	text.WriteString("}\n")
	return text.String()
}

// place reads what `dot -Tplain` wrote: inches, from the bottom left.
func (d *drawing) place(plain string, numbers map[any]int) error {
	const margin = 12
	at := func(words []string, i int) ([]float64, error) {
		if i+2 > len(words) {
			return nil, fmt.Errorf("a line is too short: %q", strings.Join(words, " "))
		}
		x, errX := strconv.ParseFloat(words[i], 64)
		y, errY := strconv.ParseFloat(words[i+1], 64)
		if errX != nil || errY != nil {
			return nil, fmt.Errorf("not a position: %q", strings.Join(words, " "))
		}
		return []float64{x*pointsPerInch + margin, d.Height - margin - y*pointsPerInch}, nil
	}
	edges := map[string]map[string]any{}
	for _, edge := range d.Edges {
		edges[fmt.Sprintf("n%d n%d", numbers[edge["source"]], numbers[edge["target"]])] = edge
	}
	for _, line := range strings.Split(plain, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) >= 4 && words[0] == "graph":
			width, _ := strconv.ParseFloat(words[2], 64)
			height, _ := strconv.ParseFloat(words[3], 64)
			d.Width, d.Height = width*pointsPerInch+2*margin, height*pointsPerInch+2*margin
		case len(words) >= 4 && words[0] == "node":
			i, err := strconv.Atoi(strings.TrimPrefix(words[1], "n"))
			if err != nil || i < 0 || i >= len(d.Nodes) {
				return fmt.Errorf("not a node: %q", line)
			}
			point, err := at(words, 2)
			if err != nil {
				return err
			}
			d.Nodes[i]["x"], d.Nodes[i]["y"] = point[0], point[1]
		case len(words) >= 4 && words[0] == "edge":
			edge := edges[words[1]+" "+words[2]]
			count, err := strconv.Atoi(words[3])
			if edge == nil || err != nil || count < 1 || len(words) <= 4+2*count {
				return fmt.Errorf("not an edge: %q", line)
			}
			points := make([][]float64, count)
			for i := range points {
				if points[i], err = at(words, 4+2*i); err != nil {
					return err
				}
			}
			edge["points"], edge["curve"], edge["at"] = points, true, points[count/2]
			if strings.HasPrefix(strings.Trim(words[4+2*count], `"`), "w") {
				if edge["at"], err = at(words, 5+2*count); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
