package fault

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Error is an error that other languages can raise and catch. Errors of native code arrive in Go as *Error; errors.As finds
// them. Code may read and copy it on any goroutine, but must not change one that arrived.
type Error struct {
	Kind      string // the exception's name, such as ValueError; of one that is several all names, separated by commas
	Message   string
	Backtrace string // one line `  File "<file>", line <n>, in <function>` per frame, the most recent call first

	cause    error          // the result of errors.Unwrap
	original error          // the Go error that left Go and came back as this one
	object   *handles.State // the native Error that this one was made from, or nil

	path    Path     // the element of an argument that it is about, nil for none
	inner   string   // the message without the words for the path
	refusal *refusal // what the message says of a value of the wrong type, or nil

	argument int    // the argument that it is about, counted from 1, of a call from Go; 0 for none
	reason   string // the message without the argument
}

// plainErrors are the types of errors of the standard library whose methods say what they have.
var plainErrors = []reflect.Type{reflect.TypeOf(errors.New("")), reflect.TypeOf(fmt.Errorf("%d", 0))}

// IsPlain says whether the methods of an error, and of those that it leads to, are known to end at once.
func IsPlain(err error) bool {
	for {
		e, ok := err.(*Error)
		if !ok {
			return err == nil || slices.Contains(plainErrors, reflect.TypeOf(err))
		}
		err = e.Unwrap()
	}
}

// wrappedBy returns the error that an error of fmt.Errorf wraps, nil for none, and err itself when it wraps several.
func wrappedBy(err error) error {
	if _, several := err.(interface{ Unwrap() []error }); several {
		return err
	}
	return errors.Unwrap(err)
}

// Error returns the kind and the message, without the line breaks with which checks in C++ end theirs.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Kind
	}
	return e.Kind + ": " + strings.TrimRight(e.Message, "\n")
}

// Unwrap returns the error that caused this one; for an error that left Go and came back, the Go error that left.
func (e *Error) Unwrap() error {
	if e.original != nil {
		return e.original
	}
	return e.cause
}

// Is reports whether target is the same native Error or another Error of the same Python exception. An error of another
// language also matches the Go error that the exception's kind stands for, such as fs.ErrNotExist for a
// FileNotFoundError. errors.Is calls it.
func (e *Error) Is(target error) bool {
	if e != nil && e.object != nil && e.original == nil && isOfKind(e.Kind, target) {
		return true
	}
	other, ok := target.(*Error)
	if !ok || e == nil || other == nil || e.object == nil || other.object == nil {
		return false
	}
	defer runtime.KeepAlive(e)
	defer runtime.KeepAlive(other)
	mine, theirs := e.object.Address(), other.object.Address()
	if mine == nil || theirs == nil {
		return false
	}
	if mine == theirs {
		return true
	}
	// The Errors of one Python exception share the object that owns it. It is only compared: the end of a call may replace
	// it, and then frees it.
	_, exception := bridge.ErrorLinks(mine)
	_, its := bridge.ErrorLinks(theirs)
	return exception != nil && exception == its
}

// Take turns an Error object into a Go error and takes over the caller's reference. nil gives nil.
func Take(object unsafe.Pointer) error {
	if object == nil {
		return nil
	}
	c := handles.FetchOwned(object)
	defer runtime.KeepAlive(c)
	return OfObject(c)
}

// OfObject returns the *Error of an Error object: the same one for the same object, until the object's backtrace changes.
// When the object was made of a Go error of this library, the result unwraps to that error.
func OfObject(c *handles.State) *Error {
	cell := abi.ErrorOf(c.Address())
	known := (*Error)(c.Attached())
	if known != nil && known.Backtrace == string(cell.Backtrace.Bytes()) {
		return known
	}
	e := &Error{
		Kind:      cell.Kind.String(),
		Message:   cell.Message.String(),
		Backtrace: cell.Backtrace.String(),
		object:    c,
	}
	cause, context := bridge.ErrorLinks(c.Address())
	if cause != nil && abi.TypeIndexOf(cause) == abi.IndexError {
		e.cause = OfObject(handles.Fetch(cause))
	}
	if known != nil {
		e.original = known.original
	} else {
		e.original = handles.KeptError(context)
	}
	c.Attach(unsafe.Pointer(e))
	return e
}

// NewObject makes a native Error of a Go error and returns an owned reference. boundary is the stack frame of the Go
// func that returned the error. It never panics, even if the methods of the error do.
func NewObject(err error, boundary string) (object unsafe.Pointer) {
	defer func() {
		if r := recover(); r != nil {
			message := fmt.Sprintf("an error of type %s, whose methods panic: %v", typeName(err), r)
			object = bridge.Error("RuntimeError", readable(message), readable(boundary), nil, nil)
		}
	}()
	return translateError(err, boundary)
}

// readable returns text as UTF-8, as other languages require.
func readable(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// Presented returns the Error of a value by which another package presents one, and nil for other errors. Such a package sets
// it when it is initialised.
var Presented = func(error) *Error { return nil }

// plainly returns err as an Error, nil for an error of another type that does more than to present one.
func plainly(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return Presented(err)
}

// translateError does NewObject's work for errors whose methods do not panic.
//
// An error that came from native code is returned as the same object. Any other becomes a new object with the context
// of contextOf and the kind of kindOf. The first *Error in its chain gives the stack and the cause. Without one an error of another registered
// kind inside it is its cause.
func translateError(err error, boundary string) unsafe.Pointer {
	if e := plainly(err); e != nil && e.object != nil {
		if object := e.object.Address(); object != nil {
			abi.IncRef(object)
			runtime.KeepAlive(e)
			if boundary != "" {
				bridge.AppendBacktrace(object, boundary)
			}
			return object
		}
	}
	message, backtrace := err.Error(), ""
	kind, inside := kindOf(err)
	var cause unsafe.Pointer
	var inner *Error
	switch {
	case errors.As(err, &inner):
		backtrace = inner.Backtrace
		if inner == err {
			message = inner.Message
		}
		if origin := nativeCause(inner); origin != nil {
			cause = origin.Address()
		}
	case inside != nil:
		cause = translateError(inside, "")
		defer handles.DecRef(cause)
	}
	if backtrace == "" {
		backtrace = boundary
	}
	keeper := contextOf(err)
	object := bridge.Error(readable(kind), readable(message), readable(backtrace), cause, keeper)
	handles.DecRef(keeper)
	runtime.KeepAlive(inner)
	if object == nil {
		object = bridge.Error("MemoryError", "", "", nil, nil)
	}
	return object
}

// nativeCause returns the first native Error in the chain of causes of e, or nil.
func nativeCause(e *Error) *handles.State {
	for e != nil {
		if e.object != nil && e.object.Address() != nil {
			return e.object
		}
		var next *Error
		if !errors.As(e.cause, &next) {
			return nil
		}
		e = next
	}
	return nil
}

// New makes an error without a stack. When it leaves Go, the stack frame of the called Go func is added.
func New(kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Reason returns an error's text for use inside another message: without its kind and without the prefix.
func Reason(err error) string {
	text := err.Error()
	if e, ok := err.(*Error); ok {
		text = e.Message
	}
	return strings.TrimPrefix(text, "selfsame: ")
}

// Errorf does the work of Errorf of the public package.
func Errorf(kind, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: err.Error(), Backtrace: CallerStack(1), cause: wrappedBy(err)}
}

// OfArgument returns an error as that of argument i, counted from 0, of a call from Go.
func OfArgument(e *Error, i int) *Error {
	made := New(e.Kind, "%s (argument #%d)", e.Message, i)
	made.argument, made.reason = i+1, e.Message
	return made
}

// Argument tells what OfArgument was given: the argument's index and the error. ok is false for other errors.
func Argument(err error) (i int, reason *Error, ok bool) {
	e, made := err.(*Error)
	if !made || e.argument == 0 {
		return 0, nil, false
	}
	return e.argument - 1, New(e.Kind, "%s", e.reason), true
}

// MadeInGo returns err as an *Error that Go code made and that has not left Go, so that a message may be added to it; ok is
// false for other errors.
func MadeInGo(err error) (e *Error, ok bool) {
	e, ok = err.(*Error)
	return e, ok && e.object == nil
}
