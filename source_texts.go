package selfsame

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A compiled library keeps what its source says of parameters and in comments, so that keywords, docs and messages do not need
// the source: `selfsame-ffi build` adds a file to each package that registers something, whose variable is initialised before
// all others and calls SourceTexts. In a program that `go build` makes there are no texts.
//
// RATIONALE.md, "Why a build adds a file with names and comments to the package"

// sourceTexts has the maps of all packages, as they came: copies in maps of our own would be most of what Go's collector has
// to examine in a small process.
var sourceTexts struct {
	mu              sync.RWMutex
	names, comments []map[string]string
}

// SourceTexts tells what the parameters of funcs are called in their source, and the comments of funcs, types and fields. The
// keys of both are symbols: of a func such as example.com/geo.nearest or example.com/geo.(*Point).Norm, of a func literal its
// package, file and line, of a type such as example.com/geo.Point, of a field such as example.com/geo.Point.maxsize, in lower case
// and without underscores. Names are separated by blanks; "_" stands for one that callers cannot use. It holds for what is
// registered afterwards. Code that selfsame-ffi build writes calls it; it returns true. The caller must not change the maps any
// more. Any goroutine may call it.
func SourceTexts(names, comments map[string]string) bool {
	sourceTexts.mu.Lock()
	defer sourceTexts.mu.Unlock()
	sourceTexts.names = append(sourceTexts.names, names)
	sourceTexts.comments = append(sourceTexts.comments, comments)
	return true
}

// textOf returns the text of a symbol that came last, "" when there is none, from sourceTexts.names or sourceTexts.comments.
func textOf(symbol string, all *[]map[string]string) string {
	sourceTexts.mu.RLock()
	defer sourceTexts.mu.RUnlock()
	for _, texts := range slices.Backward(*all) {
		if text, ok := texts[symbol]; ok {
			return text
		}
	}
	return ""
}

func commentOf(symbol string) string { return textOf(symbol, &sourceTexts.comments) }

// namesOfSymbol returns what the source calls the parameters of a func, none when that is not known.
func namesOfSymbol(symbol string) []string { return strings.Fields(textOf(symbol, &sourceTexts.names)) }

// typeComment returns the comment of a declared type, or of its field with a Go name; "" when it is not known.
func typeComment(t reflect.Type, field string) string {
	name, _, _ := strings.Cut(t.Name(), "[") // of a generic type's instance
	symbol := t.PkgPath() + "." + name
	if field != "" {
		symbol += "." + strings.ToLower(strings.ReplaceAll(field, "_", ""))
	}
	return commentOf(symbol)
}
