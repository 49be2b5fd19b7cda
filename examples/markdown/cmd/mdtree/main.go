// Command mdtree prints the headings, links and text of a Markdown file as JSON, with goldmark alone. The Python
// package made of examples/markdown must give the same.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/selfsame-ffi/selfsame/examples/markdown/internal/plain"
)

type heading struct {
	Level int    `json:"level"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
}

type link struct {
	Destination string `json:"destination"`
	Title       string `json:"title"`
	Text        string `json:"text"`
}

// summary is the printed JSON.
type summary struct {
	Headings []heading `json:"headings"`
	Links    []link    `json:"links"`
	Text     string    `json:"text"`
	Nodes    int       `json:"nodes"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mdtree FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mdtree:", err)
		os.Exit(1)
	}
}

func run(path string, out io.Writer) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(summarize(source))
}

func summarize(source []byte) summary {
	doc := goldmark.DefaultParser().Parse(text.NewReader(source))
	s := summary{Headings: []heading{}, Links: []link{}, Text: content(doc, source)}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		s.Nodes++
		switch n := n.(type) {
		case *ast.Heading:
			line := 1 + strings.Count(string(source[:n.Pos()]), "\n")
			s.Headings = append(s.Headings, heading{n.Level, line, content(n, source)})
		case *ast.Link:
			s.Links = append(s.Links, link{plain.URL(n.Destination), plain.Text(n.Title), content(n, source)})
		case *ast.AutoLink:
			s.Links = append(s.Links, link{plain.AutoLinkURL(n, source), "", content(n, source)})
		}
		return ast.WalkContinue, nil
	})
	return s
}

// content returns the text of a node: the pieces of a line follow one another, blocks stand on lines of their own.
func content(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		s := plain.Segment(n, source)
		if n.SoftLineBreak() || n.HardLineBreak() {
			s += "\n"
		}
		return s
	case *ast.String:
		return string(n.Value)
	case *ast.AutoLink:
		return string(n.Label(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return string(n.Lines().Value(source))
	case *ast.RawHTML, *ast.HTMLBlock, *ast.ThematicBreak, *ast.LinkReferenceDefinition:
		return ""
	}
	var parts []string
	inline := n.Type() == ast.TypeInline
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inline = inline || c.Type() == ast.TypeInline
		if s := content(c, source); s != "" {
			parts = append(parts, s)
		}
	}
	if inline {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, "\n")
}
