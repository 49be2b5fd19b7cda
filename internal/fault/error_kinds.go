package fault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"
)

// errorKind says as which exception a Go error is raised in other languages.
type errorKind struct {
	sentinel error            // the errors it is about: errors.Is
	kind     string           // the exception
	matches  func(error) bool // the errors it is about, where sentinel is nil
	both     bool             // an exception of the kind that arrives from elsewhere is the Go error, for errors.Is
}

// standardKinds are the kinds of errors of the standard library, in the order in which they are looked for.
var standardKinds = []errorKind{
	{sentinel: context.DeadlineExceeded, kind: "TimeoutError", both: true},
	{sentinel: os.ErrDeadlineExceeded, kind: "TimeoutError", both: true},
	{sentinel: context.Canceled, kind: "CancelledError", both: true},
	{sentinel: syscall.EPIPE, kind: "BrokenPipeError", both: true},
	{sentinel: syscall.ECONNREFUSED, kind: "ConnectionRefusedError", both: true},
	{sentinel: syscall.ECONNRESET, kind: "ConnectionResetError", both: true},
	{sentinel: syscall.EISDIR, kind: "IsADirectoryError", both: true},
	{sentinel: syscall.ENOTDIR, kind: "NotADirectoryError", both: true},
	{sentinel: fs.ErrNotExist, kind: "FileNotFoundError", both: true},
	{sentinel: fs.ErrExist, kind: "FileExistsError", both: true},
	{sentinel: fs.ErrPermission, kind: "PermissionError", both: true},
	{sentinel: fs.ErrClosed, kind: "ValueError", both: false}, // as of closed files in Python
	{sentinel: fs.ErrInvalid, kind: "ValueError", both: false},
	{sentinel: io.EOF, kind: "EOFError", both: true},
	{sentinel: io.ErrUnexpectedEOF, kind: "EOFError", both: false},
	{sentinel: strconv.ErrRange, kind: "OverflowError", both: false},
	{sentinel: strconv.ErrSyntax, kind: "ValueError", both: false},
	{sentinel: errors.ErrUnsupported, kind: "NotImplementedError", both: false},
}

// registeredKinds are the kinds of RegisterErrorKind. The slice is replaced, never changed.
var registeredKinds atomic.Pointer[[]errorKind]

// kindSeparator stands between the kinds of an error that is several.
const kindSeparator = ","

// kindOf returns the kind of an error: "RuntimeError" when nothing is known of it. It is several, separated by commas, where several are
// known for the error and those that it wraps, the outermost first: errors.Is and errors.As find all of them, so the exception is all of
// them. What is inside an *Error does not count: it is that one's cause. inside is the outermost wrapped error with a kind of its own, or
// nil.
func kindOf(err error) (kind string, inside error) {
	var kinds []string
	raised := false
	walk(err, func(e error) bool {
		own := registeredKindsOf(e)
		made, is := e.(*Error)
		if is {
			own, raised = strings.Split(made.Kind, kindSeparator), true
		}
		for _, known := range own {
			if slices.Contains(kinds, known) {
				continue
			}
			if len(kinds) > 0 && inside == nil && e != err {
				inside = e
			}
			kinds = append(kinds, known)
		}
		return !is
	})
	if standard := standardKind(err); !raised && (len(kinds) == 0 || standard != "RuntimeError" && !slices.Contains(kinds, standard)) {
		kinds = append(kinds, standard)
	}
	return strings.Join(kinds, kindSeparator), inside
}

// registeredKindsOf returns the kinds that are registered for an error itself, in the order of their registration.
func registeredKindsOf(err error) (kinds []string) {
	for _, known := range *registeredKinds.Load() {
		if known.matches != nil && known.matches(err) || known.sentinel != nil && isItself(err, known.sentinel) {
			kinds = append(kinds, known.kind)
		}
	}
	return kinds
}

// isItself does what errors.Is does, without the errors that err wraps.
func isItself(err, sentinel error) bool {
	if reflect.TypeOf(sentinel).Comparable() && err == sentinel {
		return true
	}
	is, ok := err.(interface{ Is(error) bool })
	return ok && is.Is(sentinel)
}

// walk calls visit with an error and those that it wraps, the outermost first. Those inside an error for which visit returns false are
// left out.
func walk(err error, visit func(error) bool) {
	if err == nil || !visit(err) {
		return
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		walk(x.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, one := range x.Unwrap() {
			walk(one, visit)
		}
	}
}

// standardKind returns the kind of an error of which no kind is registered.
func standardKind(err error) string {
	for _, known := range standardKinds {
		if errors.Is(err, known.sentinel) {
			return known.kind
		}
	}
	var parse *time.ParseError
	if errors.As(err, &parse) {
		return "ValueError"
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return "OSError"
	}
	return "RuntimeError"
}

// Malformed does the work of Malformed of the public package.
func Malformed(err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if kind, _ := kindOf(err); kind != "RuntimeError" {
		return err
	}
	return &Error{Kind: "ValueError", Message: err.Error(), cause: err}
}

// isOfKind reports whether target is the Go error that an exception of a kind stands for.
func isOfKind(kind string, target error) bool {
	for _, table := range [][]errorKind{*registeredKinds.Load(), standardKinds} {
		for _, known := range table {
			if known.both && known.sentinel == target && slices.Contains(strings.Split(kind, kindSeparator), known.kind) {
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
	return register(errorKind{sentinel: sentinel, kind: kind, both: strings.Contains(kind, ".")})
}

// RegisterKindOf gives the errors that matches accepts a kind. matches is told of each error of a chain. When two kinds
// fit an error, the kind that was registered first counts.
func RegisterKindOf(matches func(error) bool, kind string) error {
	if kind == "" || !utf8.ValidString(kind) {
		return New("ValueError", "selfsame: RegisterErrorType: argument 'kind': expected a name, got %q", kind)
	}
	return register(errorKind{matches: matches, kind: kind})
}

// register adds a kind behind the others. It fails when its sentinel has a kind already.
func register(added errorKind) error {
	for {
		old := registeredKinds.Load()
		for _, known := range *old {
			if added.sentinel != nil && known.sentinel == added.sentinel {
				return New("RuntimeError", "selfsame: RegisterErrorKind: %q already has the kind %s", added.sentinel, known.kind)
			}
		}
		kinds := append(slices.Clone(*old), added)
		if registeredKinds.CompareAndSwap(old, &kinds) {
			return nil
		}
	}
}
