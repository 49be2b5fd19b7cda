package control

// #include "auto_init.h"
import "C"

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/naming"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// autoInit is a constructor made from a type's fields. It takes positional arguments, then optionally the KWARGS
// sentinel and alternating names and values.
type autoInit struct {
	info       *abi.TypeInfo
	key        string
	fields     []abi.FieldInfo
	positional []int32        // indices of the fields that take positional arguments: required ones first
	byName     map[string]int // indices of the fields that the constructor takes
}

// registerAutoInit makes a constructor for a type from its fields and registers it as the type's __ffi_init__.
func registerAutoInit(index int64) error {
	if index < 0 || index >= plane.TypeLimit {
		return errorf("InternalError", "Check failed: (entry != nullptr) is false: Cannot find type info for type_index=%d", index)
	}
	t, err := typeAt(int32(index))
	if err != nil {
		return err
	}
	function, err := newAutoInit(t.Info()).function()
	if err != nil {
		return err
	}
	defer plane.DecRef(function)
	return registerAttr(int32(index), "__ffi_init__", abi.ObjectValue(function))
}

// newAutoInit describes the constructor of a type from its fields at this time.
func newAutoInit(t *abi.TypeInfo) *autoInit {
	a := &autoInit{info: t}
	for f := range t.AllFields() {
		a.fields = append(a.fields, *f)
	}
	for i := range a.fields {
		if a.fields[i].Flags&(abi.FlagInitOff|abi.FlagKwOnly) == 0 {
			a.positional = append(a.positional, int32(i))
		}
	}
	sort.SliceStable(a.positional, func(x, y int) bool {
		return !a.hasDefault(int(a.positional[x])) && a.hasDefault(int(a.positional[y]))
	})
	return a
}

// constructors maps the constructors that calls have reached to their descriptions.
var constructors sync.Map // unsafe.Pointer to SsConstructor -> *autoInit

// autoInitOf returns the description of a constructor, which it makes from the data in C. The caller must know the
// constructor's Function to be alive.
func autoInitOf(constructor unsafe.Pointer) *autoInit {
	if known, ok := constructors.Load(constructor); ok {
		return known.(*autoInit)
	}
	c := (*C.SsConstructor)(constructor)
	a := &autoInit{
		info:       (*abi.TypeInfo)(unsafe.Pointer(c._type)),
		fields:     unsafe.Slice((*abi.FieldInfo)(unsafe.Pointer(C.ss_constructor_fields(c))), int(c.num_fields)),
		positional: unsafe.Slice((*int32)(unsafe.Pointer(c.positional)), int(c.num_positional)),
		byName:     map[string]int{},
	}
	a.key = a.info.Key.String()
	for i := range a.fields {
		if a.fields[i].Flags&abi.FlagInitOff == 0 {
			a.byName[a.fields[i].Name.String()] = i
		}
	}
	known, _ := constructors.LoadOrStore(constructor, a)
	return known.(*autoInit)
}

// function makes the constructor's Function object; the caller owns it. auto_init.c serves calls that fit; the others
// come here, to the description that autoInitOf makes.
func (a *autoInit) function() (unsafe.Pointer, error) {
	var h C.TVMFFIObjectHandle
	rc := C.ss_auto_init_new((*C.TVMFFITypeInfo)(unsafe.Pointer(a.info)),
		(*C.TVMFFIFieldInfo)(unsafe.Pointer(unsafe.SliceData(a.fields))), C.int32_t(len(a.fields)),
		(*C.int32_t)(unsafe.Pointer(unsafe.SliceData(a.positional))), C.int32_t(len(a.positional)), kwargsObject.Pointer(), &h)
	if rc != 0 {
		return nil, errRaised
	}
	return unsafe.Pointer(h), nil
}

func (a *autoInit) hasDefault(field int) bool { return a.fields[field].Flags&abi.FlagHasDefault != 0 }

// errorf makes a TypeError that begins with the name of the constructor.
func (a *autoInit) errorf(format string, args ...any) error {
	return errorf("TypeError", a.key+".__ffi_init__() "+format, args...)
}

// call makes an object and sets its fields from the arguments.
func (a *autoInit) call(args []abi.Any) (abi.Any, error) {
	handle, ok := plane.CreateObject(a.info)
	if !ok {
		return abi.Any{}, errRaised
	}
	if err := a.bind(handle, args); err != nil {
		plane.DecRef(handle)
		return abi.Any{}, err
	}
	return abi.ObjectValue(handle), nil
}

// bind sets the fields of obj from the arguments and the defaults.
func (a *autoInit) bind(obj unsafe.Pointer, args []abi.Any) error {
	set := make([]bool, len(a.fields))
	positional, keywords := args, []abi.Any(nil)
	for i := range args {
		if args[i].IsObject() && args[i].Bits == kwargsObject.Bits {
			positional, keywords = args[:i], args[i+1:]
			break
		}
	}
	if len(positional) > len(a.positional) {
		return a.errorf("takes at most %d positional argument(s), but %d were given", len(a.positional), len(positional))
	}
	if len(keywords)%2 != 0 {
		return a.errorf("KWARGS requires an even number of key-value arguments")
	}
	for i := range positional {
		if err := a.set(obj, int(a.positional[i]), &positional[i], set); err != nil {
			return err
		}
	}
	for i := 0; i < len(keywords); i += 2 {
		if !strParam.accepts(keywords[i].TypeIndex) {
			return a.errorf("keyword must be a `str`, got `%s`", valueTypeKey(&keywords[i]))
		}
		name := text(&keywords[i])
		field, ok := a.byName[name]
		if !ok {
			return a.errorf("got an unexpected keyword argument '%s'%s", name, naming.DidYouMean(name, slices.Sorted(maps.Keys(a.byName))))
		}
		if set[field] {
			return a.errorf("got multiple values for argument '%s'", name)
		}
		if err := a.set(obj, field, &keywords[i+1], set); err != nil {
			return err
		}
	}
	return a.fillDefaults(obj, set)
}

// set sets a field to an argument and marks it as set.
func (a *autoInit) set(obj unsafe.Pointer, field int, value *abi.Any, set []bool) error {
	if !plane.SetField(&a.fields[field], obj, unsafe.Pointer(value)) {
		return a.nested("field", field)
	}
	set[field] = true
	return nil
}

// fillDefaults sets the fields without an argument to their defaults. A field without a default is an error.
func (a *autoInit) fillDefaults(obj unsafe.Pointer, set []bool) error {
	for i := range a.fields {
		f := &a.fields[i]
		switch {
		case set[i]:
		case a.hasDefault(i):
			if !plane.SetFieldDefault(f, obj) {
				return a.nested("default for field", i)
			}
		case f.Flags&abi.FlagInitOff != 0: // keeps the value that the creator gave it
		case f.Flags&abi.FlagKwOnly != 0:
			return a.errorf("missing required keyword-only argument: '%s'", f.Name.String())
		default:
			return a.errorf("missing required argument: '%s'", f.Name.String())
		}
	}
	return nil
}

// nested takes the error that a setter raised, and raises one of the same kind that names the field and has the
// setter's error as its cause.
func (a *autoInit) nested(what string, field int) error {
	cause := plane.TakeRaised()
	if cause == nil {
		return a.errorf("%s '%s' could not be set", what, a.fields[field].Name.String())
	}
	defer plane.DecRef(cause)
	cell := abi.ErrorOf(cause)
	message := a.key + ".__ffi_init__() " + what + " '" + a.fields[field].Name.String() + "':\n  " +
		strings.ReplaceAll(cell.Message.String(), "\n", "\n  ")
	outer, ok := plane.NewError(cell.Kind.String(), message, cell.Backtrace.String(), cause)
	if ok {
		plane.SetRaised(outer)
		plane.DecRef(outer)
	}
	return errRaised
}
