package structural

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// The outcome of a mutation is a value, as in the ABI: a replacement, the unchanged marker, or an Error. It is owned.
// "In place" permits to change an object instead of replacing it, on a way from the root on which every object has a
// single reference.

// MutatorHost is how mutators reach compiled code. Set by package runtime.
type MutatorHost struct {
	// New makes a StructuralMutator object whose work arrives at the functions Mutate, RemapGet and RemapSet.
	New func() (unsafe.Pointer, error)
	// Through, RemapGet and RemapSet call a mutator of whatever origin. Values are borrowed.
	Through  func(mutator unsafe.Pointer, v abi.Any, inPlace bool) abi.Any
	RemapGet func(mutator unsafe.Pointer, variable abi.Any) abi.Any
	RemapSet func(mutator unsafe.Pointer, variable, value abi.Any) abi.Any
	// Native calls a C function that mutates a value, one that is not the runtime's own for containers.
	Native func(function, mutator unsafe.Pointer, v abi.Any) abi.Any
	// IsContainer says whether a C function is the runtime's own for containers.
	IsContainer func(function unsafe.Pointer) bool
}

// Mutators is set by package runtime.
var Mutators MutatorHost

var unchanged = abi.Any{TypeIndex: abi.IndexUnchanged}

// changes says whether an outcome is something else than the value.
func changes(outcome, v abi.Any) bool { return outcome.TypeIndex != abi.IndexUnchanged && outcome != v }

func failed(outcome abi.Any) bool { return outcome.TypeIndex == abi.IndexError }

// settled is the value that an outcome stands for, owned: what it says, or the value (borrowed) itself.
func settled(outcome, v abi.Any) (abi.Any, error) {
	if outcome.TypeIndex == abi.IndexUnchanged {
		return graph.Owned(&v)
	}
	return Outcome(outcome)
}

// MutatorLink is a callback of a mutation.
type MutatorLink struct {
	Link
	Mode bool // it is told whether it may change the value in place
}

// mutations are the mutations under way, by the address of their mutator.
var mutations sync.Map // uintptr -> *mutation

// mutation is one that the runtime does.
type mutation struct {
	graph.Walk
	remaking
	links []MutatorLink
	order Order
	free  bool                       // callbacks get the mutator and decide themselves what to mutate
	remap map[unsafe.Pointer]abi.Any // what a variable is replaced by; both owned
}

// Map makes a value in which callbacks have replaced parts. It takes the root over.
func Map(root abi.Any, links []MutatorLink, order Order) (abi.Any, error) {
	return mutate(root, &mutation{links: links, order: order})
}

// MutateFreely is Map with callbacks that get the mutator and mutate the parts themselves.
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

// MutatorAsk is what compiled code asks the mutator of a mutation for: the mutation's work on a value.
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

// Asked is a mutation that compiled code asks for something.
type Asked struct{ m *mutation }

// Mutate mutates a value (borrowed).
func (a Asked) Mutate(v abi.Any, inPlace bool) abi.Any { return a.m.value(v, inPlace) }

// RemapGet is what a variable is replaced by, None when it is not known.
func (a Asked) RemapGet(variable abi.Any) abi.Any { return a.m.get(variable) }

// RemapSet notes what a variable is replaced by.
func (a Asked) RemapSet(variable, value abi.Any) abi.Any { return a.m.set(variable, value) }

// foreign runs code that may come back through MutatorAsk.
func (m *mutation) foreign(call func() abi.Any) abi.Any {
	if err := m.Enter("StructuralMutate"); err != nil {
		return ErrorValue(err)
	}
	defer m.Leave()
	return call()
}

// enter mutates a part; in place only if nobody else has it.
func (m *mutation) enter(v abi.Any, inPlace bool) abi.Any {
	return m.value(v, inPlace && v.IsObject() && abi.StrongCount(v.Pointer()) == 1)
}

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

func (m *mutation) link(index int32) *MutatorLink {
	for i := range m.links {
		if m.links[i].matches(index) {
			return &m.links[i]
		}
	}
	return nil
}

// call calls back for a value; an Error notes that it passed the value.
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

// replace is the callback's replacement of a value.
func (m *mutation) replace(l *MutatorLink, v abi.Any) abi.Any {
	if l.Region {
		return m.call(l, v, abi.Int(int64(*regionOf(m.mutator))))
	}
	return m.call(l, v)
}

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

// before replaces a value first and then the parts of what it became.
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

// after replaces the parts of a value first and then what it became.
func (m *mutation) after(v abi.Any, inPlace bool) abi.Any {
	outcome := m.parts(v, inPlace)
	if failed(outcome) {
		return outcome
	}
	became := outcome
	if outcome.TypeIndex == abi.IndexUnchanged {
		became = v
	}
	l := m.link(became.TypeIndex)
	if l == nil {
		return outcome
	}
	made := m.replace(l, became)
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
