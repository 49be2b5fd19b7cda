package selfsame

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// A record is a Go struct without methods, or a pointer to one, in a signature. It crosses by value: as an instance of
// a dataclass in Python, which `selfsame-ffi build` writes into the package; a dict with the fields' names is accepted
// too. Its native form is a Map from names to values. A struct whose values are shared or have methods is a class
// instead.

// record describes the fields of a struct type.
type record struct {
	goType reflect.Type
	key    string // such as geo.Options
	fields []recordField
}

type recordField struct {
	name  string // in Python
	index int
	doc   string
	conv  *conv
}

// recordConv makes the conversion of a struct type.
func recordConv(t reflect.Type) (*conv, error) {
	r, err := newRecord(t)
	if err != nil {
		return nil, err
	}
	c := callConv(r.key, r.key, r.from, r.to)
	var parts []*conv
	for _, f := range r.fields {
		parts = append(parts, f.conv)
	}
	c.traits = traitsOf(parts...)
	c.callsOnly, c.records = true, append([]*record{r}, c.records...)
	return c, nil
}

// newRecord reads the fields of a struct type.
func newRecord(t reflect.Type) (*record, error) {
	if t.Name() == "" {
		return nil, newError("TypeError", "%s has no counterpart in the ABI, as it has no name; declare a type for it", t)
	}
	if refersTo(t, t, map[reflect.Type]bool{}) {
		return nil, newError("TypeError", "%s contains itself, and records cross by value; make it a class: embed selfsame.Object "+
			"as its first field", t)
	}
	name, _, _ := strings.Cut(t.String(), "[") // type arguments are no part of a Python name
	r := &record{goType: t, key: name}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("ffi")
		if tag == "-" {
			continue
		}
		if !f.IsExported() {
			return nil, newError("TypeError", "%s has the unexported field %s, which would be lost; tag it `ffi:\"-\"` if it "+
				"may be, make %s a class (embed selfsame.Object as its first field), or keep it in a class, in a field of type "+
				"selfsame.Value[*%s]", t, f.Name, t, t)
		}
		field := recordField{name: naming.Snake(f.Name), index: i, doc: cmp.Or(f.Tag.Get("doc"), typeComment(t, f.Name))}
		if tagged {
			other, ok := strings.CutPrefix(tag, "name=")
			if !ok || !naming.IsIdentifier(other) {
				return nil, newError("TypeError", "%s.%s: expected the tag `ffi:\"-\"` or `ffi:\"name=...\"`, got `ffi:%q`", t, f.Name, tag)
			}
			field.name = other
		}
		if slices.ContainsFunc(r.fields, func(o recordField) bool { return o.name == field.name }) {
			return nil, newError("TypeError", "%s.%s: the name `%s` is taken by another field", t, f.Name, field.name)
		}
		var err error
		if field.conv, err = convFor(f.Type); err != nil {
			return nil, newError("TypeError", "%s.%s: %s", t, f.Name, reason(err))
		}
		r.fields = append(r.fields, field)
	}
	if len(r.fields) == 0 && t.NumField() > 0 {
		return nil, newError("TypeError", "%s has no field that other languages can see; make it a class: embed selfsame.Object "+
			"as its first field", t)
	}
	return r, nil
}

// refersTo says whether values of type t contain values of type target, directly or through pointers, slices and maps.
func refersTo(t, target reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t == timeType || t == bigIntType {
		return false
	}
	seen[t] = true
	inside := func(e reflect.Type) bool { return e == target || refersTo(e, target, seen) }
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return inside(t.Elem())
	case reflect.Map:
		return inside(t.Key()) || inside(t.Elem())
	case reflect.Struct:
		if isClassStruct(t) || isOwn(t) {
			return false
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("ffi") != "-" && inside(f.Type) {
				return true
			}
		}
	}
	return false
}

// from fills the struct at p in. Fields that the value lacks keep their zero value; a name that the struct does not have
// is an error.
func (r *record) from(p unsafe.Pointer, v *abi.Any) error {
	entries := *v
	if v.TypeIndex != abi.IndexMap && v.TypeIndex != abi.IndexDict {
		names, err := r.names()
		if err != nil {
			return err
		}
		defer releaseValue(names)
		made, err := unpack("record", v, names)
		if err != nil {
			return err
		}
		defer releaseValue(made)
		entries = made
	}
	to := reflect.NewAt(r.goType, p).Elem()
	to.SetZero()
	for pair := range container.MapOf(entries.Pointer()).All {
		name, _ := pair.Key.Text()
		at := slices.IndexFunc(r.fields, func(f recordField) bool { return f.name == name })
		if at < 0 {
			return newError("TypeError", "%s has no field %s", r.key, keyText(&pair.Key))
		}
		f := r.fields[at]
		if err := f.conv.from(&pair.Value, to.Field(f.index).Addr().UnsafePointer()); err != nil {
			if m, ok := err.(*mismatch); ok {
				return newError("TypeError", "%s.%s: expected %s, got %s", r.key, f.name, typeWords(f.conv.name()), m.words())
			}
			return inElement(r.key+"."+f.name, err)
		}
	}
	return nil
}

// names returns the owned Array of the fields' names.
func (r *record) names() (v abi.Any, err error) {
	owned := make([]abi.Any, len(r.fields))
	defer func() { releaseAll(owned) }()
	for i, f := range r.fields {
		if owned[i], err = newText(f.name); err != nil {
			return v, err
		}
	}
	object, err := newContainer(abi.IndexArray, owned)
	return abi.ObjectValue(object), err
}

// to makes an owned value of the struct at p.
func (r *record) to(p unsafe.Pointer, v *abi.Any) error {
	owned := make([]abi.Any, 2*len(r.fields))
	defer func() { releaseAll(owned) }()
	from := reflect.NewAt(r.goType, p).Elem()
	for i, f := range r.fields {
		name, err := newText(f.name)
		if err != nil {
			return err
		}
		owned[2*i] = name
		if err := f.conv.to(from.Field(f.index).Addr().UnsafePointer(), &owned[2*i+1]); err != nil {
			return inElement(r.key+"."+f.name, err)
		}
	}
	object, err := newContainer(abi.IndexMap, owned)
	if err != nil {
		return err
	}
	*v = abi.ObjectValue(object)
	key, err := newText(r.key)
	if err != nil {
		return err
	}
	defer releaseValue(key)
	return repack(v, "record", key)
}
