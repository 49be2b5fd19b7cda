// Package golang prints files of Go. It alone knows how a file begins and what it imports.
package golang

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// File is a file that is being written.
type File struct {
	Header  string // what stands before the clause of the package
	Package string
	Single  bool // each import is a declaration of its own

	imports map[string]string // names by import path
	maybe   map[string]bool   // import paths of Frontend
	body    strings.Builder
	lines   int
}

// Import notes that the file uses a package under a name, and returns that.
func (f *File) Import(importPath, name string) string {
	if f.imports == nil {
		f.imports = map[string]string{}
	}
	f.imports[importPath] = name
	return name
}

// Frontend notes that the file may use the packages of the frontend that are for generated code: selfsame, gen and overlay. It imports
// those that it uses.
func (f *File) Frontend() {
	f.maybe = map[string]bool{}
	for _, importPath := range []string{gosource.FrontendPath, gosource.GenPath, gosource.OverlayPath} {
		f.maybe[importPath] = true
		f.Import(importPath, path.Base(importPath))
	}
}

// Printf writes a part of the body.
func (f *File) Printf(text string, args ...any) { f.Print(fmt.Sprintf(text, args...)) }

// Print writes a part of the body.
func (f *File) Print(text string) {
	f.body.WriteString(text)
	f.lines += strings.Count(text, "\n")
}

// Comment writes a doc comment: a first sentence, and further text below an empty line.
func (f *File) Comment(first, doc string) {
	f.Printf("// %s\n", escape.GoComment(first))
	if doc = strings.TrimSpace(strings.ReplaceAll(doc, "\r\n", "\n")); doc == "" {
		return
	}
	f.Print("//\n")
	for line := range strings.SplitSeq(doc, "\n") {
		f.Print(strings.TrimRight("// "+escape.GoComment(line), " \t") + "\n")
	}
}

// Line returns the number of the line that is written next, counted from that of the first line of the body, 1.
func (f *File) Line() int { return f.lines + 1 }

// IsEmpty says whether nothing was written.
func (f *File) IsEmpty() bool { return f.body.Len() == 0 }

// Text returns the file as it is, not formatted, and how many lines stand before its body.
func (f *File) Text() (text string, before int) {
	head := f.Header + "package " + f.Package + "\n\n"
	imported, used := maps.Clone(f.imports), f.used()
	maps.DeleteFunc(imported, func(importPath, name string) bool { return f.maybe[importPath] && !used[name] })
	paths := slices.SortedFunc(maps.Keys(imported), func(a, b string) int {
		domains := strings.Contains(a, ".") // the paths of the standard library, which come first, begin with none
		if domains == strings.Contains(b, ".") {
			return cmp.Compare(a, b)
		}
		return map[bool]int{true: 1, false: -1}[domains]
	})
	if f.Single {
		for _, p := range paths {
			head += "import " + f.spec(p) + "\n\n"
		}
	} else if len(paths) > 0 {
		head += "import (\n"
		for _, p := range paths {
			head += "\t" + f.spec(p) + "\n"
		}
		head += ")\n\n"
	}
	return head + f.body.String(), strings.Count(head, "\n")
}

// used returns the names in front of a dot in the body, as far as it can be parsed.
func (f *File) used() map[string]bool {
	names := map[string]bool{}
	parsed, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+f.body.String(), 0)
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil {
				names[x.Name] = true
			}
		}
		return true
	})
	return names
}

func (f *File) spec(importPath string) string {
	if f.imports[importPath] == path.Base(importPath) {
		return fmt.Sprintf("%q", importPath)
	}
	return fmt.Sprintf("%s %q", f.imports[importPath], importPath)
}

// Format returns the file as gofmt writes it.
func (f *File) Format() ([]byte, error) {
	text, _ := f.Text()
	return format.Source([]byte(text))
}
