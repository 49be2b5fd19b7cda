package probe

// #include "selfsame/selfsame.h"
//
// static int get_field(uintptr_t getter, void* field, TVMFFIAny* result) { return ((TVMFFIFieldGetter)getter)(field,
// result); }
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

const initName = "__ffi_init__"

// readClass reads one type. It copies the strings, which belong to the runtime.
func readClass(info *abi.TypeInfo) (model.Class, error) {
	c := model.Class{Key: strings.Clone(info.Key.String())}
	if p := info.Parent(); p != nil {
		c.Parent = strings.Clone(p.Key.String())
	}
	if info.Metadata != nil {
		c.Doc = strings.Clone(info.Metadata.Doc.String())
	}
	for i := range info.OwnFields() {
		field, err := readField(&info.OwnFields()[i])
		if err != nil {
			return c, err
		}
		c.Fields = append(c.Fields, field)
	}
	for i := range info.OwnMethods() {
		m := &info.OwnMethods()[i]
		method := model.Function{
			Name: strings.Clone(m.Name.String()), Doc: strings.Clone(m.Doc.String()),
			Static: m.Flags&abi.FlagIsStaticMethod != 0,
		}
		if err := method.SetMetadata(m.Metadata.String(), !method.Static); err != nil {
			return c, err
		}
		if method.Name == initName {
			c.Init = &method
			continue
		}
		c.Methods = append(c.Methods, method)
	}
	if c.Init == nil && typeAttr(info.TypeIndex, initName).TypeIndex == abi.IndexFunction {
		init, err := constructorOfFields(info)
		if err != nil {
			return c, err
		}
		c.Init = init
	}
	members, err := readMembers(typeAttr(info.TypeIndex, "__ffi_enum__"))
	if err != nil {
		return c, err
	}
	c.Members = members
	dynamic := typeAttr(info.TypeIndex, "__ffi_dynamic_attributes__")
	if words, ok := attrText(typeAttr(info.TypeIndex, "__ffi_operators__")); ok {
		c.Operators = strings.Fields(words)
	}
	c.Dynamic = dynamic.TypeIndex == abi.IndexBool && dynamic.Int64() != 0
	return c, nil
}

func readField(f *abi.FieldInfo) (model.Field, error) {
	field := model.Field{
		Name: strings.Clone(f.Name.String()), Doc: strings.Clone(f.Doc.String()), Writable: f.Flags&abi.FlagWritable != 0,
	}
	if f.Flags&abi.FlagHasDefault != 0 {
		field.Default = defaultText(f)
	}
	return field, field.SetMetadata(f.Metadata.String())
}

// defaultText returns a field's default as a Python expression, `...` if it has no short one.
func defaultText(f *abi.FieldInfo) string {
	if f.Flags&abi.FlagDefaultFromFactory != 0 {
		return "..."
	}
	v := &f.Default
	switch v.TypeIndex {
	case abi.IndexNone:
		return "None"
	case abi.IndexBool:
		if v.Int64() != 0 {
			return "True"
		}
		return "False"
	case abi.IndexInt:
		return fmt.Sprint(v.Int64())
	case abi.IndexFloat:
		return model.PythonFloat(v.Float64())
	}
	if s, ok := v.Text(); ok {
		return escape.PythonString(s)
	}
	return "..."
}

// constructorOfFields describes the constructor that the runtime derives from a type's fields: inherited fields first,
// fields with a default after those without, and the keyword-only ones.
func constructorOfFields(info *abi.TypeInfo) (*model.Function, error) {
	init := &model.Function{
		Name: initName, Static: true, Typed: true, Keywords: true, OfFields: true,
		Result: model.Schema{Type: strings.Clone(info.Key.String())},
	}
	var required, optional []model.Field
	for depth := int32(1); depth <= info.Depth; depth++ {
		owner := info
		if depth < info.Depth {
			owner = info.Ancestor(depth)
		}
		for i := range owner.OwnFields() {
			f := &owner.OwnFields()[i]
			if f.Flags&abi.FlagInitOff != 0 {
				continue
			}
			field, err := readField(f)
			if err != nil {
				return nil, err
			}
			switch {
			case f.Flags&abi.FlagKwOnly != 0:
				init.ByName = append(init.ByName, field)
			case field.Default == "":
				required = append(required, field)
			default:
				optional = append(optional, field)
			}
		}
	}
	for _, field := range slices.Concat(required, optional) {
		init.Args = append(init.Args, field.Type)
		init.ArgNames = append(init.ArgNames, field.Name)
	}
	for _, field := range optional {
		init.ArgDefaults = append(init.ArgDefaults, field.Default)
	}
	return init, nil
}

// readMembers reads the members of an enum from the type attribute __ffi_enum__, if the class has one.
func readMembers(state abi.Any) ([]model.Member, error) {
	if !state.IsObject() {
		return nil, nil
	}
	entries, err := fieldOf(state.Pointer(), "entries")
	if err != nil {
		return nil, err
	}
	defer release(entries)
	if entries.TypeIndex != abi.IndexList {
		return nil, fmt.Errorf("the enum's entries are a value of type index %d, not a list", entries.TypeIndex)
	}
	var members []model.Member
	for _, entry := range abi.SeqOf(entries.Pointer()).Items() {
		name, err := fieldOf(entry.Pointer(), "_str_index")
		if err != nil {
			return nil, err
		}
		number, err := fieldOf(entry.Pointer(), "_int_index")
		if err != nil {
			return nil, err
		}
		members = append(members, model.Member{Name: text(name), Number: number.Int64()})
	}
	return members, nil
}

// attrText copies the text of a type attribute.
func attrText(v abi.Any) (string, bool) {
	text, ok := v.Text()
	return strings.Clone(text), ok
}

// typeAttr returns a type attribute, borrowed; None when there is none.
func typeAttr(index int32, name string) abi.Any {
	var pin runtime.Pinner
	defer pin.Unpin()
	data := unsafe.StringData(name)
	pin.Pin(data)
	ba := C.TVMFFIByteArray{data: (*C.char)(unsafe.Pointer(data)), size: C.size_t(len(name))}
	return (*abi.TypeAttrColumn)(unsafe.Pointer(C.TVMFFIGetTypeAttrColumn(&ba))).Lookup(index)
}

// fieldOf reads a field of an object, which may be inherited. It returns an owned value.
func fieldOf(object unsafe.Pointer, name string) (abi.Any, error) {
	info := (*abi.TypeInfo)(unsafe.Pointer(C.SelfsameFindTypeInfo(C.int32_t(abi.TypeIndexOf(object)))))
	for t := info; t != nil; t = t.Parent() {
		for i := range t.OwnFields() {
			f := &t.OwnFields()[i]
			if f.Name.String() != name {
				continue
			}
			var value abi.Any
			if C.get_field(C.uintptr_t(f.Getter), unsafe.Add(object, f.Offset), (*C.TVMFFIAny)(unsafe.Pointer(&value))) != 0 {
				return abi.Any{}, raised()
			}
			return value, nil
		}
	}
	return abi.Any{}, fmt.Errorf("an object of type index %d has no field %s", abi.TypeIndexOf(object), name)
}
