package sourcetext

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A compiled library keeps the names of parameters and the comments of its source, so that keywords, docs and messages
// do not need the source. `selfsame-ffi build` adds a file to each package that registers something. A variable of that
// file is initialised before all others, and calls SourceTexts. In a program that `go build` makes there are no texts.
//
// Why a build adds a file with names and comments to the package. Go's reflection knows neither the names of parameters
// nor comments, and keywords, docs and messages need both where the source is not. A registration needs them while it
// runs, because the C ABI cannot change a method's metadata later. So the overlay has a file for them in each such
// package, named so that its variable is initialised first. A linker flag (-X) is limited to 128 KiB, too little for
// all comments. The go command refuses an overlay in the module cache, so packages of other modules get no file; their
// comments still reach the Python module.

// sourceTexts has the maps of all packages, as they came: copies in maps of our own would be most of what Go's collector has
// to examine in a small process.
var sourceTexts struct {
	mu              sync.RWMutex
	names, comments []map[string]string
}

// Add does the work of SourceTexts of the public package.
func Add(names, comments map[string]string) {
	sourceTexts.mu.Lock()
	defer sourceTexts.mu.Unlock()
	sourceTexts.names = append(sourceTexts.names, names)
	sourceTexts.comments = append(sourceTexts.comments, comments)
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

func CommentOf(symbol string) string { return textOf(symbol, &sourceTexts.comments) }

// ParametersOf returns what the source calls the parameters of a func, none when that is not known.
func ParametersOf(symbol string) []string { return strings.Fields(textOf(symbol, &sourceTexts.names)) }

// TypeComment returns the comment of a declared type, or of its field with a Go name; "" when it is not known.
func TypeComment(t reflect.Type, field string) string {
	name, _, _ := strings.Cut(t.Name(), "[") // of a generic type's instance
	symbol := t.PkgPath() + "." + name
	if field != "" {
		symbol += "." + strings.ToLower(strings.ReplaceAll(field, "_", ""))
	}
	return CommentOf(symbol)
}
