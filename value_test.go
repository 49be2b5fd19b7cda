package selfsame_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Shelf has a Value of every sort of Go type that a class struct must not hold itself.
type Shelf struct {
	selfsame.Object
	Name    selfsame.String
	Reader  selfsame.Value[io.Reader]
	Builder selfsame.Value[*strings.Builder]
	Words   selfsame.Value[map[string]int]
	Tell    selfsame.Value[func() string]
	Scratch selfsame.Value[chan int] `ffi:"transient"`
}

var ShelfClass = selfsame.MustRegister[Shelf]("test.Shelf", selfsame.AutoInit(), selfsame.Structural(selfsame.StructuralTree))

// Cache has only state that pickles may lose.
type Cache struct {
	selfsame.Object
	Size int64
	hits int64                 `ffi:"transient"`
	Jobs selfsame.Value[[]int] `ffi:"transient"`
}

var CacheClass = selfsame.MustRegister[Cache]("test.Cache")

// watched returns a value that is counted when the collector has found it unreachable.
func watched(dropped *atomic.Int64) *strings.Builder {
	b := &strings.Builder{}
	runtime.SetFinalizer(b, func(*strings.Builder) { dropped.Add(1) })
	return b
}

// Requirement: D9
func TestValuesHoldAnyGoType(t *testing.T) {
	balanced(t)
	s := must(selfsame.NewObject("test.Shelf", "first"))(t).(*selfsame.Handle[Shelf])
	p := s.Get()
	if p.Reader.IsSet() || p.Reader.Get() != nil || p.Words.Get() != nil || p.Tell.Get() != nil {
		t.Error("a new field is set")
	}
	_, err := p.Words.Load()
	wantError(t, err, "ValueError", "Value[map[string]int]: the field is not set")
	builder := &strings.Builder{}
	p.Reader.Set(strings.NewReader("text"))
	p.Builder.Set(builder)
	p.Words.Set(map[string]int{"a": 1})
	p.Tell.Set(func() string { return p.Name.Get() })
	p.Words.Get()["b"] = 2
	text := must(io.ReadAll(p.Reader.Get()))(t)
	if string(text) != "text" || p.Builder.Get() != builder || len(p.Words.Get()) != 2 || p.Tell.Get()() != "first" {
		t.Errorf("read %q %p %v %q", text, p.Builder.Get(), p.Words.Get(), p.Tell.Get()())
	}
	p.Reader.Set(nil) // an interface without a value is a value
	if reader, err := p.Reader.Load(); !p.Reader.IsSet() || reader != nil || err != nil {
		t.Errorf("a nil reader: %v, %v", reader, err)
	}
	p.Builder.Clear()
	if p.Builder.IsSet() || p.Builder.Get() != nil {
		t.Error("a cleared field is set")
	}
	repr := global(t, "ffi.ReprPrint", s).(string)
	if !strings.Contains(repr, "words=<Go value of type map[string]int>") || strings.Contains(repr, "scratch") {
		t.Errorf("repr: %s", repr)
	}
	s.Release()
}

// Requirement: D9
func TestValuesLiveAsLongAsTheirObject(t *testing.T) {
	balanced(t)
	var dropped atomic.Int64
	a := selfsame.New(func(s *Shelf) { s.Builder.Set(watched(&dropped)) })
	copied := must(must(selfsame.GetFunc("ffi.DeepCopy"))(t).Call(a))(t).(*selfsame.Handle[Shelf])
	if copied.Get().Builder.Get() != a.Get().Builder.Get() {
		t.Error("a copy has another value")
	}
	held := must(selfsame.NewList([]*selfsame.Handle[Shelf]{a}))(t) // another owner
	a.Release()
	selfsame.Collect()
	if n := dropped.Load(); n != 0 {
		t.Fatal("a value is gone before its object")
	}
	if held.At(0).Get().Builder.Get() == nil {
		t.Error("the value is not there")
	}
	held.Release()
	selfsame.Collect()
	if n := dropped.Load(); n != 0 {
		t.Fatal("a value is gone before the copy of its object")
	}
	copied.Get().Builder.Set(watched(&dropped))
	for range 20 { // finalizers run some time after the collection
		if selfsame.Collect(); dropped.Load() == 1 {
			break
		}
		runtime.Gosched()
	}
	copied.Release()
	selfsame.Collect()
	for range 1000 {
		if runtime.GC(); dropped.Load() == 2 {
			return
		}
	}
	t.Errorf("%d of 2 values are gone", dropped.Load())
}

// Requirement: D9
func TestValuesAreLeftOutOfComparisons(t *testing.T) {
	balanced(t)
	a, b := selfsame.New[Shelf](nil), selfsame.New[Shelf](nil)
	a.Get().Words.Set(map[string]int{"a": 1})
	if global(t, "ffi.StructuralEqual", a, b, false, false) != true || global(t, "ffi.RecursiveEq", a, b) != true {
		t.Error("a Value makes two objects differ")
	}
	if global(t, "ffi.StructuralHash", a, false, false) != global(t, "ffi.StructuralHash", b, false, false) {
		t.Error("a Value makes two hashes differ")
	}
}

// Requirement: D9
func TestObjectsWithGoStateAreNotWrittenAsJSON(t *testing.T) {
	balanced(t)
	write := must(selfsame.GetFunc("ffi.ToJSONGraphString"))(t)
	_, err := write.Call(selfsame.New[Shelf](nil), nil)
	wantError(t, err, "TypeError", "test.Shelf: objects cannot be pickled or written as JSON: field `Reader` holds a Go value "+
		"(io.Reader); give the class selfsame.JSON, or tag the field `ffi:\"transient\"`")
	s := selfsame.New(func(s *Shelf) { s.Words.Set(nil) })
	value := must(selfsame.GetField(s, "words"))(t)
	_, err = write.Call(value, nil)
	wantError(t, err, "TypeError", "a Go value of type map[string]int cannot be pickled or written as JSON")

	c := selfsame.New(func(c *Cache) { c.Size, c.hits = 5, 7; c.Jobs.Set([]int{1}) })
	back := global(t, "ffi.FromJSONGraphString", must(write.Call(c, nil))(t)).(*selfsame.Handle[Cache]).Get()
	if back.Size != 5 || back.hits != 0 || back.Jobs.IsSet() {
		t.Errorf("transient fields came back: %+v", back.hits)
	}
}

// Requirement: D9
func TestValuesAreRefusedWhereTheyCannotBe(t *testing.T) {
	type pointer struct {
		selfsame.Object
		Program *strings.Builder
	}
	type face struct {
		selfsame.Object
		Reader io.Reader
	}
	type given struct {
		selfsame.Object
		Words selfsame.Value[[]string] `ffi:"default='a'"`
	}
	for _, c := range []struct {
		name, kind, part string
		err              error
	}{
		{"pointer", "TypeError", "got *strings.Builder; use selfsame.Value[*strings.Builder]", reg[pointer]("t.V")},
		{"interface", "TypeError", "got io.Reader; use selfsame.Value[io.Reader]", reg[face]("t.V")},
		{"default", "ValueError", "expected a default", reg[given]("t.V")},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.err, c.kind, c.part) })
	}
	s := selfsame.New(func(s *Shelf) { s.Words.Set(nil); s.Tell.Set(nil) })
	err := selfsame.SetField(s, "words", "text")
	if err == nil {
		t.Error("a Value was set through reflection")
	}
	var selfsameError *selfsame.Error
	if !errors.As(err, &selfsameError) {
		t.Errorf("not an Error: %v", err)
	}
}

func BenchmarkValueGet(b *testing.B) {
	s := selfsame.New(func(s *Shelf) { s.Words.Set(map[string]int{"a": 1}) })
	p := s.Get()
	for b.Loop() {
		if len(p.Words.Get()) != 1 {
			b.Fatal("another value")
		}
	}
	runtime.KeepAlive(s)
}

func BenchmarkMakeAndReleaseWithValue(b *testing.B) {
	words := map[string]int{"a": 1}
	for b.Loop() {
		selfsame.New(func(s *Shelf) { s.Words.Set(words) }).Release()
	}
}
