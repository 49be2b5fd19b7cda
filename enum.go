package selfsame

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Enum is the base of enums whose members are known by name and position. A class struct that embeds it, [IntEnum] or
// [StrEnum] becomes an enum: [Member] makes its objects, one for each name, which stay alive for the life of the process.
// Members are handles, so they compare with == and can be the cases of a switch; they may have fields and methods like any
// object.
//
// internal/engine/registry/enums.go says why.
//
//	type Color struct {
//		selfsame.IntEnum
//		RGB int32
//	}
//
//	var ColorClass = selfsame.MustRegister[Color]("paint.Color")
//	var Red = selfsame.MustMember(ColorClass, "red", 1, func(c *Color) { c.RGB = 0xff0000 })
type Enum struct {
	Object
	number int64
	name   String
}

// IntEnum is the base of enums whose members stand for integers.
type IntEnum struct{ Enum }

// StrEnum is the base of enums whose members stand for strings: their names.
type StrEnum struct{ Enum }

// Name returns the member's name.
func (e *Enum) Name() string { return e.name.Get() }

// Number returns the integer that the member stands for, as given to [Member]; for an [Enum] and a [StrEnum] that is often
// the position.
func (e *Enum) Number() int64 { return e.number }

// String returns the member's name, for fmt.
func (e *Enum) String() string { return e.Name() }

// makingMembers guards the states of all enum classes: making them, and reading and adding members. It is not held while
// fill runs.
var makingMembers sync.Mutex

// makeMembers takes makingMembers and the lock of registrations, as another library may have adopted the class and make its
// members at the same time. It returns a func that gives both back.
func makeMembers() (end func()) {
	makingMembers.Lock()
	bridge.LockRegistrations()
	return func() {
		bridge.UnlockRegistrations()
		makingMembers.Unlock()
	}
}

// Member makes a member of an enum class and returns its handle. number and name must be unique in the class. fill sets the
// member's fields; it may be nil. Member fails with a TypeError when T embeds no enum base, and with a ValueError when the
// number or the name is taken. When another library of the process contains the same Go package and has made the member, Member
// returns that one. It may be called from any goroutine.
func Member[T any](class *Class[T], name string, number int64, fill func(*T)) (*Handle[T], error) {
	makingMembers.Lock()
	state, err := enumStateOf(class.class)
	makingMembers.Unlock()
	if err != nil {
		return nil, err
	}
	before := call.TakeInherited(bridge.LoggedMember, class.TypeIndex(), name)
	if before != nil {
		if h, ok := class.MemberNamed(name); ok && h.Get() != nil {
			return h, nil
		}
	}
	text, err := values.NewText(name)
	if err != nil {
		return nil, err
	}
	defer func() { values.Release(text) }()
	// There is a second look after fill: fill, other goroutines and other libraries may make members.
	end := makeMembers()
	there, err := memberThere(class.class, state, name, number)
	end()
	if there != nil || err != nil {
		return (*Handle[T])(unsafe.Pointer(there)), err
	}
	// Not TryNew, which would finish the registrations of other classes: members are made when package variables are
	// initialized, before all classes are registered.
	k, failed := class.class.Objects.New()
	if k == nil {
		return nil, fault.Take(failed)
	}
	handles.TraceNative(k.Address())
	h := (*Handle[T])(unsafe.Pointer(k))
	base := (*Enum)(k.Address())
	base.number = number
	values.SwapValue(&base.name.value, values.Retained(text))
	filled := false
	defer func() {
		if !filled {
			k.Release()
		}
	}()
	if fill != nil {
		fill(h.Get())
	}
	defer makeMembers()()
	if there, err := memberThere(class.class, state, name, number); there != nil || err != nil {
		return (*Handle[T])(unsafe.Pointer(there)), err
	}
	filled = true
	if l := bridge.Log(bridge.LoggedMember, class.TypeIndex(), name, 0); l != nil {
		l.Done()
	}
	state.entries.Append(h)
	state.indexes.Set(number, h)
	state.indexes.Set(name, h)
	return h, nil
}

// MustMember makes a member as [Member] does, for package variables: it panics on failure. In an extension (build tag
// selfsame_shared) it does not panic; loading the extension fails with the first error instead.
func MustMember[T any](class *Class[T], name string, number int64, fill func(*T)) *Handle[T] {
	h, err := Member(class, name, number, fill)
	if err != nil {
		link.Failed(err)
	}
	return h
}

// Members returns the members of an enum class in the order in which they were made; nil for other classes.
func (c *Class[T]) Members() []*Handle[T] {
	found := membersOf(c.class)
	return unsafe.Slice((**Handle[T])(unsafe.Pointer(unsafe.SliceData(found))), len(found))
}

// membersOf does the work of Class.Members. Like the other funcs here that take a typetable.Class, it is none for each T.
func membersOf(c *typetable.Class) []*handles.State {
	makingMembers.Lock()
	defer makingMembers.Unlock()
	state, err := enumStateOf(c)
	if err != nil {
		return nil
	}
	var out []*handles.State
	for member := range state.entries.Values() {
		if h, ok := member.(AnyHandle); ok {
			out = append(out, castTo(h, c))
		}
	}
	return out
}

// MemberNamed returns the member of an enum class with a name; ok is false when there is none.
func (c *Class[T]) MemberNamed(name string) (h *Handle[T], ok bool) {
	k := memberOf(c.class, name)
	return (*Handle[T])(unsafe.Pointer(k)), k != nil
}

// MemberFor returns the member of an enum class with a number; ok is false when there is none.
func (c *Class[T]) MemberFor(number int64) (h *Handle[T], ok bool) {
	k := memberOf(c.class, number)
	return (*Handle[T])(unsafe.Pointer(k)), k != nil
}

// memberOf returns the handle of the member with a name or number, nil when there is none.
func memberOf(c *typetable.Class, key any) *handles.State {
	if name, ok := key.(string); ok && values.CheckUTF8(name) != nil {
		return nil
	}
	makingMembers.Lock()
	defer makingMembers.Unlock()
	state, err := enumStateOf(c)
	if err != nil {
		return nil
	}
	found, ok := state.indexes.Get(key)
	if !ok {
		return nil
	}
	member, ok := found.(AnyHandle)
	if !ok {
		return nil
	}
	return asOf(member, c)
}

// enumState has the list and the index (by name and number) of members, which the class owns as a type attribute.
type enumState struct {
	entries *List[any]
	indexes *Dict[any, any]
}

// enumStateOf returns the state of an enum class and makes it when there is none. The caller must hold makingMembers.
func enumStateOf(c *typetable.Class) (*enumState, error) {
	if !(registry.Registration{Class: c}).IsEnum() {
		return nil, fault.New("TypeError", "selfsame: Member: %s embeds no enum base", c.GoType)
	}
	if err := c.CheckRegistered(); err != nil {
		return nil, err
	}
	index := c.Native.Index()
	attr := bridge.TypeAttr(index, registry.EnumAttr)
	if attr.TypeIndex == abi.IndexNone {
		made, err := construct("ffi.EnumState", nil)
		if err != nil {
			return nil, err
		}
		attr = abi.ObjectValue(made.nativeObject())
		err = fault.Take(bridge.RegisterAttr(index, registry.EnumAttr, attr))
		made.Release() // the attribute owns a reference
		if attr = bridge.TypeAttr(index, registry.EnumAttr); attr.TypeIndex == abi.IndexNone {
			return nil, err
		} // otherwise it is there, from this library or from another one that was faster
	}
	h, ok := typetable.WrapObject(attr.Pointer()).(AnyHandle)
	if !ok {
		return nil, fault.New("TypeError", "selfsame: Member: enum `%s`: expected an object as state, got another value",
			c.TypeKey())
	}
	entries, err := GetField(h, "entries")
	if err != nil {
		return nil, err
	}
	indexes, err := GetField(h, "indexes")
	if err != nil {
		return nil, err
	}
	state := &enumState{}
	var isList, isDict bool
	state.entries, isList = entries.(*List[any])
	state.indexes, isDict = indexes.(*Dict[any, any])
	if !isList || !isDict {
		return nil, fault.New("TypeError", "selfsame: Member: enum `%s`: expected a state with a List and a Dict, got an object "+
			"without", c.TypeKey())
	}
	return state, nil
}

// memberThere returns the member that another library has made of the same name and number; nil when there is none with either.
// It fails when there is another one with either, or when this library has made it. The caller must hold the locks of
// makeMembers.
func memberThere(c *typetable.Class, state *enumState, name string, number int64) (*handles.State, error) {
	byName, hasName := state.indexes.Get(name)
	byNumber, hasNumber := state.indexes.Get(number)
	if !hasName && !hasNumber {
		return nil, nil
	}
	if hasName && hasNumber && !call.IsLogged(bridge.LoggedMember, c.Native.Index(), name) {
		named, _ := byName.(AnyHandle)
		numbered, _ := byNumber.(AnyHandle)
		if found := asOf(named, c); found != nil && numbered != nil && numbered.nativeObject() == named.nativeObject() {
			return found, nil
		}
	}
	if c.Adopted && hasName && !call.IsLogged(bridge.LoggedMember, c.Native.Index(), name) {
		return nil, registry.Registration{Class: c}.OtherVersion("has another number for `" + name + "`")
	}
	var taken any = name
	if hasNumber {
		taken = number
	}
	return nil, fault.New("ValueError", "selfsame: Member: enum `%s` already has a member %v", c.TypeKey(), taken)
}
