package client

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// headFile has the documentation of the package and its func Load.
const headFile = "doc.go"

// head writes the documentation of the package, and how its libraries are loaded.
func (w *writer) head() {
	w.file(headFile)
	from := escape.GoComment(strings.Join(w.library.Sources, ", "))
	w.out.Header += fmt.Sprintf("// Package %s is a typed interface of the native library %s. [Load] must load that first: every other func\n"+
		"// fails, and every field panics, with an error that says so, as long as the library is not loaded.\n//\n"+
		"// Handles are released when Go's collector finds them unreachable, or by their method Release. A nil handle is None. Any\n"+
		"// goroutine may call; which calls may run at the same time, the library decides.\n", w.library.Name, from)
	w.line("var library = gen.NewLibrary(%s,", escape.GoString(w.library.Name))
	for _, c := range w.classes {
		w.line("%s,", escape.GoString(c.Key))
	}
	w.line(")")
	w.line("")
	w.line("// Load loads %s, and further libraries that have parts of this package, in turn. A path without a", from)
	w.line("// slash is looked for in the working directory, then where the loader of the system looks. The libraries stay loaded; a")
	w.line("// second Load of the same path does nothing. Load fails when a library cannot be loaded, and when they lack a class of")
	w.line("// this package because they are of another version. Any goroutine may call it.")
	w.line("func Load(path string, more ...string) error { return library.Load(append([]string{path}, more...)...) }")
	w.line("")
}
