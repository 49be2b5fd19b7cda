package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestSummarize(t *testing.T) {
	source := "Title\n=====\n\nSome *text* with [a `link`](</a b> \"t\") and <me@example.org>\\\nand &amp; \\*.\n\n" +
		"- one\n- two\n\n<!-- hidden -->\n\n## End ##\n\n    code\n"
	got := summarize([]byte(source))
	want := summary{
		Headings: []heading{{1, 1, "Title"}, {2, 12, "End"}},
		Links:    []link{{"/a%20b", "t", "a link"}, {"mailto:me@example.org", "", "me@example.org"}},
		Text:     "Title\nSome text with a link and me@example.org\nand & *.\none\ntwo\nEnd\ncode\n",
	}
	got.Nodes = 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.md")
	if err := os.WriteFile(path, []byte("# a < b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(path, &out); err != nil {
		t.Fatal(err)
	}
	var got summary
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Text != "a < b" || got.Nodes != 4 {
		t.Errorf("got %s, error %v", out.String(), err)
	}
	if err := run(path+".gone", &out); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a missing file: got error %v", err)
	}
}
