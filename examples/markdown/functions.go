package markdown

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame"
)

func init() {
	selfsame.MustRegisterFunc("markdown.parse", Parse)
	selfsame.MustRegisterFunc("markdown.headings", Headings)
	selfsame.MustRegisterFunc("markdown.links", Links)
	selfsame.MustRegisterFunc("markdown.heading", HeadingAt)
	selfsame.MustRegisterFunc("markdown.walk", Walk)
	selfsame.MustRegisterFunc("markdown.echo", Echo)
	selfsame.MustRegisterFunc("markdown.apply", Apply)
	selfsame.MustRegisterFunc("markdown.explain", Explain)
	selfsame.MustRegisterFunc("markdown.tally", Tally)
	selfsame.MustRegisterFunc("markdown.buggy_tally", BuggyTally)
	selfsame.MustRegisterFunc("markdown.collect", selfsame.Collect)
}

// Parse reads a Markdown document and gives the root of its tree.
func Parse(source string) *selfsame.Handle[Document] { return convert([]byte(source)) }

// Headings lists the headings in and below a node, in the order of the document.
func Headings(node *Node) []*Node {
	return collect(node, func(n *Node) bool { return is[Heading](n) })
}

// Links lists the links in and below a node, automatic ones included, in the order of the document.
func Links(node *Node) []*Node {
	return collect(node, func(n *Node) bool { return is[Link](n) || is[AutoLink](n) })
}

// HeadingAt gives the heading with a number, counted from 0 in the order of the document.
func HeadingAt(doc *Document, index int) (*Node, error) {
	headings := Headings(&doc.Node)
	if index < 0 || index >= len(headings) {
		return nil, selfsame.Errorf("IndexError", "heading %d of a document with %d headings", index, len(headings))
	}
	return headings[index], nil
}

// Walk calls the callback with the node and each node below it, in the order of the document. Where the callback returns
// False, what is below that node is left out.
func Walk(node *Node, callback *selfsame.Function) error {
	result, err := callback.Call(node)
	if err != nil {
		return err
	}
	if result == false {
		return nil
	}
	for _, child := range node.Children.All() {
		if err := Walk(child, callback); err != nil {
			return err
		}
	}
	return nil
}

// Echo gives its argument back.
func Echo(node *Node) *Node { return node }

// Apply calls the callback with a node and gives back what it returns.
func Apply(callback *selfsame.Function, node *Node) (any, error) { return callback.Call(node) }

// Explain calls the callback with a node and describes the outcome as a Go program sees it, errors of other
// languages included.
func Explain(callback *selfsame.Function, node *Node) string {
	_, err := callback.Call(node)
	if raised := (*selfsame.Error)(nil); errors.As(err, &raised) {
		return fmt.Sprintf("the callback failed with a %s: %s", raised.Kind, raised.Message)
	}
	return "the callback was content"
}

// Tally counts the nodes in and below a node by their kind and gives one line for each kind.
func Tally(node *Node) []string {
	counts := map[string]int{}
	count(node, counts)
	var lines []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, fmt.Sprintf("%s: %d", kind, counts[kind]))
	}
	return lines
}

// BuggyTally counts like Tally, but was written in haste: it writes to a nil map, and so panics.
func BuggyTally(node *Node) []string {
	var counts map[string]int
	count(node, counts)
	return nil
}

// TextContent returns the text of a node: the pieces of a line follow one another, blocks stand on lines of their own.
func (n *Node) TextContent() string {
	if text, ok := selfsame.PtrAs[Text](n); ok {
		s := text.Value.Get()
		if text.SoftBreak || text.HardBreak {
			s += "\n"
		}
		return s
	}
	if code, ok := selfsame.PtrAs[CodeBlock](n); ok {
		return code.Code.Get()
	}
	if code, ok := selfsame.PtrAs[FencedCodeBlock](n); ok {
		return code.Code.Get()
	}
	if link, ok := selfsame.PtrAs[AutoLink](n); ok {
		return link.Label.Get()
	}
	var parts []string
	between := "\n"
	for _, child := range n.Children.All() {
		if isInline(child) {
			between = ""
		}
		if s := child.TextContent(); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, between)
}

// Kind names the node's class, such as Heading.
func (n *Node) Kind() string { return strings.TrimPrefix(selfsame.TypeKeyOf(n), "markdown.") }

// collect lists the nodes in and below a node for which wanted is true.
func collect(node *Node, wanted func(*Node) bool) []*Node {
	var found []*Node
	if wanted(node) {
		found = append(found, node)
	}
	for _, child := range node.Children.All() {
		found = append(found, collect(child, wanted)...)
	}
	return found
}

func count(node *Node, counts map[string]int) {
	counts[node.Kind()]++
	for _, child := range node.Children.All() {
		count(child, counts)
	}
}

func is[T any](n *Node) bool {
	_, ok := selfsame.PtrAs[T](n)
	return ok
}

func isInline(n *Node) bool {
	return is[Text](n) || is[Emphasis](n) || is[CodeSpan](n) || is[Link](n) || is[Image](n) || is[AutoLink](n) || is[RawHTML](n)
}
