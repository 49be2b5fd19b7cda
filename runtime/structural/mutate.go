package structural

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// The outcome of a mutation is an owned value, as in the ABI: a replacement, the marker for "unchanged", or an Error.
// inPlace permits changing an object instead of replacing it. It is true only while every object on the path from the
// root has a single reference, so that nobody else sees the change.

// MutatorHost has the functions with which mutations call C functions and are called by them.
type MutatorHost struct {
	// New makes a StructuralMutator, owned by the caller, whose C functions call MutatorAsk.
	New func() (unsafe.Pointer, error)
	// Through, RemapGet and RemapSet call the C functions of a mutator, whichever library made it. Values are borrowed.
	Through  func(mutator unsafe.Pointer, v abi.Any, inPlace bool) abi.Any
	RemapGet func(mutator unsafe.Pointer, variable abi.Any) abi.Any
	RemapSet func(mutator unsafe.Pointer, variable, value abi.Any) abi.Any
	// Native calls a hook that is a C function, except those for which IsContainer is true.
	Native func(function, mutator unsafe.Pointer, v abi.Any) abi.Any
	// IsContainer reports whether a C function is the runtime's own hook of the builtin containers.
	IsContainer func(function unsafe.Pointer) bool
}

// Mutators are the functions of package runtime, which sets them.
var Mutators MutatorHost

var unchanged = abi.Any{TypeIndex: abi.IndexUnchanged}

// changes reports whether an outcome is another value than v.
func changes(outcome, v abi.Any) bool { return outcome.TypeIndex != abi.IndexUnchanged && outcome != v }

func failed(outcome abi.Any) bool { return outcome.TypeIndex == abi.IndexError }

// settled returns the owned value that an outcome stands for: the replacement, or v (borrowed) when it is unchanged. An
// Error becomes the error.
func settled(outcome, v abi.Any) (abi.Any, error) {
	if outcome.TypeIndex == abi.IndexUnchanged {
		return graph.Owned(&v)
	}
	return Outcome(outcome)
}

// MutatorLink is a callback of a mutation.
type MutatorLink struct {
	Link
	Mode bool // the callback gets inPlace as an argument
}

// mutations are the mutations that run, by the address of their mutator.
var mutations sync.Map // uintptr -> *mutation

// mutation is a mutation whose mutator the runtime made.
type mutation struct {
	graph.Walk
	remaking
	links []MutatorLink
	order Order
	free  bool                       // callbacks get the mutator and mutate the parts themselves
	remap map[unsafe.Pointer]abi.Any // the replacements of variables; both owned
}

// Map replaces parts of a value by the results of callbacks, in pre- or post-order. It takes root over, also when it
// fails, and changes it in place where it has the only reference. The caller owns the result.
//
// Errors: ValueError (nested too deep), RecursionError, TypeError (a hook or callback with a wrong result, a field
// without setter), and those of hooks, callbacks and setters.
func Map(root abi.Any, links []MutatorLink, order Order) (abi.Any, error) {
	return mutate(root, &mutation{links: links, order: order})
}

// MutateFreely is Map with callbacks that get the mutator and mutate the parts themselves; the order is theirs.
func MutateFreely(root abi.Any, links []MutatorLink) (abi.Any, error) {
	return mutate(root, &mutation{links: links, free: true})
}

func mutate(root abi.Any, m *mutation) (abi.Any, error) {
	defer graph.Release(root)
	mutator, err := Mutators.New()
	if err != nil {
		return abi.Any{}, err
	}
	m.remap = map[unsafe.Pointer]abi.Any{}
	m.remaking = remaking{mutator: mutator, enter: m.enter, get: m.get, set: m.set, foreign: m.foreign}
	m.start()
	mutations.Store(uintptr(mutator), m)
	defer func() {
		mutations.Delete(uintptr(mutator))
		plane.DecRef(mutator)
		for variable, value := range m.remap {
			plane.DecRefFast(variable)
			graph.Release(value)
		}
	}()
	return settled(m.enter(root, true), root)
}

// MutatorAsk runs work with the mutation of a mutator, for the mutator's C functions. Any thread may call it while the
// mutation waits for foreign code; else it returns a RuntimeError.
func MutatorAsk(mutator unsafe.Pointer, work func(m Asked) abi.Any) (abi.Any, error) {
	found, ok := mutations.Load(uintptr(mutator))
	if !ok {
		return abi.Any{}, fault.New("RuntimeError", "a StructuralMutator was used after its mutation had ended")
	}
	m := found.(*mutation)
	if !m.Resume() {
		return abi.Any{}, fault.New("RuntimeError", "a StructuralMutator was used by two threads at once")
	}
	defer m.Suspend()
	return work(Asked{m}), nil
}

// Asked is a mutation that a C function of its mutator uses. Values are borrowed, outcomes owned by the caller.
type Asked struct{ m *mutation }

// Mutate mutates a value.
func (a Asked) Mutate(v abi.Any, inPlace bool) abi.Any { return a.m.value(v, inPlace) }

// RemapGet returns the replacement of a variable, None when it has none.
func (a Asked) RemapGet(variable abi.Any) abi.Any { return a.m.get(variable) }

// RemapSet sets the replacement of a variable. The outcome is None or an Error.
func (a Asked) RemapSet(variable, value abi.Any) abi.Any { return a.m.set(variable, value) }

// foreign runs foreign code, which may call MutatorAsk.
func (m *mutation) foreign(call func() abi.Any) abi.Any {
	if err := m.Enter("StructuralMutate"); err != nil {
		return ErrorValue(err)
	}
	defer m.Leave()
	return call()
}

// enter mutates a part, in place only if it has a single reference.
func (m *mutation) enter(v abi.Any, inPlace bool) abi.Any {
	return m.value(v, inPlace && v.IsObject() && abi.StrongCount(v.Pointer()) == 1)
}

// value mutates a value and its parts.
func (m *mutation) value(v abi.Any, inPlace bool) abi.Any {
	if m.Pins.Depth() >= graph.MaxDepth {
		return ErrorValue(graph.ErrDepth("StructuralMutate"))
	}
	if v.IsObject() {
		m.Pins.Push(v.Pointer())
		defer m.Pins.Pop()
	}
	switch {
	case m.free:
		return m.freely(v, inPlace)
	case m.order == PreOrder:
		return m.before(v, inPlace)
	}
	return m.after(v, inPlace)
}

// link returns the first callback for a type, nil when there is none.
func (m *mutation) link(index int32) *MutatorLink {
	for i := range m.links {
		if m.links[i].matches(index) {
			return &m.links[i]
		}
	}
	return nil
}

// call calls a callback with a value. An Error gets the value in its context.
func (m *mutation) call(l *MutatorLink, v abi.Any, more ...abi.Any) abi.Any {
	outcome := m.foreign(func() abi.Any {
		result, err := graph.Call(l.Function, append([]abi.Any{v}, more...)...)
		if err != nil {
			return ErrorValue(err)
		}
		return result
	})
	if failed(outcome) {
		addToContext(outcome.Pointer(), v)
	}
	return outcome
}

// replace returns the callback's replacement of a value.
func (m *mutation) replace(l *MutatorLink, v abi.Any) abi.Any {
	if l.Region {
		return m.call(l, v, abi.Int(int64(*regionOf(m.mutator))))
	}
	return m.call(l, v)
}

// freely mutates a value with its callback, or its parts when it has none.
func (m *mutation) freely(v abi.Any, inPlace bool) abi.Any {
	l := m.link(v.TypeIndex)
	switch {
	case l == nil:
		return m.parts(v, inPlace)
	case !l.Mode:
		return m.call(l, v, abi.ObjectValue(m.mutator))
	}
	mode := int64(0)
	if inPlace {
		mode = 1
	}
	return m.call(l, v, abi.ObjectValue(m.mutator), abi.Int(mode))
}

// before replaces a value, and then the parts of the replacement (pre-order).
func (m *mutation) before(v abi.Any, inPlace bool) abi.Any {
	l := m.link(v.TypeIndex)
	if l == nil {
		return m.parts(v, inPlace)
	}
	made := m.replace(l, v)
	if failed(made) {
		return made
	}
	if !changes(made, v) {
		outcome := m.parts(v, inPlace)
		if outcome.TypeIndex == abi.IndexUnchanged {
			return made
		}
		graph.Release(made)
		return outcome
	}
	outcome := m.parts(made, inPlace && made.IsObject() && abi.StrongCount(made.Pointer()) == 1)
	if outcome.TypeIndex == abi.IndexUnchanged {
		return made
	}
	graph.Release(made)
	return outcome
}

// after replaces the parts of a value, and then the result (post-order).
func (m *mutation) after(v abi.Any, inPlace bool) abi.Any {
	outcome := m.parts(v, inPlace)
	if failed(outcome) {
		return outcome
	}
	result := outcome
	if outcome.TypeIndex == abi.IndexUnchanged {
		result = v
	}
	l := m.link(result.TypeIndex)
	if l == nil {
		return outcome
	}
	made := m.replace(l, result)
	if made.TypeIndex == abi.IndexUnchanged {
		return outcome
	}
	graph.Release(outcome)
	return made
}

func notAVariable() abi.Any {
	return ErrorValue(fault.Type("Variable-remap key must be an object-backed value"))
}

func (m *mutation) get(variable abi.Any) abi.Any {
	if !variable.IsObject() {
		return notAVariable()
	}
	return graph.Retain(m.remap[variable.Pointer()])
}

func (m *mutation) set(variable, value abi.Any) abi.Any {
	if !variable.IsObject() {
		return notAVariable()
	}
	owned, err := graph.Owned(&value)
	if err != nil {
		return ErrorValue(err)
	}
	obj := variable.Pointer()
	if old, known := m.remap[obj]; known {
		m.remap[obj] = owned
		graph.Release(old)
		return abi.None()
	}
	abi.IncRef(obj)
	m.remap[obj] = owned
	return abi.None()
}
