package structural

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// The outcome of a visit is an owned value, as in the ABI: None to continue, a VisitInterrupt to stop, or an Error.

// VisitorHost has the functions with which walks call C functions and are called by them.
type VisitorHost struct {
	// New makes a StructuralVisitor, owned by the caller, whose C function calls Visit.
	New func() (unsafe.Pointer, error)
	// Through calls the C function of a visitor, whichever library made it, with a value (borrowed).
	Through func(visitor unsafe.Pointer, v abi.Any) abi.Any
	// Native calls a hook that is a C function, except those for which IsBuiltin is true.
	Native func(function, visitor unsafe.Pointer, v abi.Any) abi.Any
	// IsBuiltin reports whether a C function is the runtime's own hook of the builtin containers.
	IsBuiltin func(function unsafe.Pointer) bool
	// Interrupt is the type index of ffi.VisitInterrupt.
	Interrupt int32
}

// Visitors are the functions of package runtime, which sets them.
var Visitors VisitorHost

// regionOf returns the region field of a visitor or mutator.
func regionOf(visitor unsafe.Pointer) *Region { return (*Region)(unsafe.Add(visitor, 32)) }

// VisitorRegion returns the region that a visitor or mutator is in.
func VisitorRegion(visitor unsafe.Pointer) Region { return *regionOf(visitor) }

// WithRegion runs work while a visitor or mutator is in a region. One that is in a pattern stays in the pattern.
func WithRegion(visitor unsafe.Pointer, region Region, work func() (abi.Any, error)) (abi.Any, error) {
	at := regionOf(visitor)
	if *at == RegionPattern {
		return work()
	}
	was := *at
	*at = region
	defer func() { *at = was }()
	return work()
}

// Order says whether a walk calls a callback for a value before or after its parts.
type Order int

// The orders of the ABI.
const (
	PreOrder Order = iota
	PostOrder
)

// Link is a callback for the values of a type and of its subtypes.
type Link struct {
	Index    int32          // the type index
	Function unsafe.Pointer // borrowed
	Region   bool           // the callback gets the region as an argument
}

// matches reports whether the callback is for values of a type index.
func (l *Link) matches(index int32) bool {
	switch {
	case index == l.Index || l.Index == abi.IndexAny:
		return true
	case l.Index == abi.IndexStr:
		return index == abi.IndexSmallStr
	case l.Index == abi.IndexBytes:
		return index == abi.IndexSmallBytes
	case l.Index == abi.IndexObject:
		return index >= abi.IndexStaticObjectBegin
	case index < abi.IndexStaticObjectBegin || l.Index < abi.IndexStaticObjectBegin || index < l.Index:
		return false
	}
	have, want := plane.TypeAt(index), plane.TypeAt(l.Index)
	return have != nil && want != nil && have.Info().IsA(want.Info())
}

// walks are the walks that run, by the address of their visitor.
var walks sync.Map // uintptr -> *walk

// walk is a walk whose visitor the runtime made.
type walk struct {
	graph.Walk
	descent
	links []Link
	order Order
	free  bool // callbacks get the visitor and visit the parts themselves
}

// Walk calls callbacks for a value (borrowed) and all its parts, in pre- or post-order. The result is None or the
// VisitInterrupt that a callback returned to end the walk; the caller owns it.
//
// Errors: ValueError (nested too deep), RecursionError, TypeError (a hook or callback with a wrong result), and those of
// hooks and callbacks.
func Walk(root abi.Any, links []Link, order Order) (abi.Any, error) {
	return run(root, &walk{links: links, order: order})
}

// VisitFreely is Walk with callbacks that get the visitor and visit the parts themselves. The walk itself visits the
// parts of values without a callback.
func VisitFreely(root abi.Any, links []Link) (abi.Any, error) {
	return run(root, &walk{links: links, free: true})
}

func run(root abi.Any, w *walk) (abi.Any, error) {
	visitor, err := Visitors.New()
	if err != nil {
		return abi.Any{}, err
	}
	w.descent = descent{visitor: visitor, visit: w.value, foreign: w.foreign, hooks: graph.Column{Name: "__s_visit__"}}
	w.types.Skip = abi.FlagSEqHashIgnore
	walks.Store(uintptr(visitor), w)
	defer func() {
		walks.Delete(uintptr(visitor))
		plane.DecRef(visitor)
	}()
	return Outcome(w.value(root))
}

// Outcome turns an Error, which it takes over, into the raised error; any other value it returns as it is.
func Outcome(v abi.Any) (abi.Any, error) {
	if v.TypeIndex == abi.IndexError {
		plane.SetRaised(v.Pointer())
		graph.Release(v)
		return abi.Any{}, fault.ErrRaised
	}
	return v, nil
}

// Visit visits a value (borrowed) for the C function of a walk's visitor. The caller owns the outcome. Any thread may
// call it while the walk waits for foreign code; else it returns a RuntimeError.
func Visit(visitor unsafe.Pointer, v abi.Any) (abi.Any, error) {
	w, ok := walkOf(visitor)
	if !ok {
		return abi.Any{}, fault.New("RuntimeError", "a StructuralVisitor was used after its walk had ended")
	}
	if !w.Resume() {
		return abi.Any{}, fault.New("RuntimeError", "a StructuralVisitor was used by two threads at once")
	}
	defer w.Suspend()
	if v.IsObject() {
		abi.IncRef(v.Pointer())
		defer graph.Release(v)
	}
	return w.value(v), nil
}

// foreign runs foreign code, which may call Visit.
func (w *walk) foreign(call func() abi.Any) abi.Any {
	if err := w.Enter("StructuralVisit"); err != nil {
		return ErrorValue(err)
	}
	defer w.Leave()
	return call()
}

// value visits a value and its parts. An Error gets the value in its context.
func (w *walk) value(v abi.Any) abi.Any {
	if w.Pins.Depth() >= graph.MaxDepth {
		return ErrorValue(graph.ErrDepth("StructuralVisit"))
	}
	if v.IsObject() {
		w.Pins.Push(v.Pointer())
		defer w.Pins.Pop()
	}
	outcome := w.callbacks(v)
	if outcome.TypeIndex == abi.IndexError {
		addToContext(outcome.Pointer(), v)
	}
	return outcome
}

// callbacks calls the callback for a value before or after its parts are visited.
func (w *walk) callbacks(v abi.Any) abi.Any {
	if v.TypeIndex == abi.IndexNone {
		return v
	}
	if w.free {
		if l := w.link(v.TypeIndex); l != nil {
			result := w.call(l, v, abi.ObjectValue(w.visitor))
			return checked(result, Visitors.Interrupt, "Optional<ffi.VisitInterrupt>")
		}
		return w.parts(v)
	}
	if w.order == PreOrder {
		result, skip := w.ask(v)
		if result.TypeIndex != abi.IndexNone || skip {
			return result
		}
	}
	if outcome := w.parts(v); outcome.TypeIndex != abi.IndexNone {
		return outcome
	}
	if w.order == PreOrder {
		return abi.None()
	}
	result, _ := w.ask(v)
	return result
}

// link returns the first callback for a type, nil when there is none.
func (w *walk) link(index int32) *Link {
	for i := range w.links {
		if w.links[i].matches(index) {
			return &w.links[i]
		}
	}
	return nil
}

// call calls a callback. The result is owned; it is an Error when the call failed.
func (w *walk) call(l *Link, args ...abi.Any) abi.Any {
	return w.foreign(func() abi.Any {
		result, err := graph.Call(l.Function, args...)
		if err != nil {
			return ErrorValue(err)
		}
		return result
	})
}

// ask calls the callback for a value, which returns 1 to skip the value's parts.
func (w *walk) ask(v abi.Any) (outcome abi.Any, skip bool) {
	l := w.link(v.TypeIndex)
	if l == nil {
		return abi.None(), false
	}
	var result abi.Any
	if l.Region {
		result = w.call(l, v, abi.Int(int64(*regionOf(w.visitor))))
	} else {
		result = w.call(l, v)
	}
	if result.TypeIndex == abi.IndexInt || result.TypeIndex == abi.IndexBool {
		return abi.None(), int32(result.Int64()) == 1
	}
	return checked(result, Visitors.Interrupt, "WalkResult"), false
}

// checked returns None, a VisitInterrupt or an Error as it is, and a TypeError for any other result, which it releases.
func checked(result abi.Any, interrupt int32, wanted string) abi.Any {
	switch result.TypeIndex {
	case abi.IndexNone, interrupt, abi.IndexError:
		return result
	}
	err := fault.Type("CallExpected: result type mismatch, expected %s, but got %s", wanted, graph.Key(&result))
	graph.Release(result)
	return ErrorValue(err)
}

// descent visits the parts of values. Its functions are those of a walk, or call the C function of a visitor that another
// library made.
type descent struct {
	visitor unsafe.Pointer // borrowed
	visit   func(abi.Any) abi.Any
	foreign func(func() abi.Any) abi.Any
	types   graph.Types
	hooks   graph.Column // __s_visit__
}

// VisitParts visits the parts of a value (borrowed) with a visitor, whichever library made it. The caller owns the
// outcome.
func VisitParts(visitor unsafe.Pointer, v abi.Any) abi.Any {
	if w, ok := walkOf(visitor); ok {
		return w.partsFor(v)
	}
	d := descent{
		visitor: visitor,
		visit:   func(part abi.Any) abi.Any { return Visitors.Through(visitor, part) },
		foreign: func(call func() abi.Any) abi.Any { return call() },
		hooks:   graph.Column{Name: "__s_visit__"},
	}
	d.types.Skip = abi.FlagSEqHashIgnore
	return d.parts(v)
}

// walkOf returns the walk of a visitor, if the runtime made the visitor and the walk has not ended.
func walkOf(visitor unsafe.Pointer) (*walk, bool) {
	found, ok := walks.Load(uintptr(visitor))
	if !ok {
		return nil, false
	}
	return found.(*walk), true
}

// partsFor is parts for a callback: the walk must wait for foreign code.
func (w *walk) partsFor(v abi.Any) abi.Any {
	if !w.Resume() {
		return ErrorValue(fault.New("RuntimeError", "a StructuralVisitor was used by two threads at once"))
	}
	defer w.Suspend()
	if v.IsObject() {
		w.Pins.Push(v.Pointer())
		defer w.Pins.Pop()
	}
	return w.parts(v)
}

// parts visits the parts of a value with the hook of its type, or field by field when it has none.
func (d *descent) parts(v abi.Any) abi.Any {
	hook := d.hooks.Value(v.TypeIndex)
	switch hook.TypeIndex {
	case abi.IndexNone:
		if !v.IsObject() {
			return abi.None()
		}
		return d.fields(v.Pointer())
	case abi.IndexOpaquePtr:
		if Visitors.IsBuiltin(hook.Pointer()) {
			return d.elements(v)
		}
		return d.foreign(func() abi.Any { return Visitors.Native(hook.Pointer(), d.visitor, v) })
	case abi.IndexFunction:
		result := d.foreign(func() abi.Any {
			result, err := graph.Call(hook.Pointer(), abi.ObjectValue(d.visitor), v)
			if err != nil {
				return ErrorValue(err)
			}
			return result
		})
		return checked(result, Visitors.Interrupt, "Optional<ffi.VisitInterrupt>")
	}
	return ErrorValue(fault.Type("__s_visit__ must be an opaque function pointer or ffi.Function"))
}

// elements visits the elements of a builtin container; of a Map or Dict, the values.
func (d *descent) elements(v abi.Any) abi.Any {
	obj := v.Pointer()
	if v.TypeIndex == abi.IndexArray || v.TypeIndex == abi.IndexList {
		for i := 0; ; i++ {
			items := abi.SeqOf(obj).Items() // again for each element: a callback may have changed a List
			if i >= len(items) {
				return abi.None()
			}
			if outcome := d.visit(items[i]); outcome.TypeIndex != abi.IndexNone {
				return outcome
			}
		}
	}
	pairs := container.MapOf(obj).Pairs()
	for i := range pairs {
		graph.Retain(pairs[i].Value)
	}
	defer func() {
		for i := range pairs {
			graph.Release(pairs[i].Value)
		}
	}()
	for i := range pairs {
		if outcome := d.visit(pairs[i].Value); outcome.TypeIndex != abi.IndexNone {
			return outcome
		}
	}
	return abi.None()
}

// fields visits the fields of an object.
func (d *descent) fields(obj unsafe.Pointer) abi.Any {
	t := d.types.Of(abi.TypeIndexOf(obj))
	at := regionOf(d.visitor)
	was := *at
	defer func() { *at = was }()
	if kind, known := t.EqHashKind(); known && kind == abi.SEqHashFreeVar {
		*at = was.inVariable()
	}
	values := make([]abi.Any, len(t.Fields))
	if err := t.Read(obj, values); err != nil {
		return ErrorValue(err)
	}
	if t.Plain {
		for i := range values {
			graph.Retain(values[i]) // a callback may change the object
		}
	}
	defer graph.ReleaseAll(values)
	region := *at
	for i := range values {
		*at = region.inField(t.Fields[i].Flags)
		outcome := d.visit(values[i])
		*at = region
		if outcome.TypeIndex != abi.IndexNone {
			return outcome
		}
	}
	return abi.None()
}
