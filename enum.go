package selfsame

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Enum is the base of enums whose members are known by name and position. A class struct that embeds it, [IntEnum] or
// [StrEnum] becomes an enum: its objects are the members that [Member] makes, one for each name, for the life of the process. Members are
// handles, so they compare with == and can be the cases of a switch; they may have fields and methods like any object.
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

// Name is the member's name.
func (e *Enum) Name() string { return e.name.Get() }

// Number is the integer that the member stands for; of an [Enum] and a [StrEnum] it is what [Member] was given, often the
// position.
func (e *Enum) Number() int64 { return e.number }

// String is the member's name, for fmt.
func (e *Enum) String() string { return e.Name() }

// makingMembers is held while the members of an enum class are looked up or added to, and while it gets its state.
var makingMembers sync.Mutex

// Member makes a member of an enum class: number and name are both unique in it. fill, which may be nil, sets the fields.
// It fails with a TypeError when T embeds no enum base, and with a ValueError when the number or the name is taken.
func Member[T any](class *Class[T], name string, number int64, fill func(*T)) (*Handle[T], error) {
	makingMembers.Lock()
	state, err := class.class.enumState()
	makingMembers.Unlock()
	if err != nil {
		return nil, err
	}
	text, err := newText(name)
	if err != nil {
		return nil, err
	}
	defer func() { releaseValue(text) }()
	// taken is asked again after fill, which may have made members, as other goroutines may have.
	taken := func() error {
		for _, key := range []any{number, name} {
			if _, ok := state.indexes.Get(key); ok {
				return newError("ValueError", "Enum `%s` already has a member %v", class.Key(), key)
			}
		}
		return nil
	}
	makingMembers.Lock()
	err = taken()
	makingMembers.Unlock()
	if err != nil {
		return nil, err
	}
	// Not TryNew: members are made while the package's variables are, when other classes may still wait for each other.
	k, failed := class.class.objects.New()
	if k == nil {
		return nil, takeError(failed)
	}
	handles.TraceNative(k.Address())
	h := (*Handle[T])(unsafe.Pointer(k))
	base := (*Enum)(k.Address())
	base.number = number
	swapValue(&base.name.value, retained(text))
	filled := false
	defer func() {
		if !filled {
			k.Release()
		}
	}()
	if fill != nil {
		fill(h.Get())
	}
	makingMembers.Lock()
	defer makingMembers.Unlock()
	if err := taken(); err != nil {
		return nil, err
	}
	filled = true
	state.entries.Append(h)
	state.indexes.Set(number, h)
	state.indexes.Set(name, h)
	return h, nil
}

// MustMember is Member for package variables: it panics on failure. In an extension (build tag selfsame_shared) the first
// failure is reported when the extension is loaded instead.
func MustMember[T any](class *Class[T], name string, number int64, fill func(*T)) *Handle[T] {
	h, err := Member(class, name, number, fill)
	if err != nil {
		registrationFailed(err)
	}
	return h
}

// Members are the members of an enum class in the order in which they were made; nil for other classes.
func (c *Class[T]) Members() []*Handle[T] {
	makingMembers.Lock()
	defer makingMembers.Unlock()
	state, err := c.class.enumState()
	if err != nil {
		return nil
	}
	var out []*Handle[T]
	for member := range state.entries.Values() {
		if h, ok := member.(AnyHandle); ok {
			out = append(out, Cast[T](h))
		}
	}
	return out
}

// MemberNamed is the member of an enum class with a name; ok is false when there is none.
func (c *Class[T]) MemberNamed(name string) (h *Handle[T], ok bool) { return c.member(name) }

// MemberFor is the member of an enum class with a number; ok is false when there is none.
func (c *Class[T]) MemberFor(number int64) (h *Handle[T], ok bool) { return c.member(number) }

func (c *Class[T]) member(key any) (*Handle[T], bool) {
	if name, ok := key.(string); ok && checkUTF8(name) != nil {
		return nil, false
	}
	makingMembers.Lock()
	defer makingMembers.Unlock()
	state, err := c.class.enumState()
	if err != nil {
		return nil, false
	}
	found, ok := state.indexes.Get(key)
	if !ok {
		return nil, false
	}
	member, ok := found.(AnyHandle)
	if !ok {
		return nil, false
	}
	return As[T](member)
}

// enumState is the list and the index of members that the runtime keeps for an enum class.
type enumState struct {
	entries *List[any]
	indexes *Dict[any, any]
}

const enumAttr = "__ffi_enum__"

// enumState finds the state of an enum class, or gives it one.
func (c *class) enumState() (*enumState, error) {
	if !c.isEnum() {
		return nil, newError("TypeError", "selfsame: %s embeds no enum base", c.goType)
	}
	if err := c.checkRegistered(); err != nil {
		return nil, err
	}
	index := c.native.Index()
	attr := bridge.TypeAttr(index, enumAttr)
	if attr.TypeIndex == abi.IndexNone {
		made, err := construct("ffi.EnumState", nil)
		if err != nil {
			return nil, err
		}
		attr = abi.ObjectValue(made.nativeObject())
		if err := takeError(bridge.RegisterAttr(index, enumAttr, attr)); err != nil {
			return nil, err
		}
		made.Release() // the attribute holds it
	}
	h, ok := wrapObject(attr.Pointer()).(AnyHandle)
	if !ok {
		return nil, newError("TypeError", "The state of enum `%s` is no object", c.typeKey())
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
		return nil, newError("TypeError", "The state of enum `%s` has no members", c.typeKey())
	}
	return state, nil
}

func (c *class) isEnum() bool {
	for p := c.parent; p != nil; p = p.parent {
		if p.goType == enumType {
			return true
		}
	}
	return false
}
