package selfsame_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D6
func TestErrorfKeepsSeveralCauses(t *testing.T) {
	balanced(t)
	here := selfsame.Errorf("OSError", "%w, and then %w", io.ErrUnexpectedEOF, fs.ErrClosed)
	for _, err := range []error{here, callError(t, func() error { return here })} {
		wantError(t, err, "OSError", "unexpected EOF, and then file already closed")
		if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, fs.ErrClosed) || errors.Is(err, io.EOF) {
			t.Errorf("the causes of %v", err)
		}
	}
	if one := selfsame.Errorf("OSError", "reading: %w", io.EOF); errors.Unwrap(one) != io.EOF {
		t.Errorf("one cause: %v", errors.Unwrap(one))
	}
}

// Requirement: D6
func TestJoinedErrorsAreFoundAgain(t *testing.T) {
	balanced(t)
	plain := errors.New("plain")
	err := callError(t, func() error { return errors.Join(plain, &fs.PathError{Op: "open", Path: "p", Err: fs.ErrNotExist}) })
	wantError(t, err, "FileNotFoundError", "plain\nopen p: file does not exist")
	var path *fs.PathError
	if !errors.Is(err, plain) || !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &path) {
		t.Errorf("the parts of %v", err)
	}
	// The first *Error among the joined gives the kind.
	err = callError(t, func() error { return errors.Join(plain, fmt.Errorf("more: %w", selfsame.Errorf("KeyError", "k"))) })
	wantError(t, err, "KeyError", "plain\nmore: KeyError: k")
	if !errors.Is(err, plain) {
		t.Error("the other part is lost")
	}
}

// A panic with a value that is no error and no text, or with nil, is a RuntimeError as well.
//
// Requirement: D6
func TestPanicsWithAnythingBecomeErrors(t *testing.T) {
	balanced(t)
	var nothing any
	for _, c := range []struct {
		what any
		part string
	}{
		{nothing, "Go panic: " + new(runtime.PanicNilError).Error()}, // its text depends on the release of Go
		{struct{ A, B int }{1, 2}, "{1 2}"},
		{[]string{"a"}, "[a]"},
		{fmt.Stringer(ModeClass.Members()[0].Get()), "fast"},
	} {
		wantError(t, callError(t, func() error { panic(c.what) }), "RuntimeError", c.part)
	}
	var index = 3
	err := callError(t, func() error { _ = make([]int, 2)[index]; return nil })
	wantError(t, err, "IndexError", "Go panic: runtime error: index out of range [3] with length 2")
	var failure runtime.Error
	if !errors.As(err, &failure) {
		t.Errorf("no runtime.Error behind %v", err)
	}
	if err := callError(t, func() error { panic(errors.Join(io.EOF, fs.ErrClosed)) }); !errors.Is(err, io.EOF) || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a joined panic: %v", err)
	}
}

//go:noinline
func innermost() error { panic(io.ErrClosedPipe) }

// A panic three calls deep, with C++ between the Go funcs, is one error with the frames of all of them, and the same Go
// error at the end.
//
// Requirement: D6
func TestPanicInACallbackInACallbackBecomesAnError(t *testing.T) {
	balancedKinds(t)
	invoke := must(kindsModule(t).Func("invoke"))(t)
	inner := must(selfsame.NewFunc(innermost))(t)
	middle := must(selfsame.NewFunc(func() error { _, err := invoke.Call(inner); return err }))(t)
	seen := ""
	outer := must(selfsame.NewFunc(func() error {
		_, err := invoke.Call(middle)
		seen = fmt.Sprint(err)
		panic(err)
	}))(t)
	_, err := invoke.Call(outer)
	e := wantError(t, err, "RuntimeError", "io: read/write on closed pipe")
	if !errors.Is(err, io.ErrClosedPipe) || seen != err.Error() {
		t.Errorf("%v came out as %v", seen, err)
	}
	if !strings.Contains(e.Backtrace, "selfsame_test.innermost") || !strings.Contains(e.Backtrace, "TestPanicInACallbackInACallbackBecomesAnError") {
		t.Errorf("backtrace:\n%s", e.Backtrace)
	}
}

// C++ sees kind, message and the Go frames; Go sees what C++ throws, with the causes that it names.
//
// Requirement: D6
func TestErrorsReachCpp(t *testing.T) {
	balancedKinds(t)
	caught := must(kindsModule(t).Func("caught"))(t)
	for _, c := range []struct {
		fn                   func() error
		kind, message, frame string
	}{
		{deepError, "KeyError", `no key "k"`, "selfsame_test.deepError"},
		{innermost, "RuntimeError", "io: read/write on closed pipe", "selfsame_test.innermost"},
		{func() error { return io.EOF }, "EOFError", "EOF", "TestErrorsReachCpp"},
	} {
		text := must(selfsame.CallAs[string](caught, c.fn))(t)
		parts := strings.SplitN(text, "|", 3)
		if len(parts) != 3 || parts[0] != c.kind || parts[1] != c.message || !strings.Contains(parts[2], c.frame) || !strings.Contains(parts[2], "_test.go\", line ") {
			t.Errorf("C++ caught %q", text)
		}
	}
	throw := must(kindsModule(t).Func("throw_"))(t)
	left := fmt.Errorf("left behind: %w", io.ErrShortWrite)
	_, err := throw.Call("KeyError", "thrown", left)
	e := wantError(t, err, "KeyError", "thrown")
	if !strings.Contains(e.Backtrace, "kinds.cc") {
		t.Errorf("backtrace: %s", e.Backtrace)
	}
	var cause *selfsame.Error
	if !errors.As(errors.Unwrap(err), &cause) || cause.Message != "left behind: short write" || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("the cause of %v is %v", err, errors.Unwrap(err))
	}
	// The whole chain survives another crossing.
	again := callError(t, func() error { return fmt.Errorf("around: %w", err) })
	wantError(t, again, "KeyError", "around: KeyError: thrown")
	if !errors.Is(again, io.ErrShortWrite) {
		t.Error("the cause is lost on the way")
	}
}

// An error that goes through other languages is the same one for errors.Is, though its backtrace has grown.
//
// Requirement: D6
func TestErrorIsItselfAfterAnotherLanguage(t *testing.T) {
	balancedKinds(t)
	throw := must(kindsModule(t).Func("throw_"))(t)
	_, first := throw.Call("KeyError", "thrown", nil)
	_, other := throw.Call("KeyError", "thrown", nil)
	here := selfsame.Errorf("KeyError", "thrown")
	again := callError(t, func() error { return first })
	if again == first {
		t.Error("the backtrace has not grown")
	}
	if !errors.Is(again, first) || !errors.Is(first, again) || !errors.Is(fmt.Errorf("around: %w", again), first) {
		t.Error("the error is another one")
	}
	if errors.Is(again, other) || errors.Is(again, here) || errors.Is(here, again) || errors.Is(again, io.EOF) {
		t.Error("errors of the same text are the same")
	}
	if back := callError(t, func() error { return here }); !errors.Is(back, here) || errors.Is(back, first) {
		t.Error("the Go error is lost")
	}
}
