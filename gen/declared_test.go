package gen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/want"
)

// The classes here are Go's own; their declared handles see them as those of another language.

type DeclaredBase struct {
	selfsame.Object
	N    int64
	Name selfsame.String
	Next selfsame.Opt[DeclaredBase]
	Any  selfsame.Any
	Kept int64 `ffi:"ro"`
}

type DeclaredDerived struct{ DeclaredBase }

type (
	baseHandle    struct{ gen.ObjectHandle }
	derivedHandle struct{ baseHandle }
)

var (
	declaredBase    = gen.Declare[baseHandle]("test.DeclaredBase")
	declaredDerived = gen.Declare[derivedHandle]("test.DeclaredDerived")

	// Registered after the classes are declared.
	_ = selfsame.MustRegister[DeclaredBase]("test.DeclaredBase",
		selfsame.Init(func(b *DeclaredBase, n int64) { b.N = n }),
		selfsame.Method("plus", func(b *DeclaredBase, x float64, twice bool, text string) float64 {
			if twice {
				x *= 2
			}
			return float64(b.N) + x + float64(len(text))
		}, ""),
		selfsame.Method("reset", func(b *DeclaredBase) { b.N = 0 }, ""),
		selfsame.Method("fail", func(*DeclaredBase) error { return selfsame.Errorf("KeyError", "nothing") }, ""),
		selfsame.Static("pick", func(b *selfsame.Handle[DeclaredBase]) *selfsame.Handle[DeclaredBase] { return b }, ""))
	_ = selfsame.MustRegister[DeclaredDerived]("test.DeclaredDerived", selfsame.Init(func(b *DeclaredDerived) { b.N = 7 }))

	newBase    = gen.ConstructorOf[func(int64) (*baseHandle, error)]("test.DeclaredBase")
	newDerived = gen.ConstructorOf[func() (*derivedHandle, error)]("test.DeclaredDerived")
	basePlus   = gen.MethodOf[func(*baseHandle, float64, bool, string) (float64, error)]("test.DeclaredBase", "plus")
	baseReset  = gen.MethodOf[func(*baseHandle) error]("test.DeclaredBase", "reset")
	baseFail   = gen.MethodOf[func(*baseHandle) error]("test.DeclaredBase", "fail")
	baseN      = gen.AccessorOf[int64]("test.DeclaredBase", "n")
	baseNext   = gen.AccessorOf[*baseHandle]("test.DeclaredBase", "next")
	baseKept   = gen.AccessorOf[int64]("test.DeclaredBase", "kept")
)

// Requirement: D14
func TestDeclaredClasses(t *testing.T) {
	want.Balanced(t)
	b, d := testenv.Value(gen.Invoke1(newBase, 5))(t), testenv.Value(gen.Invoke0(newDerived))(t)
	if got := testenv.Value(gen.Invoke4(basePlus, b, 1.5, true, "four"))(t); got != 12 {
		t.Errorf("plus gives %v", got)
	}
	if got := testenv.Value(gen.Invoke4(basePlus, &d.baseHandle, 1, false, strings.Repeat("x", 2000)))(t); got != 2008 {
		t.Errorf("plus of a derived object and a long text gives %v", got)
	}
	if err := gen.Do1(baseReset, b); err != nil || baseN.MustGet(b) != 0 {
		t.Errorf("after reset: %v, error %v", baseN.MustGet(b), err)
	}
	want.Error(t, gen.Do1(baseFail, b), "KeyError", "nothing")
	if err := baseNext.Set(b, &d.baseHandle); err != nil || baseNext.MustGet(b) != &d.baseHandle {
		t.Errorf("a field has another handle; error %v", err)
	}
	if err := baseNext.Set(b, nil); err != nil || baseNext.MustGet(b) != nil {
		t.Errorf("an empty field has a handle; error %v", err)
	}
	want.Error(t, baseKept.Set(b, 1), "AttributeError", "test.DeclaredBase.kept: the field is read only")

	if got, ok := declaredDerived.As(&d.baseHandle); !ok || got != d {
		t.Error("As does not give the handle of the derived class")
	}
	if _, ok := declaredDerived.As(b); ok {
		t.Error("As takes a base object for a derived one")
	}
	if _, ok := declaredDerived.As((*baseHandle)(nil)); ok {
		t.Error("As takes nil")
	}
	want.Panic(t, "TypeError", "Cannot convert from type `test.DeclaredBase` to `test.DeclaredDerived`", func() { declaredDerived.Cast(b) })
	if h := testenv.Value(selfsame.NewArray([]*baseHandle{b, nil, &d.baseHandle}))(t); h.At(0) != b || h.At(1) != nil || h.At(2) != &d.baseHandle {
		t.Error("an Array has other handles")
	}
	if b.TypeKey() != "test.DeclaredBase" || d.TypeKey() != "test.DeclaredDerived" || declaredBase.TypeIndex() < 0 {
		t.Errorf("keys %s and %s", b.TypeKey(), d.TypeKey())
	}
	if !selfsame.Same(b, selfsame.Cast[DeclaredBase](b)) || selfsame.Cast[DeclaredBase](b).Get().N != 0 {
		t.Error("the Go class sees another object")
	}
	b.Release()
	want.Error(t, gen.Do1(baseReset, b), "RuntimeError", "used after Release")
	want.Panic(t, "RuntimeError", "used after Release", func() { baseN.MustGet(b) })
}

// Requirement: D14
func TestCallsByNameDoNotAllocate(t *testing.T) {
	b := testenv.Value(gen.Invoke1(newBase, 5))(t)
	array := testenv.Value(selfsame.NewArray([]*baseHandle{b}))(t)
	list := testenv.Value(selfsame.NewList([]*baseHandle{b}))(t)
	// Functions of the runtime, which are in C.
	item := gen.GlobalOf[func(*selfsame.Array[*baseHandle], int64) (*baseHandle, error)]("ffi.ArrayGetItem")
	replace := gen.GlobalOf[func(*selfsame.List[*baseHandle], int64, int64, *selfsame.Array[*baseHandle]) error]("ffi.ListReplaceSlice")
	count := gen.GlobalOf[func(*selfsame.Array[*baseHandle]) (int64, error)]("ffi.ArraySize")
	for name, call := range map[string]func() error{
		"a handle":        func() error { _, err := gen.Invoke2(item, array, 0); return err },
		"a number":        func() error { _, err := gen.Invoke1(count, array); return err },
		"four arguments":  func() error { return gen.Do4(replace, list, 0, 1, array) },
		"a field":         func() error { _, err := baseN.Get(b); return err },
		"an empty handle": func() error { _, err := baseNext.Get(b); return err },
	} {
		if n := testing.AllocsPerRun(100, func() {
			testenv.OK(t, call())
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	five := gen.GlobalOf[func(*baseHandle, int64, float64, bool, string) (string, error)]("test.declared.five")
	selfsame.MustRegisterFunc("test.declared.five", func(b *DeclaredBase, n int64, x float64, yes bool, text string) string {
		return fmt.Sprint(b.N, n, x, yes, text)
	})
	if got := testenv.Value(gen.Invoke5(five, b, 1, 2.5, true, "a text that needs a frame"))(t); got != "5 1 2.5 truea text that needs a frame" {
		t.Errorf("five arguments arrive as %q", got)
	}
}

// Requirement: D14
func TestErrorsThatAreResults(t *testing.T) {
	selfsame.MustRegisterFunc("test.declared.either", func(n int64) any {
		if n < 0 {
			return &selfsame.Error{Kind: "ValueError", Message: "negative"}
		}
		return n
	})
	want.Balanced(t)
	whole := gen.GlobalOf[func(int64) (any, error)]("test.declared.either")
	if e, ok := testenv.Value(gen.Invoke1(whole, -1))(t).(*selfsame.Error); !ok || e.Message != "negative" {
		t.Errorf("as a result it is %v", e)
	}
	number := gen.GlobalOf[func(int64) (int64, error)]("test.declared.either").ResultOrError()
	object := gen.GlobalOf[func(int64) (selfsame.AnyHandle, error)]("test.declared.either").ResultOrError()
	either := gen.GlobalOf[func(int64) (any, error)]("test.declared.either").ResultOrError()
	nothing := gen.GlobalOf[func(int64) error]("test.declared.either").ResultOrError()
	packed := gen.GlobalOf[func(...any) (int64, error)]("test.declared.either").ResultOrError()
	packedNothing := gen.GlobalOf[func(...any) (any, error)]("test.declared.either").ResultOrError()
	for name, call := range map[string]func(n int64) error{
		"a number":         func(n int64) error { _, err := gen.Invoke1(number, n); return err },
		"an object":        func(n int64) error { _, err := gen.Invoke1(object, n); return err },
		"any":              func(n int64) error { _, err := gen.Invoke1(either, n); return err },
		"none":             func(n int64) error { return gen.Do1(nothing, n) },
		"any arguments":    func(n int64) error { _, err := gen.InvokeAll(packed, n); return err },
		"anything for any": func(n int64) error { _, err := gen.InvokeAll(packedNothing, n); return err },
	} {
		t.Run(name, func(t *testing.T) {
			want.Error(t, call(-1), "ValueError", "negative")
			if name != "an object" && call(3) != nil {
				t.Error(call(3))
			}
		})
	}
}

func TestCallsByNameSayWhatIsMissing(t *testing.T) {
	f := func() error { return gen.Do0(gen.GlobalOf[func() error]("test.declared.gone")) }
	want.Error(t, f(), "ValueError", "test.declared.gone: there is no such global function; load the library that has it first")
	want.Error(t, gen.Do0(gen.MethodOf[func() error]("test.Gone", "f")), "RuntimeError", "test.Gone.f: class `test.Gone` is not registered")
	want.Error(t, gen.Do0(gen.MethodOf[func() error]("test.DeclaredBase", "gone")), "AttributeError", "class `test.DeclaredBase` has no method `gone`")
	want.Error(t, gen.Do0(gen.ConstructorOf[func() error]("ffi.Object")), "TypeError", "ffi.Object: the class has no constructor")
	b := testenv.Value(gen.Invoke1(newBase, 5))(t)
	_, err := gen.AccessorOf[int64]("test.DeclaredBase", "gone").Get(b)
	want.Error(t, err, "AttributeError", "class `test.DeclaredBase` has no field `gone`")
	_, err = gen.AccessorOf[string]("test.DeclaredBase", "n").Get(b)
	want.Error(t, err, "TypeError", "")
	_, err = gen.AccessorOf[int64]("test.DeclaredDerived", "n").Get(b)
	want.Error(t, err, "AttributeError", "class `test.DeclaredDerived` has no field `n`")
	later := gen.GlobalOf[func() (int64, error)]("test.declared.later")
	_, err = gen.Invoke0(later)
	want.Error(t, err, "ValueError", "no such global function")
	selfsame.MustRegisterFunc("test.declared.later", func() int64 { return 3 })
	if got := testenv.Value(gen.Invoke0(later))(t); got != 3 {
		t.Errorf("a function that was registered later gives %v", got)
	}
	want.Panic(t, "TypeError", "expected a struct whose only field is an embedded", func() { gen.Declare[struct{ N int }]("test.No") })
	want.Panic(t, "RuntimeError", "is declared already", func() { gen.Declare[baseHandle]("test.Other") })
	type again struct{ gen.ObjectHandle }
	want.Panic(t, "RuntimeError", "class `test.DeclaredBase` is declared already", func() { gen.Declare[again]("test.DeclaredBase") })
}

// A value of Go type any is the handle of the declared class that is nearest to the object's.
func TestAnyHasDeclaredHandles(t *testing.T) {
	d := testenv.Value(gen.Invoke0(newDerived))(t)
	got := testenv.Value(selfsame.CallMethod(d, "pick", d))(t)
	if h, ok := got.(selfsame.AnyHandle); !ok || !selfsame.Same(h, d) {
		t.Errorf("got %T", got)
	}
	same := gen.MethodOf[func(selfsame.Native) (selfsame.AnyHandle, error)]("test.DeclaredBase", "pick")
	if h := testenv.Value(gen.Invoke1(same, selfsame.Native(d)))(t); !selfsame.Same(h, d) {
		t.Errorf("as an AnyHandle: %v", h)
	}
	array := testenv.Value(selfsame.NewArray([]int64{1}))(t)
	echo := testenv.Value(selfsame.NewFunc(func(x selfsame.AnyHandle) selfsame.AnyHandle { return x }))(t)
	if h := testenv.Value(selfsame.CallAs[selfsame.AnyHandle](echo, array))(t); h.TypeKey() != "ffi.Array" {
		t.Errorf("an Array as an AnyHandle: %v", h)
	}
	if h := testenv.Value(selfsame.CallAs[selfsame.AnyHandle](echo, nil))(t); h != nil {
		t.Errorf("None as an AnyHandle: %v", h)
	}
	_, err := selfsame.CallAs[selfsame.AnyHandle](echo, 1)
	want.Error(t, err, "TypeError", "int")
}
