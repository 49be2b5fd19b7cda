// Package markdown shows the syntax tree of CommonMark documents, as goldmark parses them, to every language that has a tvm-ffi frontend.
//
// A document is a tree of nodes: blocks such as Paragraph and List, and inside of them inlines such as Text and Link. Each
// kind of node is a class derived from Node. Nodes do not know their parent: a tree whose children held their parents would
// be full of cycles, and counted references never free a cycle.
package markdown

import "github.com/selfsame-ffi/selfsame"

// Node is a part of a document.
type Node struct {
	selfsame.Object
	Line     int                   `ffi:"ro" doc:"line of the source it begins on, from 1; 0 where that is not known"`
	Children selfsame.Array[*Node] `ffi:"ro" doc:"the nodes inside of it, in the order of the document"`
}

// Document is the root of a tree.
type Document struct{ Node }

// Heading is a title, underlined or with marks before it.
type Heading struct {
	Node
	Level int `doc:"1 for the largest to 6"`
}

// Paragraph is text that stands by itself.
type Paragraph struct{ Node }

// TextBlock is the text of a list item that is not set apart by empty lines.
type TextBlock struct{ Node }

// Blockquote is a quote.
type Blockquote struct{ Node }

// List is a list, whose children are of class ListItem.
type List struct {
	Node
	Ordered bool            `ffi:"ro" doc:"whether its items have numbers"`
	Start   int             `ffi:"ro" doc:"number of the first item of an ordered list"`
	Tight   bool            `ffi:"ro" doc:"whether no empty lines stand between its items"`
	Marker  selfsame.String `ffi:"ro" doc:"the mark of its items: one of - + * . )"`
}

// ListItem is one item of a list.
type ListItem struct{ Node }

// CodeBlock is code that is indented by four spaces.
type CodeBlock struct {
	Node
	Code selfsame.String `doc:"the lines, each with its end of line"`
}

// FencedCodeBlock is code between fences.
type FencedCodeBlock struct {
	Node
	Language selfsame.String `doc:"the first word after the opening fence, or an empty string"`
	Code     selfsame.String `doc:"the lines, each with its end of line"`
}

// HTMLBlock is HTML that stands by itself.
type HTMLBlock struct {
	Node
	HTML selfsame.String `ffi:"ro" doc:"the lines, each with its end of line"`
}

// ThematicBreak is a line across the page.
type ThematicBreak struct{ Node }

// LinkReferenceDefinition gives a destination to the links that use its label.
type LinkReferenceDefinition struct {
	Node
	Label       selfsame.String `ffi:"ro"`
	Destination selfsame.String `ffi:"ro"`
	Title       selfsame.String `ffi:"ro"`
}

// Text is a piece of text without any mark in it.
type Text struct {
	Node
	Value     selfsame.String `doc:"the text, with escapes and entities resolved"`
	SoftBreak bool            `ffi:"ro" doc:"whether a line of the source ends behind it"`
	HardBreak bool            `ffi:"ro" doc:"whether a line ends behind it, in the rendered text too"`
}

// Emphasis is emphasised text.
type Emphasis struct {
	Node
	Level int `ffi:"ro" doc:"1 for *emphasis*, 2 for **strong emphasis**"`
}

// CodeSpan is code within a line.
type CodeSpan struct{ Node }

// Link is a link, whose children are what it shows.
type Link struct {
	Node
	Destination selfsame.String `doc:"where it leads"`
	Title       selfsame.String `doc:"the title, or an empty string"`
}

// Image is an image, whose children describe it.
type Image struct {
	Node
	Destination selfsame.String `doc:"where the picture is"`
	Title       selfsame.String `doc:"the title, or an empty string"`
}

// AutoLink is an address that is its own link.
type AutoLink struct {
	Node
	Destination selfsame.String `ffi:"ro" doc:"where it leads"`
	Title       selfsame.String `ffi:"ro" doc:"always empty, as an automatic link has none"`
	Label       selfsame.String `ffi:"ro" doc:"what it shows"`
}

// RawHTML is a tag within a line.
type RawHTML struct {
	Node
	HTML selfsame.String `ffi:"ro" doc:"the tag as it stands in the source"`
}
