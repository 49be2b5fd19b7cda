package selfsame_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
)

func failing(fn func() error) func() error { return fn }

func callError(t *testing.T, fn func() error, opts ...selfsame.FuncOption) error {
	t.Helper()
	f := must(selfsame.NewFunc(failing(fn), opts...))(t)
	_, err := f.Call()
	if err == nil {
		t.Fatal("no error")
	}
	return err
}

//go:noinline
func deepError() error { return selfsame.Errorf("KeyError", "no key %q", "k") }

// Requirement: D6
func TestErrorfCrossesWithItsStack(t *testing.T) {
	balanced(t)
	e := wantError(t, callError(t, deepError), "KeyError", `no key "k"`)
	lines := strings.Split(e.Backtrace, "\n")
	if !strings.Contains(lines[0], "error_test.go") || !strings.HasSuffix(lines[0], ".deepError") || !strings.HasPrefix(lines[0], `  File "`) {
		t.Errorf("first frame: %q", lines[0])
	}
	if strings.Contains(e.Backtrace, "runtime.") || strings.Contains(e.Backtrace, "closure.go") || strings.Contains(e.Backtrace, "reflect.") {
		t.Errorf("plumbing in the backtrace:\n%s", e.Backtrace)
	}
}

// Requirement: D6
func TestPlainErrorsKeepTheirIdentity(t *testing.T) {
	balanced(t)
	plain := errors.New("out of luck")
	err := callError(t, func() error { return fmt.Errorf("reading: %w", plain) })
	e := wantError(t, err, "RuntimeError", "reading: out of luck")
	if !errors.Is(err, plain) {
		t.Error("errors.Is does not find the Go error")
	}
	if !strings.Contains(e.Backtrace, "error_test.go") {
		t.Errorf("no frame: %q", e.Backtrace)
	}
	err = callError(t, func() error { return &fs.PathError{Op: "open", Path: "p", Err: fs.ErrNotExist} })
	var pathError *fs.PathError
	if !errors.As(err, &pathError) || pathError.Path != "p" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("errors.As: %v", pathError)
	}
	err = callError(t, func() error { return fmt.Errorf("outer: %w", selfsame.Errorf("IndexError", "inner")) })
	wantError(t, err, "IndexError", "outer: IndexError: inner")
}

// Requirement: D6
func TestErrorPassesThroughTwoFunctions(t *testing.T) {
	balanced(t)
	plain := errors.New("origin")
	inner := must(selfsame.NewFunc(func() error { return plain }))(t)
	outer := must(selfsame.NewFunc(func() error { _, err := inner.Call(); return err }))(t)
	_, err := outer.Call()
	e := wantError(t, err, "RuntimeError", "origin")
	if !errors.Is(err, plain) {
		t.Error("the error lost its origin")
	}
	if n := strings.Count(e.Backtrace, "TestErrorPassesThroughTwoFunctions"); n != 2 {
		t.Errorf("%d frames:\n%s", n, e.Backtrace)
	}
	wrapping := must(selfsame.NewFunc(func() error { _, err := inner.Call(); return fmt.Errorf("wrapped: %w", err) }))(t)
	_, err = wrapping.Call()
	wantError(t, err, "RuntimeError", "wrapped: RuntimeError: origin")
	if !errors.Is(err, plain) {
		t.Error("the wrapped error lost its origin")
	}
}

//go:noinline
func panics(what any) error { panic(what) }

// Requirement: D6
func TestPanicsBecomeErrors(t *testing.T) {
	balanced(t)
	cause := errors.New("a cause")
	for _, c := range []struct {
		what       any
		kind, part string
	}{
		{"a text", "RuntimeError", "a text"},
		{17, "RuntimeError", "17"},
		{cause, "RuntimeError", "a cause"},
		{&selfsame.Error{Kind: "KeyError", Message: "k"}, "KeyError", "k"},
	} {
		err := callError(t, func() error { return panics(c.what) })
		e := wantError(t, err, c.kind, c.part)
		if first, _, _ := strings.Cut(e.Backtrace, "\n"); !strings.HasSuffix(first, ".panics") {
			t.Errorf("first frame of panic(%v): %q", c.what, first)
		}
	}
	if err := callError(t, func() error { return panics(cause) }); !errors.Is(err, cause) {
		t.Error("the panic's error is lost")
	}
	var m map[string]int
	e := wantError(t, callError(t, func() error { m["x"] = 1; return nil }), "RuntimeError", "Go panic: assignment to entry in nil map")
	if !strings.Contains(e.Backtrace, "TestPanicsBecomeErrors") {
		t.Errorf("backtrace: %q", e.Backtrace)
	}
	var p *Point
	wantError(t, callError(t, func() error { p.X = 1; return nil }), "RuntimeError", "Go panic: runtime error: invalid memory address")
}

func TestGoexitInAnIsolatedFunction(t *testing.T) {
	balanced(t)
	err := callError(t, func() error { runtime.Goexit(); return nil }, selfsame.Isolated())
	wantError(t, err, "RuntimeError", "runtime.Goexit in")
	err = callError(t, func() error { return panics("isolated") }, selfsame.Isolated())
	e := wantError(t, err, "RuntimeError", "isolated")
	if !strings.Contains(e.Backtrace, ".panics") {
		t.Errorf("backtrace: %q", e.Backtrace)
	}
}

func TestErrorsAsValues(t *testing.T) {
	balanced(t)
	plain := errors.New("as a value")
	echo := must(selfsame.NewFunc(func(e any) any { return e }))(t)
	got, ok := must(echo.Call(plain))(t).(*selfsame.Error)
	if !ok || got.Message != "as a value" || !errors.Is(got, plain) {
		t.Errorf("got %v", got)
	}
	again := must(selfsame.NewFunc(func(e any) bool { return e == any(got) }))(t)
	if must(again.Call(got))(t) != true {
		t.Error("two *Error of one native error")
	}
	typed := must(selfsame.NewFunc(func(e *selfsame.Error) string { return e.Kind }))(t)
	if kind := must(typed.Call(selfsame.Errorf("TypeError", "x")))(t); kind != "TypeError" {
		t.Errorf("kind = %v", kind)
	}
	_, err := typed.Call(nil)
	wantError(t, err, "TypeError", "Expected `ffi.Error` but got `None`")
}

// nilError is the classic mistake: a nil pointer in an error.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

func TestErrorsThatPanicThemselves(t *testing.T) {
	balanced(t)
	wantError(t, callError(t, func() error { return (*nilError)(nil) }), "RuntimeError", "an error of type *selfsame_test.nilError, whose methods panic: ")
	wantError(t, callError(t, func() error { return panics((*nilError)(nil)) }), "RuntimeError", "<nil>")
	wantError(t, callError(t, func() error { return errors.New("not UTF-8: \xff") }), "RuntimeError", "not UTF-8: \uFFFD")
	echo := must(selfsame.NewFunc(func(e any) any { return e }))(t)
	got := must(echo.Call((*nilError)(nil)))(t).(*selfsame.Error)
	if !strings.Contains(got.Message, "whose methods panic") {
		t.Errorf("as a value: %v", got)
	}
}

func TestPanicsWithNilErrors(t *testing.T) {
	for _, opts := range [][]selfsame.FuncOption{nil, {selfsame.Isolated()}} {
		err := callError(t, func() error { panic((*selfsame.Error)(nil)) }, opts...)
		wantError(t, err, "RuntimeError", "a panic with a *selfsame.Error, whose methods panic")
	}
}

// Requirement: D6, D11
func TestGoErrorsHaveFittingKinds(t *testing.T) {
	balanced(t)
	_, notExist := os.Open("/no/such/file")
	_, notDir := os.Open("/dev/null/x")
	_, overflow := strconv.Atoi("99999999999999999999")
	_, syntax := strconv.Atoi("x")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		err  error
		kind string
	}{
		{notExist, "FileNotFoundError"},
		{notDir, "NotADirectoryError"},
		{overflow, "OverflowError"},
		{syntax, "ValueError"},
		{cancelled.Err(), "CancelledError"},
		{fmt.Errorf("twice: %w", fmt.Errorf("wrapped: %w", context.DeadlineExceeded)), "TimeoutError"},
		{fs.ErrPermission, "PermissionError"},
		{fs.ErrExist, "FileExistsError"},
		{errors.Join(errors.New("first"), io.EOF), "EOFError"},
		{syscall.ENOSPC, "OSError"},
		{errors.New("another"), "RuntimeError"},
		{selfsame.Errorf("KeyError", "chosen: %w", fs.ErrNotExist), "KeyError"},
		{fmt.Errorf("wrapped: %w", selfsame.Errorf("KeyError", "chosen: %w", fs.ErrNotExist)), "KeyError"},
	} {
		f := must(selfsame.NewFunc(func() error { return c.err }))(t)
		_, err := f.Call()
		var raised *selfsame.Error
		if !errors.As(err, &raised) || raised.Kind != c.kind || !errors.Is(err, c.err) {
			t.Errorf("%v: %v, want a %s", c.err, err, c.kind)
		}
	}
}

var (
	errSoldOut = errors.New("sold out")
	errUnknown = errors.New("unknown item")
)

func init() {
	selfsame.MustRegisterErrorKind(errSoldOut, "test.SoldOut")
	selfsame.MustRegisterErrorKind(errUnknown, "KeyError")
}

// Requirement: D6, D11
func TestSentinelErrorsHaveRegisteredKinds(t *testing.T) {
	balanced(t)
	for sentinel, kind := range map[error]string{errSoldOut: "test.SoldOut", errUnknown: "KeyError"} {
		err := callError(t, func() error { return fmt.Errorf("cup: %w", sentinel) })
		wantError(t, err, kind, "cup: "+sentinel.Error())
	}
	wantError(t, selfsame.RegisterErrorKind(errSoldOut, "Other"), "RuntimeError", `"sold out" already has the kind test.SoldOut`)
	wantError(t, selfsame.RegisterErrorKind(nil, "Other"), "ValueError", "expected an error and a name")
	wantError(t, selfsame.RegisterErrorKind(io.EOF, ""), "ValueError", "expected an error and a name")
}

// boxedError wraps another error.
type boxedError struct{ inner error }

func (e *boxedError) Error() string { return "box: " + e.inner.Error() }
func (e *boxedError) Unwrap() error { return e.inner }

func init() { selfsame.MustRegisterErrorType[*boxedError]("test.Boxed") }

// Requirement: D6, D11
func TestNestedErrorsAreOfAllTheirKinds(t *testing.T) {
	balanced(t)
	for text, of := range map[string]error{
		"box: sold out": &boxedError{errSoldOut}, "at: box: sold out": fmt.Errorf("at: %w", &boxedError{errSoldOut}),
	} {
		err := callError(t, func() error { return of })
		wantError(t, err, "test.Boxed,test.SoldOut", text)
		if !errors.Is(err, errSoldOut) {
			t.Errorf("%s: errors.Is does not find the inner error", text)
		}
	}
	several := errors.Join(fmt.Errorf("shop: %w", errSoldOut), fs.ErrNotExist)
	wantError(t, callError(t, func() error { return several }), "test.SoldOut,FileNotFoundError", several.Error())
	wantError(t, callError(t, func() error { return &boxedError{errors.New("plain")} }), "test.Boxed", "box: plain")
}

// Requirement: D6, D11
func TestMalformedLeavesErrorsThatAreKnown(t *testing.T) {
	balanced(t)
	if err := gen.Malformed(nil); err != nil {
		t.Errorf("of nil: %v", err)
	}
	plain := errors.New("no number")
	err := callError(t, func() error { return gen.Malformed(plain) })
	wantError(t, err, "ValueError", "no number")
	if !errors.Is(err, plain) {
		t.Error("errors.Is does not find the error")
	}
	for kind, known := range map[string]error{"test.SoldOut": errSoldOut, "FileNotFoundError": fs.ErrNotExist, "KeyError": selfsame.Errorf("KeyError", "x")} {
		wantError(t, callError(t, func() error { return gen.Malformed(known) }), kind, "")
	}
}
