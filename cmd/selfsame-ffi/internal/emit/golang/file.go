// Package golang prints files of Go. It alone knows how a file begins and what it imports.
package golang

import (
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// File is a file that is being written.
type File struct {
	Header  string // what stands before the clause of the package
	Package string
	Single  bool // each import is a declaration of its own

	imports map[string]string // names by import path
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
	paths := slices.SortedFunc(maps.Keys(f.imports), func(a, b string) int {
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
