// Package plain gives the text that a reader of a rendered Markdown document sees.
package plain

import (
	"bufio"
	"bytes"
	"html"

	"github.com/yuin/goldmark/ast"
	renderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// Text resolves backslash escapes and entities (`\*`, `&copy;`) as a renderer does.
func Text(source []byte) string {
	if !bytes.ContainsAny(source, "\\&\x00") {
		return string(source) // nothing to resolve
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	renderer.DefaultWriter.Write(w, source)
	_ = w.Flush() // a bytes.Buffer takes everything
	return html.UnescapeString(out.String())
}

// Segment returns the text of a Text node: as it stands in code, resolved elsewhere.
func Segment(n *ast.Text, source []byte) string {
	if n.IsRaw() {
		return string(n.Value(source))
	}
	return Text(n.Value(source))
}

// URL returns a link's destination as a renderer would write it.
func URL(destination []byte) string { return string(util.URLEscape(destination, true)) }

// AutoLinkURL returns the destination of an automatic link; an address of mail gets its scheme.
func AutoLinkURL(n *ast.AutoLink, source []byte) string {
	url := n.URL(source)
	if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(url), []byte("mailto:")) {
		url = append([]byte("mailto:"), url...)
	}
	return URL(url)
}
