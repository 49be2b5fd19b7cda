package client

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// comment writes a doc comment: a first sentence, and the library's own documentation.
func (w *writer) comment(first, doc string) {
	w.line("// %s", escape.GoComment(first))
	doc = strings.TrimSpace(strings.ReplaceAll(doc, "\r\n", "\n"))
	if doc == "" {
		return
	}
	w.line("//")
	for _, line := range strings.Split(doc, "\n") {
		w.line("%s", strings.TrimRight("// "+escape.GoComment(line), " \t"))
	}
}
