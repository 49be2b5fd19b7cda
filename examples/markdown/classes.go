package markdown

import "github.com/selfsame-ffi/selfsame"

// The classes, under the names that other languages know. Node comes first: a class is registered after the one it derives
// from.
var (
	_ = selfsame.MustRegister[Node]("markdown.Node",
		selfsame.DynamicAttributes(), // Python programs note things at the nodes
		selfsame.Method("text_content", (*Node).TextContent, "The text of the node and everything in it, without any marks."),
		selfsame.Method("kind", (*Node).Kind, "Name of the node's class, such as Heading."))

	documentClass                = selfsame.MustRegister[Document]("markdown.Document")
	headingClass                 = selfsame.MustRegister[Heading]("markdown.Heading")
	paragraphClass               = selfsame.MustRegister[Paragraph]("markdown.Paragraph")
	textBlockClass               = selfsame.MustRegister[TextBlock]("markdown.TextBlock")
	blockquoteClass              = selfsame.MustRegister[Blockquote]("markdown.Blockquote")
	listClass                    = selfsame.MustRegister[List]("markdown.List")
	listItemClass                = selfsame.MustRegister[ListItem]("markdown.ListItem")
	codeBlockClass               = selfsame.MustRegister[CodeBlock]("markdown.CodeBlock")
	fencedCodeBlockClass         = selfsame.MustRegister[FencedCodeBlock]("markdown.FencedCodeBlock")
	htmlBlockClass               = selfsame.MustRegister[HTMLBlock]("markdown.HTMLBlock")
	thematicBreakClass           = selfsame.MustRegister[ThematicBreak]("markdown.ThematicBreak")
	linkReferenceDefinitionClass = selfsame.MustRegister[LinkReferenceDefinition]("markdown.LinkReferenceDefinition")

	textClass     = selfsame.MustRegister[Text]("markdown.Text")
	emphasisClass = selfsame.MustRegister[Emphasis]("markdown.Emphasis")
	codeSpanClass = selfsame.MustRegister[CodeSpan]("markdown.CodeSpan")
	linkClass     = selfsame.MustRegister[Link]("markdown.Link")
	imageClass    = selfsame.MustRegister[Image]("markdown.Image")
	autoLinkClass = selfsame.MustRegister[AutoLink]("markdown.AutoLink")
	rawHTMLClass  = selfsame.MustRegister[RawHTML]("markdown.RawHTML")
)
