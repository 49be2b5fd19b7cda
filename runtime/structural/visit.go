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

// The outcome of a visit is a value, as in the ABI: None to go on, a VisitInterrupt to stop, an Error. It is owned.

// VisitorHost is how visitors reach compiled code. Set by package runtime.
type VisitorHost struct {
	// New makes a StructuralVisitor object whose visits arrive at Visit.
	New func() (unsafe.Pointer, error)
	// Through has a visitor of whatever origin visit a value (borrowed).
	Through func(visitor unsafe.Pointer, v abi.Any) abi.Any
	// Native calls a C function that visits the parts of a value, one that is not the runtime's own.
	Native func(function, visitor unsafe.Pointer, v abi.Any) abi.Any
	// IsBuiltin says whether a C function is the runtime's own.
	IsBuiltin func(function unsafe.Pointer) bool
	// Interrupt is the index of ffi.VisitInterrupt.
	Interrupt int32
}

// Visitors is set by package runtime.
var Visitors VisitorHost

// regionOf is where a visitor keeps its region.
func regionOf(visitor unsafe.Pointer) *Region { return (*Region)(unsafe.Add(visitor, 32)) }

// VisitorRegion is the region a visitor is in.
func VisitorRegion(visitor unsafe.Pointer) Region { return *regionOf(visitor) }

// WithRegion runs work while the visitor is in a region. Inside a pattern it stays in the pattern.
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

// Order is when a walk calls back for a value: before or after its parts.
type Order int

// The orders of the ABI.
const (
	PreOrder Order = iota
	PostOrder
)

// Link is a callback for the values of a type.
type Link struct {
	Index    int32
	Function unsafe.Pointer // borrowed
	Region   bool           // it is told the region too
}

// matches says whether a value of a type is one that a callback wants.
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

// walks are the walks under way, by the address of their visitor.
var walks sync.Map // uintptr -> *walk

// walk is a structural visit that the runtime does.
type walk struct {
	graph.Walk
	descent
	links []Link
	order Order
	free  bool // callbacks get the visitor and decide themselves what to visit
}

// Walk calls back for a value (borrowed) and all its parts. The result is None or a VisitInterrupt, owned.
func Walk(root abi.Any, links []Link, order Order) (abi.Any, error) {
	return run(root, &walk{links: links, order: order})
}

// VisitFreely calls back with values and the visitor, and visits the parts of those for which there is no callback.
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

// Outcome takes the Error out of an outcome.
func Outcome(v abi.Any) (abi.Any, error) {
	if v.TypeIndex == abi.IndexError {
		plane.SetRaised(v.Pointer())
		graph.Release(v)
		return abi.Any{}, fault.ErrRaised
	}
	return v, nil
}

// Visit is a visit that compiled code asks a walk for.
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

// foreign runs code that may come back through Visit.
func (w *walk) foreign(call func() abi.Any) abi.Any {
	if err := w.Enter("StructuralVisit"); err != nil {
		return ErrorValue(err)
	}
	defer w.Leave()
	return call()
}

// value visits a value.
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

func (w *walk) link(index int32) *Link {
	for i := range w.links {
		if w.links[i].matches(index) {
			return &w.links[i]
		}
	}
	return nil
}

// call calls back; the result is owned, an Error when it failed.
func (w *walk) call(l *Link, args ...abi.Any) abi.Any {
	return w.foreign(func() abi.Any {
		result, err := graph.Call(l.Function, args...)
		if err != nil {
			return ErrorValue(err)
		}
		return result
	})
}

// ask calls back for a value: 1 skips its parts.
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

// checked lets None, a VisitInterrupt and an Error pass, and makes an Error of everything else.
func checked(result abi.Any, interrupt int32, wanted string) abi.Any {
	switch result.TypeIndex {
	case abi.IndexNone, interrupt, abi.IndexError:
		return result
	}
	err := fault.Type("CallExpected: result type mismatch, expected %s, but got %s", wanted, graph.Key(&result))
	graph.Release(result)
	return ErrorValue(err)
}

// ---- parts -----------------------------------------------------------------------------------------------

// descent visits the parts of values with some visitor.
type descent struct {
	visitor unsafe.Pointer
	visit   func(abi.Any) abi.Any
	foreign func(func() abi.Any) abi.Any
	types   graph.Types
	hooks   graph.Column // __s_visit__
}

// VisitParts visits the parts of a value (borrowed) with a visitor of whatever origin.
func VisitParts(visitor unsafe.Pointer, v abi.Any) abi.Any {
	d := descent{
		visitor: visitor,
		visit:   func(part abi.Any) abi.Any { return Visitors.Through(visitor, part) },
		foreign: func(call func() abi.Any) abi.Any { return call() },
		hooks:   graph.Column{Name: "__s_visit__"},
	}
	d.types.Skip = abi.FlagSEqHashIgnore
	found, ok := walkOf(visitor)
	if ok {
		// One of ours: its walk waits for the callback that asks for this.
		return found.partsFor(v)
	}
	return d.parts(v)
}

// walkOf finds the walk of a visitor that the runtime made.
func walkOf(visitor unsafe.Pointer) (*walk, bool) {
	found, ok := walks.Load(uintptr(visitor))
	if !ok {
		return nil, false
	}
	return found.(*walk), true
}

// partsFor visits parts for a callback that the walk waits for.
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

// parts visits the parts of a value, as its type's hook says or field by field.
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

// elements visits the elements of a builtin container, of maps the values.
func (d *descent) elements(v abi.Any) abi.Any {
	obj := v.Pointer()
	if v.TypeIndex == abi.IndexArray || v.TypeIndex == abi.IndexList {
		for i := 0; ; i++ {
			items := abi.SeqOf(obj).Items() // anew each time: a callback may have changed a List
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
