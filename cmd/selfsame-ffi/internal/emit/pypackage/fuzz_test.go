package pypackage

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// pythonReader reads a module from each line, and answers with its tree, without the contents of texts.
const pythonReader = `
import ast, json, sys
class Blank(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Constant(""), node) if isinstance(node.value, str) else node
# The names that the code reads. Those of classes, functions and members are no ast.Name where they are declared.
def names(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} | {
        alias.name for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
for line in sys.stdin:
    try:
        tree = ast.parse(json.loads(line))
        print(json.dumps([ast.dump(Blank().visit(tree)), sorted(names(tree))]), flush=True)
    except Exception as error:
        print(json.dumps([f"error: {error!r}", []]), flush=True)
`

type reader struct {
	mu  sync.Mutex // guards the rest: one module at a time
	in  io.Writer
	out *bufio.Reader
}

// startedReader starts one Python for the process; it ends with the process's end of its input.
var startedReader = sync.OnceValues(func() (*reader, error) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, "-c", pythonReader)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &reader{in: in, out: bufio.NewReader(out)}, cmd.Start()
})

func (r *reader) tree(t *testing.T, module string) (tree string, names []string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	line, err := json.Marshal(module)
	if err == nil {
		_, err = r.in.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
	answer, err := r.out.ReadBytes('\n')
	var read [2]json.RawMessage
	if err == nil {
		err = json.Unmarshal(answer, &read)
	}
	if err == nil {
		err = errors.Join(json.Unmarshal(read[0], &tree), json.Unmarshal(read[1], &names))
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(tree) > 6 && tree[:6] == "error:" {
		t.Fatalf("%s\n%s", tree, module)
	}
	return tree, names
}

// fuzzedModule has a doc, a name of a parameter, a default and a registered name wherever each can be.
func fuzzedModule(doc, argument, value, registered, runtime string) Module {
	f := typed("evil.f", doc, schema("int"), []string{argument}, schema("ffi.String"))
	f.ArgDefaults = []string{fmt.Sprintf("%q", value)}
	named, init, method := f, f, f
	named.Name, init.Name, init.Static, method.Name = "evil."+registered, "__ffi_init__", true, registered
	return Module{Name: "evil", ImportPath: doc, Library: "_evil.so", Prefixes: []string{"evil"}, Runtime: runtime, Content: model.Library{
		Classes: []model.Class{{
			Key: "evil.Class", Parent: "ffi.Object", Doc: doc, Init: &init, Methods: []model.Function{method},
			Fields: []model.Field{{Name: "x", Type: schema("int"), Writable: true, Doc: doc}, {Name: registered + "y", Type: schema("float"), Doc: doc}},
		}},
		Functions: []model.Function{f, named},
	}}
}

// Whatever docs, defaults and names say, the module is Python, and docs and defaults change no more than texts in it.
func FuzzModule(f *testing.F) {
	f.Add("A doc.", "value", "text", "name")
	f.Add(`"""); import os; os.abort(); ("""`, "class", `"`, "def")
	f.Add(`ends in a backslash \`, "self", "\\\n", "__init__")
	f.Add("ends in a quote \"", "a, b", "\u202e\x00\xff", "x = 1; y")
	f.Add(" ", "0", "0", "0")
	f.Add("A doc.", "value", "text", "__a__(self) -> int: ...\n\ncanary()\n\nif 1:\n    def __b__")
	f.Add("A doc.", "x=canary()): pass\n#", "text", "__a: int = canary()\n__")
	f.Add("A doc.", "\uff43lass", "text", "\uff3f_getattr__")
	f.Add("\r\n\f\v\x1c\u2028 \\N{DASH} \\x {", "", "'''", "名")
	f.Fuzz(func(t *testing.T, doc, argument, value, registered string) {
		r, err := startedReader()
		if err != nil {
			t.Skip("python3 was not found in PATH")
		}
		told := "A doc."
		if strings.TrimSpace(doc) == "" {
			told = "" // no doc, and so no statement
		}
		for _, runtime := range []string{Selfsame, TvmFFI} {
			hostile, harmless := fuzzedModule(doc, argument, value, registered, runtime), fuzzedModule(told, argument, "text", registered, runtime)
			text, err := hostile.Write()
			if err != nil {
				continue // names that are refused
			}
			plain, err := harmless.Write()
			if err != nil {
				t.Fatalf("refused with a harmless doc alone: %v", err)
			}
			got, names := r.tree(t, text)
			if want, _ := r.tree(t, plain); got != want {
				t.Errorf("a doc or default changes the code:\n%s\nexpected that of\n%s", text, plain)
			}
			named := fuzzedModule(told, "value", "text", "name", runtime)
			if plain, err = named.Write(); err != nil {
				t.Fatal(err)
			}
			_, known := r.tree(t, plain)
			for _, name := range names { // aliases of members are set on the class, and a builtin that a name hides is read in its module
				if !slices.Contains(known, name) && !slices.Contains([]string{"Class", "setattr", "vars", "_builtins", "builtins"}, name) {
					t.Errorf("a name brings %s into the code:\n%s", name, text)
				}
			}
		}
	})
}
