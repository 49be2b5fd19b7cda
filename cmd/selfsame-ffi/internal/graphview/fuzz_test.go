package graphview

import (
	"context"
	"strings"
	"testing"
	"time"
)

// FuzzGraph reads the JSON of graphs from anywhere: it is refused, or drawn as a picture and a page in which its texts stay
// texts.
func FuzzGraph(f *testing.F) {
	f.Add(graphOf(3))
	f.Add(strings.ReplaceAll(graphOf(2), "testing", `</script><script>alert(1)</script>`))
	f.Add(`{"format":"selfsame.graph/1","nodes":[],"edges":[],"truncated":-1}`)
	f.Add(`{"format":"selfsame.graph/1","nodes":[{"id":0,"type_key":"__proto__","fields":{"__proto__":"x"},"held_by":[[]],"state":"?"}],` +
		`"edges":[{"source":0,"target":0,"kind":"constructor","label":"]]>"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		graph, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		page := graph.HTML(text)
		if got, want := strings.Count(strings.ToLower(page), "</script"), strings.Count(strings.ToLower((&Graph{[]byte("{}")}).HTML("")), "</script"); got != want {
			t.Errorf("the page has %d ends of scripts, expected %d", got, want)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		svg, _, err := graph.SVG(ctx, Dagre)
		if err != nil {
			t.Fatalf("a graph that was read cannot be drawn: %v", err)
		}
		elements(t, "fuzzed", svg)
	})
}
