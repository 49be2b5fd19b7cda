package probe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/naming"
	"github.com/selfsame-ffi/selfsame/internal/nativememory"
	"github.com/selfsame-ffi/selfsame/internal/reflection"
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
			if c.Init != nil {
				method = c.Init.Join(method)
			}
			c.Init = &method
			continue
		}
		c.Methods = append(c.Methods, method)
	}
	if c.Init == nil && reflection.TypeAttr(info.TypeIndex, initName).TypeIndex == abi.IndexFunction {
		init, err := constructorOfFields(info)
		if err != nil {
			return c, err
		}
		c.Init = init
	}
	members, err := readMembers(info.TypeIndex)
	if err != nil {
		return c, err
	}
	c.Members = members
	c.Memory = readMemory(info)
	dynamic := reflection.TypeAttr(info.TypeIndex, "__ffi_dynamic_attributes__")
	if words, ok := attrText(reflection.TypeAttr(info.TypeIndex, "__ffi_operators__")); ok {
		c.Operators = strings.Fields(words)
	}
	c.Abstract, _ = attrText(reflection.TypeAttr(info.TypeIndex, "__ffi_abstract__"))
	for name, part := range map[string]any{"__ffi_items__": &c.Items, "__ffi_constants__": &c.Enum} {
		if text, ok := attrText(reflection.TypeAttr(info.TypeIndex, name)); ok {
			if err := json.Unmarshal([]byte(text), part); err != nil {
				return c, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	for name, i := naming.JoinedAttr, 2; ; name, i = fmt.Sprint(naming.JoinedAttr, i), i+1 {
		key, ok := attrText(reflection.TypeAttr(info.TypeIndex, name))
		if !ok {
			break
		}
		c.Joined = append(c.Joined, key)
	}
	c.Dynamic = dynamic.TypeIndex == abi.IndexBool && dynamic.Int64() != 0
	return c, nil
}

// readMemory returns nil for a class whose reflection data does not explain all of the memory.
func readMemory(info *abi.TypeInfo) *model.Memory {
	size, parts, err := nativememory.Of(info)
	if err != nil {
		return nil
	}
	made := &model.Memory{Size: size}
	for _, p := range parts {
		made.Parts = append(made.Parts, model.Part{Name: p.Name, Type: p.Type, Offset: p.Offset, Size: p.Size})
	}
	return made
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
	for f := range info.AllFields() {
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
	for _, field := range slices.Concat(required, optional) {
		init.Args = append(init.Args, field.Type)
		init.ArgNames = append(init.ArgNames, field.Name)
	}
	for _, field := range optional {
		init.ArgDefaults = append(init.ArgDefaults, field.Default)
	}
	return init, nil
}

// readMembers reads the members of an enum, if the class is one, in their order.
func readMembers(index int32) ([]model.Member, error) {
	state := reflection.TypeAttr(index, "__ffi_enum__")
	if !state.IsObject() {
		return readOldMembers(reflection.TypeAttr(index, "__ffi_enum_entries__"))
	}
	entries, err := reflection.FieldOf(state.Pointer(), "entries")
	if err != nil {
		return nil, err
	}
	defer reflection.Release(entries)
	if entries.TypeIndex != abi.IndexList {
		return nil, fmt.Errorf("the enum's entries are a value of type index %d, not a list", entries.TypeIndex)
	}
	var members []model.Member
	for _, entry := range abi.SeqOf(entries.Pointer()).Items() {
		member, err := readMember(entry)
		if err != nil {
			return nil, err
		}
		members = append(members, member)
	}
	return members, nil
}

// readOldMembers reads the members of an enum that was compiled with the headers of a release before 0.1.15: a Dict has them by
// name.
func readOldMembers(entries abi.Any) ([]model.Member, error) {
	if entries.TypeIndex != abi.IndexDict {
		return nil, nil
	}
	var members []model.Member
	for pair := range container.MapOf(entries.Pointer()).All {
		if !pair.Value.IsObject() {
			continue // made before its type had an index, as GCC orders the initialisation of those headers
		}
		member, err := readMember(pair.Value)
		if err != nil {
			return nil, err
		}
		members = append(members, member)
	}
	slices.SortStableFunc(members, func(a, b model.Member) int { return cmp.Compare(a.Number, b.Number) })
	return members, nil
}

func readMember(entry abi.Any) (model.Member, error) {
	if !entry.IsObject() {
		return model.Member{}, fmt.Errorf("a member of the enum is a value of type index %d, not an object", entry.TypeIndex)
	}
	name, err := reflection.FieldOf(entry.Pointer(), "_str_index")
	if err != nil {
		return model.Member{}, err
	}
	number, err := reflection.FieldOf(entry.Pointer(), "_int_index")
	if err != nil {
		return model.Member{}, err
	}
	return model.Member{Name: reflection.Text(name), Number: number.Int64()}, nil
}

// attrText copies the text of a type attribute.
func attrText(v abi.Any) (string, bool) {
	text, ok := v.Text()
	return strings.Clone(text), ok
}
