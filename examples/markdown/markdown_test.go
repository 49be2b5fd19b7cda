package markdown

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

const sample = "# One *big* heading\n\nA [link](/to 'the title') and <me@example.org>.\\\nNext & last.\n\n" +
	"3. a\n4. b\n\n## Two\n\n```go\nx := 1\n```\n\n    indented\n\n> quoted\n\n<div>\n\n[ref]: /x \"y\"\n"

// parsed parses a document and releases it at the end of the test, which fails when an object outlives it.
func parsed(t *testing.T, source string) *Document {
	t.Helper()
	before := live(t)
	doc := Parse(source)
	t.Cleanup(func() {
		doc.Release()
		selfsame.Collect()
		if after := live(t); !reflect.DeepEqual(before, after) {
			t.Errorf("live objects: %v before, %v after", before, after)
		}
	})
	return doc.Get()
}

// live counts the live objects of every class of the package, and arrays and strings.
func live(t *testing.T) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for _, key := range []string{
		"Node", "Document", "Heading", "Paragraph", "TextBlock", "Blockquote", "List", "ListItem", "CodeBlock", "FencedCodeBlock",
		"HTMLBlock", "ThematicBreak", "LinkReferenceDefinition", "Text", "Emphasis", "CodeSpan", "Link", "Image", "AutoLink", "RawHTML",
	} {
		n, ok := selfsame.LiveObjects("markdown." + key)
		if !ok {
			t.Fatalf("no live count for markdown.%s", key)
		}
		counts[key] = n
	}
	for _, key := range []string{"ffi.Array", "ffi.String"} {
		counts[key], _ = selfsame.LiveObjects(key)
	}
	return counts
}

func kinds(nodes []*Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Kind())
	}
	return out
}

func TestParse(t *testing.T) {
	doc := parsed(t, sample)
	want := []string{
		"Heading", "Paragraph", "List", "Heading", "FencedCodeBlock", "CodeBlock", "Blockquote", "HTMLBlock", "LinkReferenceDefinition",
	}
	children := doc.Children.Slice()
	if got := kinds(children); !slices.Equal(got, want) {
		t.Fatalf("the document's children are %v, want %v", got, want)
	}
	lines := []int{1, 3, 6, 9, 11, 15, 17, 19, 21}
	for i, n := range children {
		if n.Line != lines[i] {
			t.Errorf("%s begins on line %d, want %d", n.Kind(), n.Line, lines[i])
		}
	}
	list, ok := selfsame.PtrAs[List](children[2])
	if !ok || !list.Ordered || list.Start != 3 || !list.Tight || list.Marker.Get() != "." || list.Children.Len() != 2 {
		t.Errorf("the list is %+v", list)
	}
	code, ok := selfsame.PtrAs[FencedCodeBlock](children[4])
	if !ok || code.Language.Get() != "go" || code.Code.Get() != "x := 1\n" {
		t.Errorf("the code is %q in %q", code.Code.Get(), code.Language.Get())
	}
	definition, ok := selfsame.PtrAs[LinkReferenceDefinition](children[8])
	if !ok || definition.Label.Get() != "ref" || definition.Destination.Get() != "/x" || definition.Title.Get() != "y" {
		t.Errorf("the definition is %q, %q, %q", definition.Label.Get(), definition.Destination.Get(), definition.Title.Get())
	}
	links := Links(&doc.Node)
	if got := kinds(links); !slices.Equal(got, []string{"Link", "AutoLink"}) {
		t.Fatalf("the links are %v", got)
	}
	link, _ := selfsame.PtrAs[Link](links[0])
	auto, _ := selfsame.PtrAs[AutoLink](links[1])
	if link.Destination.Get() != "/to" || link.Title.Get() != "the title" || auto.Destination.Get() != "mailto:me@example.org" {
		t.Errorf("links to %q (%q) and %q", link.Destination.Get(), link.Title.Get(), auto.Destination.Get())
	}
}

func TestTextContent(t *testing.T) {
	doc := parsed(t, sample)
	want := "One big heading\nA link and me@example.org.\nNext & last.\na\nb\nTwo\nx := 1\n\nindented\n\nquoted"
	if got := doc.TextContent(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestHeadings(t *testing.T) {
	doc := parsed(t, sample)
	var texts []string
	for _, h := range Headings(&doc.Node) {
		texts = append(texts, h.TextContent())
	}
	if !slices.Equal(texts, []string{"One big heading", "Two"}) {
		t.Errorf("the headings are %q", texts)
	}
	second, err := HeadingAt(doc, 1)
	if err != nil || second.TextContent() != "Two" {
		t.Errorf("heading 1 is %v, error %v", second, err)
	}
	for _, index := range []int{-1, 2} {
		_, err := HeadingAt(doc, index)
		var failure *selfsame.Error
		if !errors.As(err, &failure) || failure.Kind != "IndexError" || !strings.Contains(failure.Message, "with 2 headings") {
			t.Errorf("heading %d: got error %v, want an IndexError", index, err)
		}
	}
}

func TestTally(t *testing.T) {
	doc := parsed(t, "a *b*\n\nc\n")
	want := []string{"Document: 1", "Emphasis: 1", "Paragraph: 2", "Text: 3"}
	if got := Tally(&doc.Node); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The functions that other languages call, through their registrations.
func TestFunctions(t *testing.T) {
	doc := parsed(t, sample)
	var met []string
	callback, err := selfsame.NewFunc(func(n *Node) bool {
		met = append(met, n.Kind())
		return n.Kind() != "Paragraph"
	})
	if err != nil {
		t.Fatal(err)
	}
	defer callback.Release()
	call := func(name string, args ...any) (any, error) {
		f, err := selfsame.GetFunc("markdown." + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Release()
		return f.Call(args...)
	}
	if _, err := call("walk", doc, callback); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(met, "Link") || !slices.Contains(met, "Emphasis") || met[0] != "Document" {
		t.Errorf("the walk met %v; it should leave out what is in a paragraph", met)
	}
	same, err := call("echo", doc)
	if h, ok := same.(*selfsame.Handle[Document]); err != nil || !ok || h.Get() != doc {
		t.Errorf("echo gave %v, error %v", same, err)
	}
	applied, err := call("apply", callback, doc)
	if err != nil || applied != true {
		t.Errorf("apply gave %v, error %v", applied, err)
	}
	failing, err := selfsame.NewFunc(func(*Node) error { return selfsame.Errorf("KeyError", "no such node") })
	if err != nil {
		t.Fatal(err)
	}
	defer failing.Release()
	if text, err := call("explain", failing, doc); err != nil || text != "the callback failed with a KeyError: no such node" {
		t.Errorf("explain gave %q, error %v", text, err)
	}
	if text, err := call("explain", callback, doc); err != nil || text != "the callback was content" {
		t.Errorf("explain gave %q, error %v", text, err)
	}
	for name, args := range map[string][]any{"walk": {doc, failing}, "apply": {failing, doc}} {
		_, err := call(name, args...)
		var failure *selfsame.Error
		if !errors.As(err, &failure) || failure.Kind != "KeyError" {
			t.Errorf("%s: got error %v, want the callback's", name, err)
		}
	}
	_, err = call("buggy_tally", doc)
	var failure *selfsame.Error
	if !errors.As(err, &failure) || !strings.Contains(failure.Message, "nil map") || !strings.Contains(failure.Backtrace, "functions.go") {
		t.Errorf("a panic arrives as %#v", failure)
	}
	if _, err := call("heading", doc.Children.At(0), 0); !errors.As(err, &failure) || failure.Kind != "TypeError" {
		t.Errorf("a heading instead of a document: got error %v, want a TypeError", err)
	}
}

// The handbook has every construct, so each class is made of some node.
func TestHandbook(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "handbook.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc := parsed(t, string(source))
	lines := Tally(&doc.Node)
	if len(lines) != 19 {
		t.Errorf("%d kinds of nodes, want all 19: %v", len(lines), lines)
	}
}

func TestOddDocuments(t *testing.T) {
	for _, source := range []string{"", "\n", "\x00", strings.Repeat("> ", 500) + "deep", strings.Repeat("[", 5000), "\r\n\r\n# a\r\n"} {
		doc := parsed(t, source)
		doc.TextContent()
	}
}
