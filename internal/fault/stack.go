package fault

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// modulePath is the import path of the public package.
var modulePath, _, _ = strings.Cut(reflect.TypeFor[Error]().PkgPath(), "/internal/")

// The names of the functions of the public package and of the packages below it begin so.
var ModulePrefix, internalPrefix = modulePath + ".", modulePath + "/internal/"

// CallerStack returns the goroutine's stack as backtrace text, the most recent call first, without the first skip
// callers.
func CallerStack(skip int) string {
	pcs := make([]uintptr, 64)
	return StackText(pcs[:runtime.Callers(skip+2, pcs)])
}

// StackText returns a stack as backtrace text, without the frames of the Go runtime, of this module and of adapters.
func StackText(pcs []uintptr) string {
	if len(pcs) == 0 {
		return ""
	}
	var b strings.Builder
	frames := runtime.CallersFrames(pcs)
	for {
		frame, more := frames.Next()
		if !isPlumbing(frame.Function) && filepath.Base(frame.File) != naming.AdaptersFile {
			writeFrame(&b, frame.File, frame.Line, frame.Function)
		}
		if !more {
			return b.String()
		}
	}
}

// FrameAt returns the frame of a func's entry as backtrace text, for an error without a stack. The entry is what
// [reflect.Value.Pointer] returns.
func FrameAt(entry uintptr) string {
	f := runtime.FuncForPC(entry)
	if f == nil {
		return ""
	}
	var b strings.Builder
	file, line := f.FileLine(f.Entry())
	writeFrame(&b, file, line, f.Name())
	return b.String()
}

// SymbolOf returns what the source of a func can be found by: the name of a declared func or method, such as
// example.com/geo.(*Point).Norm; of a func literal its package, file and line, such as example.com/geo/geo.go:12.
func SymbolOf(fn reflect.Value) string {
	f := runtime.FuncForPC(fn.Pointer())
	if f == nil {
		return ""
	}
	name := strings.ReplaceAll(f.Name(), "[...]", "") // of a generic func's instance
	if isLiteral(name) {
		file, line := f.FileLine(f.Entry())
		slash := strings.LastIndexByte(name, '/') + 1
		dot := strings.IndexByte(name[slash:], '.')
		return fmt.Sprintf("%s/%s:%d", unescaped(name[:slash+dot]), filepath.Base(file), line)
	}
	return unescaped(strings.TrimSuffix(name, "-fm"))
}

// unescaped returns the symbol with the dots of its import path's last part, for which the linker writes %2e.
func unescaped(symbol string) string { return strings.ReplaceAll(symbol, "%2e", ".") }

// isLiteral says whether a func's name is that of a literal: it has `.func` with a number, or `glob..`.
func isLiteral(name string) bool {
	for rest := name; ; {
		_, after, found := strings.Cut(rest, ".func")
		if !found {
			return strings.Contains(name, "glob..")
		}
		if after != "" && '0' <= after[0] && after[0] <= '9' {
			return true
		}
		rest = after
	}
}

func writeFrame(b *strings.Builder, file string, line int, function string) {
	fmt.Fprintf(b, "  File \"%s\", line %d, in %s\n", file, line, function)
}

// isPlumbing reports whether a function belongs to the Go runtime or to this module, not to the program.
func isPlumbing(function string) bool {
	for _, prefix := range []string{"runtime.", "reflect.", "_cgo", "testing.", ModulePrefix, internalPrefix} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return function == ""
}

// StoryOf returns the stacks that made and released a handle, as the end of a message. It is empty for an address that is
// not a released handle, and without the build tag debug.
func StoryOf(handle unsafe.Pointer) string {
	made, released, ok := handles.StoryOf(handle)
	if !ok {
		return ""
	}
	return "\nIt was released at:\n" + StackText(released) + "It was made at:\n" + StackText(made)
}
