package pypackage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// submodulesFile and foreignFile are the names of the Python modules that make the others attributes of the package: those of the wrapped
// packages, and those whose types have private names in the package.
const (
	submodulesFile = "_submodules"
	foreignFile    = "_foreign"
)

// Submodules returns the Python files with the names of each of several wrapped packages, and of each package whose types these mention,
// and one that makes them attributes of the Python package.
func Submodules(p *form.Plan) []emit.File {
	foreign := slices.DeleteFunc(slices.Clone(p.Foreign), func(s *form.Submodule) bool { return len(s.Names) == 0 })
	return slices.Concat(modulesOf(p.Submodules, submodulesFile), modulesOf(foreign, foreignFile))
}

func modulesOf(submodules []*form.Submodule, file string) []emit.File {
	if len(submodules) == 0 {
		return nil
	}
	var files []emit.File
	var imports, all strings.Builder
	for _, s := range submodules {
		files = append(files, emit.File{Name: s.Name + ".py", Text: submodule(s)})
		fmt.Fprintf(&imports, "from . import %s as %s\n", s.Name, s.Name)
		fmt.Fprintf(&all, "    %s,\n", escape.PythonString(s.Name))
	}
	text := WrapHeader + "\"\"\"The modules of the Go packages.\"\"\"\n\n" + imports.String() + "\n__all__ = [\n" + all.String() + "]\n"
	return append(files, emit.File{Name: file + ".py", Text: []byte(text)})
}

// submodule writes the module of one package. Its names are looked up when they are asked for.
func submodule(s *form.Submodule) []byte {
	names := slices.Clone(s.Names)
	slices.SortFunc(names, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	names = slices.CompactFunc(names, func(a, b [2]string) bool { return a[0] == b[0] })
	var b, table, all strings.Builder
	fmt.Fprintf(&b, "%s\"\"\"The Go package %s.\"\"\"\n\nimport sys as _sys\nimport typing as _typing\n\n", WrapHeader, escape.PythonDoc(s.Path))
	b.WriteString("if _typing.TYPE_CHECKING:\n")
	for _, n := range names {
		fmt.Fprintf(&b, "    from . import %s as %s\n", n[1], n[0])
		fmt.Fprintf(&table, "        %s: %s,\n", escape.PythonString(n[0]), escape.PythonString(n[1]))
		fmt.Fprintf(&all, "    %s,\n", escape.PythonString(n[0]))
	}
	if len(names) == 0 {
		b.WriteString("    pass\n")
	}
	fmt.Fprintf(&b, `else:
    _package = _sys.modules[__package__]
    # Annotations of the classes have the private names of the package.
    globals().update((name, found) for name, found in vars(_package).items() if name[:1] == "_" and name[:2] != "__")
    _names = {
%s    }

    def __getattr__(name: str) -> _typing.Any:
        if name not in _names:
            error = AttributeError(f"module {__name__!r} has no attribute {name!r}")
            error.name, error.obj = name, _sys.modules[__name__]  # so that Python shows what was perhaps meant
            raise error
        return getattr(_package, _names[name])

    def __dir__() -> list:
        return sorted(_names)


__all__ = [
%s]
`, table.String(), all.String())
	return []byte(b.String())
}
