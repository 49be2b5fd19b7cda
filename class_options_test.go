package selfsame_test

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Version has every hook.
type Version struct {
	selfsame.Object
	Major, Minor int64
	Note         selfsame.String `ffi:"compare=off"`
}

type VersionHandle = selfsame.Handle[Version]

var VersionClass = selfsame.MustRegister[Version]("test.Version",
	selfsame.Init(func(v *Version, major, minor int64, note string) {
		v.Major, v.Minor = major, minor
		v.Note.Set(note)
	}, "major", "minor=0", "note='none given'"),
	selfsame.Method("bump", func(v *Version, by int64) int64 { v.Minor += by; return v.Minor }, "Raises minor.", "by=1"),
	selfsame.Repr(func(v *Version) string { return fmt.Sprintf("v%d.%d", v.Major, v.Minor) }),
	selfsame.Equality(
		func(a, b *Version) bool { return a.Major == b.Major && a.Minor == b.Minor },
		func(v *Version) int64 { return v.Major*1000 + v.Minor }),
	selfsame.Order(func(a, b *Version) int {
		return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor))
	}),
	selfsame.JSON(
		func(v *Version) any { return []int64{v.Major, v.Minor} },
		func(data any) (*VersionHandle, error) {
			numbers, ok := data.(*selfsame.Array[any])
			if !ok || numbers.Len() != 2 {
				return nil, errors.New("not a version")
			}
			return selfsame.New(func(v *Version) { v.Major, v.Minor = numbers.At(0).(int64), numbers.At(1).(int64) }), nil
		}),
	selfsame.Final())

func version(t *testing.T, args ...any) *VersionHandle {
	t.Helper()
	return must(selfsame.NewObject("test.Version", args...))(t).(*VersionHandle)
}

func global(t *testing.T, name string, args ...any) any {
	t.Helper()
	return must(must(selfsame.GetFunc(name))(t).Call(args...))(t)
}

// Requirement: D1
func TestClassHooksAreCalled(t *testing.T) {
	balanced(t)
	a, b, c := version(t, 1, 2), version(t, 1, 2, "a note of its own"), version(t, 1, 3)
	if text := global(t, "ffi.ReprPrint", a); text != "v1.2" {
		t.Errorf("repr = %v", text)
	}
	if text := global(t, "ffi.ReprPrint", []any{c}); text != "(v1.3,)" {
		t.Errorf("repr in an array = %v", text)
	}
	if global(t, "ffi.RecursiveEq", a, b) != true || global(t, "ffi.RecursiveEq", a, c) != false {
		t.Error("equality")
	}
	if global(t, "ffi.RecursiveHash", a) != global(t, "ffi.RecursiveHash", b) {
		t.Error("equal objects have two hashes")
	}
	if global(t, "ffi.RecursiveLt", a, c) != true || global(t, "ffi.RecursiveGe", a, c) != false {
		t.Error("order")
	}
	// One key in containers, here and in the runtime.
	d := must(selfsame.NewDict(map[*VersionHandle]string{a: "first"}))(t)
	d.Set(b, "second")
	d.Set(c, "third")
	for range 2 {
		if got, ok := d.Get(b); d.Len() != 2 || !ok || got != "second" {
			t.Errorf("as keys: %d entries, %q, %v", d.Len(), got, ok)
		}
		for i := range int64(20) { // grow into a hash table
			d.Set(version(t, 100, i), "more")
			d.Delete(version(t, 100, i))
		}
	}
	graph := global(t, "ffi.ToJSONGraphString", []any{a}, nil)
	back := global(t, "ffi.FromJSONGraphString", graph).(*selfsame.Array[any])
	if v := back.At(0).(*VersionHandle).Get(); v.Major != 1 || v.Minor != 2 {
		t.Errorf("from JSON %v: %d.%d", graph, v.Major, v.Minor)
	}
}

// Requirement: D1
func TestParametersHaveDefaults(t *testing.T) {
	balanced(t)
	kwargs := global(t, "ffi.GetKwargsObject")
	for _, c := range []struct {
		args         []any
		major, minor int64
		note         string
	}{
		{[]any{1}, 1, 0, "none given"},
		{[]any{1, 2}, 1, 2, "none given"},
		{[]any{1, 2, "x"}, 1, 2, "x"},
		{[]any{1, kwargs}, 1, 0, "none given"},
		{[]any{1, kwargs, "note", "y"}, 1, 0, "y"},
		{[]any{kwargs, "note", "z", "major", 5}, 5, 0, "z"},
	} {
		if v := version(t, c.args...).Get(); v.Major != c.major || v.Minor != c.minor || v.Note.Get() != c.note {
			t.Errorf("%v: %d %d %q", c.args, v.Major, v.Minor, v.Note.Get())
		}
	}
	for _, c := range []struct {
		args []any
		part string
	}{
		{nil, "test.Version: argument 'major': missing"},
		{[]any{1, 2, "x", 4}, "test.Version: expected 1 to 3 arguments, got 4"},
		{[]any{kwargs, "minor", 1}, "test.Version: argument 'major': missing"},
		{[]any{1, kwargs, "major", 1}, "test.Version: argument 'major': got multiple values"},
		{[]any{1, kwargs, "patch", 1}, "got an unexpected keyword argument 'patch'"},
		{[]any{1, kwargs, "minor", "x"}, "test.Version: argument 'minor': expected int, got str"},
	} {
		_, err := selfsame.NewObject("test.Version", c.args...)
		wantError(t, err, "TypeError", c.part)
	}
	v := version(t, 1)
	if n := must(selfsame.CallMethod(v, "bump"))(t); n != int64(1) {
		t.Errorf("bump() = %v", n)
	}
	if n := must(selfsame.CallMethod(v, "bump", 5))(t); n != int64(6) {
		t.Errorf("bump(5) = %v", n)
	}
	type bad struct{ selfsame.Object }
	for _, c := range []struct {
		names []string
		part  string
	}{
		{[]string{"a=1", "b"}, "t.B: argument 'b': expected a default"},
		{[]string{"a", "b='x'"}, "argument 'b': expected a default of type int, got `'x'`"},
		{[]string{"a", "b c"}, "expected an identifier as argument name, got `b c`"},
	} {
		wantError(t, reg[bad]("t.B", selfsame.Init(func(*bad, int, int) {}, c.names...)), "ValueError", c.part)
	}
}

// Requirement: D1
func TestAMethodHasOptionsOfItsOwn(t *testing.T) {
	type quitter struct{ selfsame.Object }
	quit := func(*quitter) { runtime.Goexit() }
	if err := reg[quitter]("test.Quitter", selfsame.Init(func(*quitter) {}), selfsame.Method("quit", quit, ""),
		selfsame.MethodOptions("quit", selfsame.Isolated())); err != nil {
		t.Fatal(err)
	}
	balanced(t)
	q := must(selfsame.NewObject("test.Quitter"))(t).(*selfsame.Handle[quitter])
	_, err := selfsame.CallMethod(q, "quit")
	wantError(t, err, "RuntimeError", "Goexit")

	type bad struct{ selfsame.Object }
	count := selfsame.Method("count", func(*bad) int { return 1 }, "")
	for _, c := range []struct {
		name   string
		option selfsame.FuncOption
		kind   string
		part   string
	}{
		{"size", selfsame.KeepGIL(), "ValueError", "class `test.Bad` has no method `size`"},
		{"__init__", selfsame.KeepGIL(), "ValueError", "class `test.Bad` has no method `__init__`"},
		{"count", selfsame.Override(), "ValueError", "`test.Bad.count`: expected KeepGIL, Isolated, Lazy or Plain"},
		{"count", selfsame.ArgNames("x"), "ValueError", "expected KeepGIL, Isolated, Lazy or Plain"},
		{"count", selfsame.Lazy(), "TypeError", "iter.Seq"},
	} {
		wantError(t, reg[bad]("test.Bad", count, selfsame.MethodOptions(c.name, c.option)), c.kind, c.part)
	}
}

// Settings has a constructor made of its fields.
type Settings struct {
	selfsame.Object
	Name  selfsame.String
	Depth int32                 `ffi:"default=3"`
	Tags  selfsame.List[string] `ffi:"init=off"`
	Loud  bool                  `ffi:"default=false,kwonly"`
}

var SettingsClass = selfsame.MustRegister[Settings]("test.Settings", selfsame.AutoInit(), selfsame.Structural(selfsame.StructuralTree))

// Requirement: D1
func TestAutoInitMakesAConstructor(t *testing.T) {
	balanced(t)
	kwargs := global(t, "ffi.GetKwargsObject")
	s := must(selfsame.NewObject("test.Settings", "some name", kwargs, "loud", true))(t).(*selfsame.Handle[Settings])
	if v := s.Get(); v.Name.Get() != "some name" || v.Depth != 3 || !v.Loud || v.Tags.Len() != 0 {
		t.Errorf("made %q %d %v", v.Name.Get(), v.Depth, v.Loud)
	}
	_, err := selfsame.NewObject("test.Settings")
	wantError(t, err, "TypeError", "missing required argument: 'name'")
	_, err = selfsame.NewObject("test.Settings", "x", 1, true)
	wantError(t, err, "TypeError", "takes at most 2 positional")
	other := must(selfsame.NewObject("test.Settings", "some name", 3, kwargs, "loud", true))(t)
	if global(t, "ffi.StructuralEqual", s, other, false, false) != true {
		t.Error("two objects with one content differ")
	}
	s.Get().Tags.Append("one")
	if global(t, "ffi.StructuralEqual", s, other, false, false) != false {
		t.Error("two objects with another content are equal")
	}
	copied := must(must(selfsame.GetFunc("ffi.DeepCopy"))(t).Call(s))(t).(*selfsame.Handle[Settings])
	copied.Get().Tags.Append("two")
	if !slices.Equal(s.Get().Tags.Slice(), []string{"one"}) || copied.Get().Tags.Len() != 2 {
		t.Errorf("after a change of the copy: %v", s.Get().Tags.Slice())
	}
}

// Requirement: D1
func TestFinalClassesAndWrongHooksAreRefused(t *testing.T) {
	type derived struct{ Version }
	type fine struct{ selfsame.Object }
	for _, c := range []struct {
		name, kind, part string
		err              error
	}{
		{"final", "TypeError", "embeds selfsame_test.Version, whose class `test.Version` is final", reg[derived]("t.C")},
		{"repr", "TypeError", "`__ffi_repr__` of t.C: expected a func with 1 parameters, got func()", reg[fine]("t.C", selfsame.Repr(func() {}))},
		{"repr of another", "TypeError", "parameter 0: expected *selfsame_test.fine", reg[fine]("t.C", selfsame.Repr(func(*Point) string { return "" }))},
		{"not a func", "TypeError", "expected a func, got int", reg[fine]("t.C", selfsame.Repr(1))},
		{"attribute", "TypeError", "Attr: `x` of t.C: chan int has no counterpart", reg[fine]("t.C", selfsame.Attr("x", make(chan int)))},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.err, c.kind, c.part) })
	}
}
