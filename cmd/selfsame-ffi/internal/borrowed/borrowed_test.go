package borrowed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Each body is a func's. A line that ends in "// bad NAME" is reported, with NAME as what uses the pointer.
var bodies = map[string]string{
	"argument that is made after Get": `
		h := NodeClass.New(nil)
		h.Get().Left.Set(NodeClass.New(nil)) // bad Left.Set`,
	"method as the last use": `
		h := selfsame.New(func(n *Node) {})
		return h.Get().total() // bad total`,
	"pointer in a variable": `
		h := makeNode("a")
		p := h.Get() // bad p
		work()
		p.Weight = 3`,
	"pointer as an argument": `
		h, err := NodeClass.New(nil), error(nil)
		k := NodeClass.New(nil)
		_ = err
		return use(k.Get()) // bad use`,
	"each turn of a loop makes one": `
		for range n {
			h := NodeClass.New(nil)
			h.Get().Left.Set(NodeClass.New(nil)) // bad Left.Set
		}`,
	"generic New": `
		h := selfsame.New[Node](nil)
		h.Get().visit() // bad visit`,
	"function literal": `
		register("f", func() float64 {
			h := NodeClass.New(nil)
			return h.Get().total() // bad total
		})`,
	"single load":     "h := NodeClass.New(nil)\nreturn h.Get().Weight",
	"single store":    "h := NodeClass.New(nil)\nh.Get().Weight = 3",
	"short store":     "h := NodeClass.New(nil)\nh.Get().Name.Set(\"x\")\nh.Get().Count.Set(int64(n))",
	"kept":            "h := NodeClass.New(nil)\nh.Get().total()\nruntime.KeepAlive(h)",
	"deferred":        "h := NodeClass.New(nil)\ndefer runtime.KeepAlive(h)\np := h.Get()\nwork()\nreturn p.total()",
	"returned later":  "h := NodeClass.New(nil)\nh.Get().total()\nreturn h",
	"returned beside": "h := makeNode(\"a\")\nreturn h, h.Get().compile(work())",
	"used by a func":  "h := NodeClass.New(nil)\ngo func() { h.Release() }()\nh.Get().total()",
	"parameter":       "return node.Get().total()",
	"field's handle":  "left := node.Get().Left.Get()\nreturn left.Get().total()",
	"loop goes on":    "h := NodeClass.New(nil)\nfor range n {\nh.Get().total()\n}",
	"not a handle":    "m := things()\nreturn m.Get().total()",
}

func TestFindings(t *testing.T) {
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			source := "package p\nfunc makeNode(s string) *selfsame.Handle[Node] { return nil }\nfunc f() {\n" + body + "\n}\n"
			var want []string
			for i, line := range strings.Split(source, "\n") {
				if _, use, ok := strings.Cut(line, "// bad "); ok {
					want = append(want, fmt.Sprintf("%d %s", i+1, use))
				}
			}
			path := filepath.Join(t.TempDir(), "p.go")
			testenv.OK(t, os.WriteFile(path, []byte(source), 0o600))
			found := testenv.Value(Check(&gosource.Package{Dir: filepath.Dir(path), GoFiles: []string{"p.go"}}))(t)
			var got []string
			for _, f := range found {
				got = append(got, fmt.Sprintf("%d %s", f.Position.Line, f.Use))
			}
			if strings.Join(got, "; ") != strings.Join(want, "; ") {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestMessageSaysWhatToWrite(t *testing.T) {
	text := Finding{Handle: "h", Use: "Left.Set"}.String()
	testenv.Contains(t, text, "h may be finalized before Left.Set", "h.Do", "runtime.KeepAlive(h)", "New")
}

func TestFileThatDoesNotParse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.go")
	testenv.OK(t, os.WriteFile(path, []byte("package"), 0o600))
	if _, err := Check(&gosource.Package{Dir: filepath.Dir(path), GoFiles: []string{"p.go"}}); err == nil {
		t.Error("no error")
	}
}
