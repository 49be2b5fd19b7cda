package registry

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/sourcetext"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// field describes a field of a class struct, as its Go type and tag declare it.
type field struct {
	name      string // "" when other languages do not see it
	goName    string
	doc       string
	offset    uintptr
	size      uintptr
	align     uintptr
	kind      reflect.Kind       // of fields without a field type
	own       *convert.FieldType // of String, Ref and so on; nil for numbers and bools
	conv      *convert.Conv
	ro        bool
	tagged    int64  // reflection flags that the tag sets
	transient bool   // a pickle and a deep copy leave it at its initial value
	lost      string // what a pickle of the object would lose of the field, "" for nothing

	hasDefault   bool
	defaultText  string
	defaultValue abi.Any // owned for the life of the process
}

// ownFields reads the fields that a class struct adds to its base. It fails for a type that C memory must not hold, such as
// a Go pointer.
func ownFields(t reflect.Type) ([]*field, error) {
	var fields []*field
	for i := 1; i < t.NumField(); i++ {
		sf := t.Field(i)
		f := &field{goName: sf.Name, doc: cmp.Or(sf.Tag.Get("doc"), sourcetext.TypeComment(t, sf.Name)), offset: sf.Offset, size: sf.Type.Size(),
			align: uintptr(sf.Type.Align()), kind: sf.Type.Kind()}
		where := t.String() + "." + sf.Name
		hidden, err := f.readTag(sf, where)
		if err != nil {
			return nil, err
		}
		if err := f.readType(sf.Type, hidden, where); err != nil {
			return nil, err
		}
		if !hidden && f.name == "" {
			f.name = naming.Snake(sf.Name)
		}
		f.findLoss(sf, hidden)
		fields = append(fields, f)
	}
	return fields, nil
}

// readTag reads `ffi:"rw|ro|-,name=...,default=..."` and reports whether other languages do not see the field.
func (f *field) readTag(sf reflect.StructField, where string) (hidden bool, err error) {
	text, tagged := sf.Tag.Lookup("ffi")
	if text == "transient" {
		f.transient = true
		return true, nil
	}
	if !sf.IsExported() || sf.Anonymous && !tagged {
		if tagged && text != "-" {
			return false, fault.New("TypeError", "selfsame: Register: field %s: expected no ffi tag, as the field is not "+
				"exported", where)
		}
		return true, nil
	}
	if text == "-" {
		return true, nil
	}
	seen := map[string]bool{}
	for part, rest := nextPart(text); part != "" || rest != ""; part, rest = nextPart(rest) {
		key, value, hasValue := strings.Cut(part, "=")
		option := key
		if key == "rw" || key == "ro" {
			option = "access"
		}
		if seen[option] {
			return false, fault.New("TypeError", "selfsame: Register: field %s: repeated part `%s` of the ffi tag", where, part)
		}
		seen[option] = true
		switch {
		case !hasValue && (key == "rw" || key == ""):
		case !hasValue && key == "ro":
			f.ro = true
		case hasValue && key == "name" && naming.IsIdentifier(value):
			f.name = naming.Normal(value)
		case hasValue && key == "default":
			f.hasDefault, f.defaultText = true, value
		case tagFlags[part] != 0:
			f.tagged |= tagFlags[part]
		default:
			return false, fault.New("TypeError", "selfsame: Register: field %s: unknown part `%s` of the ffi tag", where, part)
		}
	}
	return false, nil
}

// heldIn returns the function Held of a class with these own fields, nil for a class that is more than one Go value.
func heldIn(parent *typetable.Class, own []*field) func(object unsafe.Pointer) (any, error) {
	if parent.GoType != typetable.ObjectType || len(own) != 1 || own[0].own == nil || own[0].own.Held == nil {
		return nil
	}
	return func(object unsafe.Pointer) (any, error) { return own[0].own.Held(unsafe.Add(object, own[0].offset)) }
}

// findLoss finds out what a pickle would lose of the field, and makes a field with a Go value visible as what it is.
func (f *field) findLoss(sf reflect.StructField, hidden bool) {
	var holds reflect.Type // of the Go value in the field
	if convert.IsFieldType(sf.Type) {
		holds = convert.Public.Field(sf.Type).Holds
	}
	if holds != nil && !hidden {
		f.ro = true
		f.tagged |= abi.FlagInitOff | abi.FlagCompareOff | abi.FlagHashOff | abi.FlagSEqHashIgnore
	}
	switch {
	case f.transient || sf.Name == "_" || sf.Type.Size() == 0:
	case holds != nil:
		f.lost = fmt.Sprintf("field `%s` holds a Go value (%s)", sf.Name, holds)
	case hidden:
		f.lost = fmt.Sprintf("field `%s` is visible in Go only", sf.Name)
	}
}

// tagFlags maps parts of a tag to the reflection flags that they set.
var tagFlags = map[string]int64{
	"kwonly":            abi.FlagKwOnly,
	"init=off":          abi.FlagInitOff,
	"repr=off":          abi.FlagReprOff,
	"compare=off":       abi.FlagCompareOff,
	"hash=off":          abi.FlagHashOff,
	"structural=ignore": abi.FlagSEqHashIgnore,
	"structural=def":    abi.FlagSEqHashDefPattern,
}

// nextPart cuts a tag at its first comma outside of quotes.
func nextPart(text string) (part, rest string) {
	quoted := false
	for i, r := range text {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ',' && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// readType chooses the field's conversion. It fails for types that C memory must not hold and, unless the field is hidden,
// for types that other languages do not know.
func (f *field) readType(t reflect.Type, hidden bool, where string) error {
	if convert.IsFieldType(t) {
		own := convert.Public.Field(t)
		c, err := own.Conv()
		if err != nil {
			return fault.New("TypeError", "selfsame: Register: field %s: %s", where, fault.Reason(err))
		}
		if c.CallsOnly {
			return fault.New("TypeError", "selfsame: Register: field %s: expected a type that objects can hold, got %s, which only "+
				"parameters and results may have; use selfsame.Value[...]", where, t)
		}
		f.own, f.conv = own, c
		return nil
	}
	if bad := findGoMemory(t); bad != nil {
		if t.Kind() == reflect.Struct && t.PkgPath() != "" && packageOf(t.String()) != packageOf(where) {
			bad = t // a struct of another package, such as time.Time: what it contains is not the user's concern
		}
		return fault.New("TypeError", "selfsame: Register: field %s: expected a type without Go memory, got %s; %s",
			where, bad, fieldTypeInstead(bad))
	}
	if containsFieldType(t) {
		return fault.New("TypeError", "selfsame: Register: field %s: expected field types of package selfsame only as fields of the "+
			"class struct itself, got one inside %s", where, t)
	}
	if hidden {
		return nil
	}
	switch {
	case t == reflect.TypeFor[abi.DataType](), t == reflect.TypeFor[abi.Device]():
		c, err := convert.For(t)
		f.conv = c
		return err
	}
	if number, ok := kinds.ScalarOf(t.Kind()); ok && number.Index != abi.IndexAny {
		c, err := convert.NewConvOfKind(t) // its kind decides: a time.Duration is stored as its number
		if err == nil {
			c.GoType = t
		}
		f.conv = c
		return err
	}
	return fault.New("TypeError", "selfsame: Register: field %s: expected a type that other languages know, got %s; tag the "+
		"field `ffi:\"-\"`", where, t)
}

// packageOf returns the package's name at the beginning of a type's or field's name.
func packageOf(name string) string {
	before, _, _ := strings.Cut(name, ".")
	return before
}

// findGoMemory returns a type inside t whose values point into Go memory, nil when there is none.
func findGoMemory(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Slice, reflect.String, reflect.Func,
		reflect.Interface:
		return t
	case reflect.Array:
		return findGoMemory(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if bad := findGoMemory(t.Field(i).Type); bad != nil && !convert.IsFieldType(t) {
				return bad
			}
		}
	}
	return nil
}

// containsFieldType says whether a value of type t has a field type of the public package, or an Object, inside it.
func containsFieldType(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return containsFieldType(t.Elem())
	case reflect.Struct:
		if t == typetable.ObjectType || convert.IsFieldType(t) {
			return true
		}
		for i := range t.NumField() {
			if containsFieldType(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// fieldTypeInstead returns the hint that names the field type to use instead of a Go type with Go memory.
func fieldTypeInstead(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.String:
		return "use selfsame.String"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "use selfsame.Bytes"
	case t.Kind() == reflect.Slice:
		return "use selfsame.Array or selfsame.List"
	case t.Kind() == reflect.Map:
		return "use selfsame.Map or selfsame.Dict"
	case t.Kind() == reflect.Pointer && typetable.IsClassStruct(t.Elem()):
		return "use selfsame.Ref or selfsame.Opt"
	case t == convert.AnyType:
		return "use selfsame.Any for a value that other languages know, or selfsame.Value for any Go value"
	}
	return fmt.Sprintf("use selfsame.Value[%s]", t)
}

// staticTypeIndex returns the type index that reflection tells of the field's storage.
func (f *field) staticTypeIndex() int32 {
	switch {
	case f.own == nil && f.kind == reflect.Struct:
		if f.size == unsafe.Sizeof(abi.DataType{}) {
			return abi.IndexDataType
		}
		return abi.IndexDevice
	case f.own == nil:
		number, _ := kinds.ScalarOf(f.kind)
		return number.Index
	}
	return f.own.Index
}

const UnsafeSizeofAny = 16

// flags returns the field's reflection flags.
func (f *field) flags() int64 {
	flags := f.tagged
	if !f.ro {
		flags |= abi.FlagWritable
	}
	if f.hasDefault {
		flags |= abi.FlagHasDefault
	}
	if f.own != nil || f.kind == reflect.Bool || f.kind == reflect.Float64 || f.kind == reflect.Int64 ||
		f.kind == reflect.Int || f.kind == reflect.Struct {
		flags |= abi.FlagPlain
	}
	return flags
}

// owns returns the owned field that the object's deleter releases, and false for a field that owns nothing. base is the
// offset of the class struct in the object.
func (f *field) owns(base uintptr) (bridge.OwnedField, bool) {
	if f.own == nil {
		return bridge.OwnedField{}, false
	}
	owned := bridge.OwnedField{Offset: int32(base + f.offset), Size: int32(f.size)}
	if f.own.Fresh {
		owned.Fresh = f.own.Index
	}
	return owned, true
}

// readDefault converts the default of the field's tag.
func (f *field) readDefault(where string) error {
	if !f.hasDefault {
		return nil
	}
	v, err := call.ParseDefault(f.defaultText, f.conv)
	if err != nil {
		return fault.New("ValueError", "selfsame: Register: field %s: expected a default of type %s, got `%s`", where,
			f.conv.Name(), f.defaultText)
	}
	f.defaultValue = v
	return nil
}

// initialValue returns an owned value for the field of a new object: the default of its tag, or the initial value of its
// field type.
func (f *field) initialValue() (abi.Any, error) {
	if f.hasDefault || f.own == nil {
		return values.Retained(f.defaultValue), nil
	}
	return f.own.Initial()
}

// storeInitial stores the value v in the field of a prototype, which new objects are copied from. The prototype takes over
// the reference in v.
func (f *field) storeInitial(prototype unsafe.Pointer, v abi.Any) error {
	at := unsafe.Add(prototype, f.offset)
	switch {
	case f.own != nil && f.size == UnsafeSizeofAny:
		*(*abi.Any)(at) = v
	case f.own != nil:
		*(*unsafe.Pointer)(at) = nil
		if v.IsObject() {
			*(*uintptr)(at) = uintptr(v.Bits)
		}
	case f.hasDefault:
		return f.conv.From(&v, at) // a number: nothing is owned
	}
	return nil
}
