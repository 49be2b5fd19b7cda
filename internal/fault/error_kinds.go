package fault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"unicode/utf8"
)

// errorKind says as which exception a Go error is raised in other languages.
type errorKind struct {
	sentinel error  // the errors it is about: errors.Is
	kind     string // the exception
	both     bool   // an exception of the kind that arrives from elsewhere is the Go error, for errors.Is
}

// standardKinds are the kinds of errors of the standard library, in the order in which they are looked for.
var standardKinds = []errorKind{
	{context.DeadlineExceeded, "TimeoutError", true},
	{os.ErrDeadlineExceeded, "TimeoutError", true},
	{context.Canceled, "CancelledError", true},
	{syscall.EPIPE, "BrokenPipeError", true},
	{syscall.ECONNREFUSED, "ConnectionRefusedError", true},
	{syscall.ECONNRESET, "ConnectionResetError", true},
	{syscall.EISDIR, "IsADirectoryError", true},
	{syscall.ENOTDIR, "NotADirectoryError", true},
	{fs.ErrNotExist, "FileNotFoundError", true},
	{fs.ErrExist, "FileExistsError", true},
	{fs.ErrPermission, "PermissionError", true},
	{fs.ErrClosed, "ValueError", false}, // as of closed files in Python
	{fs.ErrInvalid, "ValueError", false},
	{io.EOF, "EOFError", true},
	{io.ErrUnexpectedEOF, "EOFError", false},
	{strconv.ErrRange, "OverflowError", false},
	{strconv.ErrSyntax, "ValueError", false},
	{errors.ErrUnsupported, "NotImplementedError", false},
}

// registeredKinds are the kinds of RegisterErrorKind. The slice is replaced, never changed.
var registeredKinds atomic.Pointer[[]errorKind]

// kindOf returns the kind of an error that is no *Error: "RuntimeError" when nothing else is known of it.
func kindOf(err error) string {
	for _, known := range *registeredKinds.Load() {
		if errors.Is(err, known.sentinel) {
			return known.kind
		}
	}
	for _, known := range standardKinds {
		if errors.Is(err, known.sentinel) {
			return known.kind
		}
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return "OSError"
	}
	return "RuntimeError"
}

// isOfKind reports whether target is the Go error that an exception of a kind stands for.
func isOfKind(kind string, target error) bool {
	for _, table := range [][]errorKind{*registeredKinds.Load(), standardKinds} {
		for _, known := range table {
			if known.both && known.kind == kind && known.sentinel == target {
				return true
			}
		}
	}
	return false
}

func init() { registeredKinds.Store(new([]errorKind)) }

// RegisterKind does the work of RegisterErrorKind of the public package.
func RegisterKind(sentinel error, kind string) error {
	if sentinel == nil || kind == "" || !utf8.ValidString(kind) {
		return New("ValueError", "selfsame: RegisterErrorKind: expected an error and a name, got %v and %q", sentinel, kind)
	}
	added := errorKind{sentinel, kind, strings.Contains(kind, ".")}
	for {
		old := registeredKinds.Load()
		for _, known := range *old {
			if known.sentinel == sentinel {
				return New("RuntimeError", "selfsame: RegisterErrorKind: %q already has the kind %s", sentinel, known.kind)
			}
		}
		kinds := append(slices.Clone(*old), added)
		if registeredKinds.CompareAndSwap(old, &kinds) {
			return nil
		}
	}
}
