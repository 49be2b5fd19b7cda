package markdown

import (
	"sort"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/examples/markdown/internal/plain"
)

// converter makes objects of goldmark's nodes.
type converter struct {
	source     []byte
	lineStarts []int // offset of each line of the source
}

// convert parses the source and makes the tree of objects.
func convert(source []byte) *selfsame.Handle[Document] {
	c := &converter{source: source, lineStarts: []int{0}}
	for i, b := range source {
		if b == '\n' {
			c.lineStarts = append(c.lineStarts, i+1)
		}
	}
	root := goldmark.DefaultParser().Parse(text.NewReader(source))
	return selfsame.Cast[Document](c.node(root))
}

// node makes the object of one node, with everything below it. The caller releases the handle.
func (c *converter) node(n ast.Node) *selfsame.Handle[Node] {
	h := selfsame.Cast[Node](c.object(n))
	node := h.Get()
	node.Line = c.line(n.Pos())
	var handles []*selfsame.Handle[Node]
	var children []*Node
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		h := c.node(child)
		handles = append(handles, h)
		children = append(children, h.Get())
	}
	node.Children.Set(children...)
	// The array keeps the children from here on. A handle that is not released lives on until Go's garbage collector finds it.
	for _, h := range handles {
		h.Release()
	}
	return h
}

// line returns the number of the line that an offset stands in; 0 for a node that has no place of its own.
func (c *converter) line(offset int) int {
	if offset < 0 {
		return 0
	}
	return sort.Search(len(c.lineStarts), func(i int) bool { return c.lineStarts[i] > offset })
}

// object makes an object of the class that belongs to the kind of node, with the fields of that class.
func (c *converter) object(n ast.Node) selfsame.AnyHandle {
	switch n := n.(type) {
	case *ast.Document:
		return documentClass.New(nil)
	case *ast.Heading:
		return headingClass.New(func(o *Heading) { o.Level = n.Level })
	case *ast.Paragraph:
		return paragraphClass.New(nil)
	case *ast.TextBlock:
		return textBlockClass.New(nil)
	case *ast.Blockquote:
		return blockquoteClass.New(nil)
	case *ast.List:
		return listClass.New(func(o *List) {
			o.Ordered, o.Start, o.Tight = n.IsOrdered(), n.Start, n.IsTight
			o.Marker.Set(string(rune(n.Marker)))
		})
	case *ast.ListItem:
		return listItemClass.New(nil)
	case *ast.ThematicBreak:
		return thematicBreakClass.New(nil)
	case *ast.CodeBlock:
		return codeBlockClass.New(func(o *CodeBlock) { o.Code.Set(string(n.Lines().Value(c.source))) })
	case *ast.FencedCodeBlock:
		return fencedCodeBlockClass.New(func(o *FencedCodeBlock) {
			o.Language.Set(string(n.Language(c.source)))
			o.Code.Set(string(n.Lines().Value(c.source)))
		})
	case *ast.HTMLBlock:
		return htmlBlockClass.New(func(o *HTMLBlock) {
			html := n.Lines().Value(c.source)
			if n.HasClosure() {
				html = append(html, n.ClosureLine.Value(c.source)...)
			}
			o.HTML.Set(string(html))
		})
	case *ast.LinkReferenceDefinition:
		return linkReferenceDefinitionClass.New(func(o *LinkReferenceDefinition) {
			o.Label.Set(string(n.Label))
			o.Destination.Set(plain.URL(n.Destination))
			o.Title.Set(plain.Text(n.Title))
		})
	default:
		return c.inline(n)
	}
}

// inline returns the object of a node that stands inside of a line.
func (c *converter) inline(n ast.Node) selfsame.AnyHandle {
	switch n := n.(type) {
	case *ast.Text:
		return textClass.New(func(o *Text) {
			o.Value.Set(plain.Segment(n, c.source))
			o.SoftBreak, o.HardBreak = n.SoftLineBreak(), n.HardLineBreak()
		})
	case *ast.String:
		return textClass.New(func(o *Text) { o.Value.Set(string(n.Value)) })
	case *ast.Emphasis:
		return emphasisClass.New(func(o *Emphasis) { o.Level = n.Level })
	case *ast.CodeSpan:
		return codeSpanClass.New(nil)
	case *ast.Link:
		return linkClass.New(func(o *Link) {
			o.Destination.Set(plain.URL(n.Destination))
			o.Title.Set(plain.Text(n.Title))
		})
	case *ast.Image:
		return imageClass.New(func(o *Image) {
			o.Destination.Set(plain.URL(n.Destination))
			o.Title.Set(plain.Text(n.Title))
		})
	case *ast.AutoLink:
		return autoLinkClass.New(func(o *AutoLink) {
			o.Destination.Set(plain.AutoLinkURL(n, c.source))
			o.Label.Set(string(n.Label(c.source)))
		})
	case *ast.RawHTML:
		return rawHTMLClass.New(func(o *RawHTML) { o.HTML.Set(string(n.Segments.Value(c.source))) })
	default:
		panic("markdown: goldmark made a node of the unknown kind " + n.Kind().String())
	}
}
