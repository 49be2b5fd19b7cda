package control

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/shown"
)

// pinnedText returns a view of a Go string that C may read until pin is unpinned.
func pinnedText(pin *runtime.Pinner, s string) abi.ByteArray {
	if s == "" {
		return abi.ByteArray{}
	}
	pin.Pin(unsafe.StringData(s))
	return abi.ByteArray{Data: unsafe.Pointer(unsafe.StringData(s)), Size: uintptr(len(s))}
}

// texts copies registered text into memory from malloc, and can free all copies when the registration fails.
type texts struct{ made []*abi.ByteArray }

func (t *texts) copy(from *abi.ByteArray, to *abi.ByteArray) bool {
	if !plane.CopyText(from, to) {
		return false
	}
	t.made = append(t.made, to)
	return true
}

func (t *texts) free() {
	for _, text := range t.made {
		plane.FreeText(text)
	}
}

// registerField adds a field to a type. It copies the text and takes references to the objects that info points to.
func registerField(index int32, info *abi.FieldInfo) error {
	t, err := typeAt(index)
	if err != nil {
		return err
	}
	if startHas(func() bool { return t.HasField(info.Name.String()) }) {
		return nil
	}
	field := *info
	setterIsObject := field.Flags&abi.FlagSetterIsFunctionObj != 0 && field.Setter != nil
	if setterIsObject {
		if got := abi.TypeIndexOf(field.Setter); got != abi.IndexFunction {
			return errorf("TypeError", "TVMFFITypeRegisterField: setter of field `%s`: expected ffi.Function, got %s",
				field.Name.String(), typeKeyOf(got))
		}
		abi.IncRef(field.Setter)
	}
	added := false
	field.Default = abi.None()
	var kept texts
	defer func() {
		if added {
			return
		}
		kept.free()
		plane.Reset(&field.Default)
		if setterIsObject {
			plane.DecRef(field.Setter)
		}
	}()
	if field.Flags&abi.FlagHasDefault != 0 {
		owned, ok := plane.ToOwned(unsafe.Pointer(&info.Default))
		if !ok {
			return errRaised
		}
		field.Default = owned
	}
	if !kept.copy(&info.Name, &field.Name) || !kept.copy(&info.Doc, &field.Doc) || !kept.copy(&info.Metadata, &field.Metadata) {
		return errRaised
	}
	added, err = addField(t, &field)
	return err
}

// addField appends a field to a type unless the type has one of that name, and reports whether it did. A field with the
// name of an inherited one gets a warning on stderr.
func addField(t *plane.Type, field *abi.FieldInfo) (bool, error) {
	registry.Lock()
	defer registry.Unlock()
	name := field.Name.String()
	own := t.Info()
	if t.HasField(name) {
		return false, errorf("InternalError", "Check failed: (std::string_view(existing.name.data, existing.name.size) != new_name) is false: Duplicate field name \"%s\" in type \"%s\"",
			name, t.Key())
	}
	for depth := int32(0); depth < own.Depth; depth++ {
		ancestor := own.Ancestor(depth)
		for _, f := range ancestor.OwnFields() {
			if f.Name.String() == name {
				fmt.Fprintf(os.Stderr, "[WARNING] Field \"%s\" of type \"%s\" has the name of an inherited field of \"%s\"\n",
					shown.Line(name), shown.Line(t.Key()), shown.Line(ancestor.Key.String()))
			}
		}
	}
	if !t.AddField(field) {
		return false, errRaised
	}
	return true, nil
}

// registerMethod adds a method to a type. It copies and takes references like registerField. Several methods may have
// the same name.
func registerMethod(index int32, info *abi.MethodInfo) error {
	t, err := typeAt(index)
	if err != nil {
		return err
	}
	if startHas(func() bool { return t.HasMethod(info.Name.String()) }) {
		return nil
	}
	method := *info
	owned, ok := plane.ToOwned(unsafe.Pointer(&info.Method))
	if !ok {
		return errRaised
	}
	method.Method = owned
	var kept texts
	if !kept.copy(&info.Name, &method.Name) || !kept.copy(&info.Doc, &method.Doc) || !kept.copy(&info.Metadata, &method.Metadata) || !addMethod(t, &method) {
		kept.free()
		plane.Reset(&method.Method)
		return errRaised
	}
	return nil
}

// addMethod appends a method to a type and reports whether there was memory for it; if not, an error is raised.
func addMethod(t *plane.Type, method *abi.MethodInfo) bool {
	registry.Lock()
	defer registry.Unlock()
	return t.AddMethod(method)
}

// registerMetadata sets a type's metadata. It is an error if the type has metadata already.
func registerMetadata(index int32, info *abi.TypeMetadata) error {
	t, err := typeAt(index)
	if err != nil {
		return err
	}
	if startHas(func() bool { return t.Info().Metadata != nil }) {
		return nil
	}
	metadata := *info
	if !plane.CopyText(&info.Doc, &metadata.Doc) {
		return errRaised
	}
	registry.Lock()
	defer registry.Unlock()
	if t.Info().Metadata != nil {
		plane.FreeText(&metadata.Doc)
		err := errorf("RuntimeError", "Overriding %s, possible causes:\n"+
			"- the class was registered twice\n"+
			"- a class that inherits from it has no type key of its own\n"+
			"- another class has the same type key", t.Key())
		fmt.Fprintln(os.Stderr, shown.Text(err.Error()))
		return err
	}
	t.SetMetadata(&metadata)
	return nil
}

// registerAttr sets a type attribute to a value, to which it takes a reference; it adds the attribute's column if there
// is none. With the type index of None it only adds the column. It is an error if the type has a value in it already.
func registerAttr(index int32, name string, value abi.Any) error {
	if index < 0 || index >= plane.TypeLimit {
		return errorf("ValueError", "TVMFFITypeRegisterAttr: type_index of attribute `%s` must be between 0 and %d, got %d",
			name, plane.TypeLimit-1, index)
	}
	if startHas(func() bool {
		column := plane.FindColumn(name)
		return column != nil && (index == abi.IndexNone || column.Lookup(index).TypeIndex != abi.IndexNone)
	}) {
		return nil
	}
	owned := abi.None()
	if index != abi.IndexNone {
		var ok bool
		if owned, ok = plane.ToOwned(unsafe.Pointer(&value)); !ok {
			return errRaised
		}
	}
	if err := fillAttr(index, name, owned); err != nil {
		plane.Reset(&owned)
		return err
	}
	return nil
}

// fillAttr does registerAttr's work for an owned value, which stays the caller's on an error.
func fillAttr(index int32, name string, owned abi.Any) error {
	registry.Lock()
	defer registry.Unlock()
	column := plane.FindColumn(name)
	if column == nil {
		if column = plane.AddColumn(name); column == nil {
			return errRaised
		}
	}
	if index == abi.IndexNone {
		return nil
	}
	if column.Lookup(index).TypeIndex != abi.IndexNone {
		return errorf("RuntimeError", "TypeAttr `%s` is already registered for type index %d. To update the stored value, register a mutable container (e.g., Dict/List) once and mutate it in place on subsequent calls.",
			name, index)
	}
	if !column.Fill(index, owned) {
		return errRaised
	}
	return nil
}
