package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

const oneObject = `{"format": "selfsame.graph/1", "truncated": 0, "edges": [], "nodes": [{"id": 0, "type_key": "t.Root",
 "address": "0x40", "strong": 1, "weak": 1, "bytes": 24, "state": "Active", "record": 1, "go_handle": "0x0", "fields": {},
 "root": true, "outside": false, "shared": false, "cycle": 0, "unknown": 0, "held_by": []}]}`

// Requirement: G5
func TestGraphWritesPicturesAndPages(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "tree.json")
	testenv.OK(t, os.WriteFile(data, []byte(oneObject), 0o644))
	for name, want := range map[string]string{"a.svg": "<svg ", "a.html": "<title>tree</title>"} {
		if output, err := selfsame(t, "graph", data, "-o", filepath.Join(folder, name)); err != nil || output != "" {
			t.Fatalf("%s: got output %q, error %v", name, output, err)
		}
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: got %.200s, error %v", name, text, err)
		}
	}
	if output, err := selfsame(t, "graph", data, "--format", "svg", "--layout", "dagre"); err != nil || !strings.Contains(output, "t.Root") {
		t.Errorf("got %.200s, error %v", output, err)
	}
}

func TestGraphRefusesWrongArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "graph: expected one JSON file, got 0 arguments"},
		{[]string{"x.json", "--format", "png"}, `graph: --format: expected svg or html, got "png"`},
		{[]string{"x.json", "--layout", "neato"}, `graph: --layout: expected auto, dot or dagre, got "neato"`},
		{[]string{"missing.json"}, "graph: open missing.json"},
		{[]string{os.DevNull}, "graph: " + os.DevNull + ": expected the JSON of a graph"},
	} {
		if _, err := selfsame(t, append([]string{"graph"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got error %v, want %q", c.args, err, c.want)
		}
	}
}
