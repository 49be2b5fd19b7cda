package convert

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/sourcetext"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// A record is a Go struct without methods, or a pointer to one, in a signature. It crosses by value: as an instance of
// a dataclass in Python, which `selfsame-ffi build` writes into the package; a dict with the fields' names is accepted
// too. Its native form is a Map from names to values. A struct whose values are shared or have methods is a class
// instead.

// Record describes the fields of a struct type.
type Record struct {
	GoType reflect.Type
	Key    string // such as geo.Options
	Fields []recordField

	columns func() ([]*Conv, error) // the conversions of slices of the fields, made once
}

type recordField struct {
	Name  string // in Python
	index int
	Doc   string
	Conv  *Conv
}

// attribute returns the name of the field as code in Python writes it, which cannot write keywords.
func (f recordField) attribute() string { return naming.Python.Identifier(f.Name) }

// recordConv makes the conversion of a struct type.
func recordConv(t reflect.Type) (*Conv, error) {
	r, err := newRecord(t)
	if err != nil {
		return nil, err
	}
	c := CallConv(r.Key, r.Key, nil, r.to)
	var parts []*Conv
	for _, f := range r.Fields {
		parts = append(parts, f.Conv)
	}
	c.SetFrom(r.from, parts...)
	c.Traits = TraitsOf(parts...)
	c.CallsOnly, c.Records = true, append([]*Record{r}, c.Records...)
	return c, nil
}

// HasTensors says whether a field of the record may be a tensor or have tensors inside. Records in it are other Records.
func (r *Record) HasTensors() bool {
	return slices.ContainsFunc(r.Fields, func(f recordField) bool {
		schema := f.Conv.Schema()
		return strings.Contains(schema, `"ffi.Tensor"`) || strings.Contains(schema, `"Any"`)
	})
}

// newRecord reads the fields of a struct type.
func newRecord(t reflect.Type) (*Record, error) {
	if t.Name() == "" {
		return nil, fault.New("TypeError", "%s has no counterpart in the ABI, as it has no name; declare a type for it", t)
	}
	if refersTo(t, t, map[reflect.Type]bool{}) {
		return nil, fault.New("TypeError", "%s contains itself, and records cross by value; make it a class: embed selfsame.Object "+
			"as its first field", t)
	}
	name, _, _ := strings.Cut(t.String(), "[") // type arguments are no part of a Python name
	r := &Record{GoType: t, Key: name}
	r.columns = sync.OnceValues(r.newColumns)
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("ffi")
		if tag == "-" {
			continue
		}
		if !f.IsExported() {
			return nil, fault.New("TypeError", "%s has the unexported field %s, which would be lost; keep it in a class, in a field of "+
				"type selfsame.Value[*%s]; in a struct of your own, tag the field `ffi:\"-\"` if it may be lost, or make the struct a "+
				"class: embed selfsame.Object as its first field", t, f.Name, t)
		}
		field := recordField{Name: naming.Snake(f.Name), index: i, Doc: cmp.Or(f.Tag.Get("doc"), sourcetext.TypeComment(t, f.Name))}
		if tagged {
			other, ok := strings.CutPrefix(tag, "name=")
			if !ok || !naming.IsIdentifier(other) {
				return nil, fault.New("TypeError", "%s.%s: expected the tag `ffi:\"-\"` or `ffi:\"name=...\"`, got `ffi:%q`", t, f.Name, tag)
			}
			field.Name = naming.Normal(other)
		}
		taken := func(o recordField) bool { return o.Name == field.Name || o.attribute() == field.attribute() }
		if slices.ContainsFunc(r.Fields, taken) {
			return nil, fault.New("TypeError", "%s.%s: the name `%s` is taken by another field", t, f.Name, field.attribute())
		}
		var err error
		if field.Conv, err = For(f.Type); err != nil {
			return nil, fault.New("TypeError", "%s.%s: %s", t, f.Name, fault.Reason(err))
		}
		r.Fields = append(r.Fields, field)
	}
	if len(r.Fields) == 0 && t.NumField() > 0 {
		return nil, fault.New("TypeError", "%s has no field that other languages can see; make it a class: embed selfsame.Object "+
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
		if typetable.IsClassStruct(t) || IsOwn(t) {
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
func (r *Record) from(v *abi.Any, p unsafe.Pointer, lent *handles.Lent) error {
	entries := *v
	if v.TypeIndex != abi.IndexMap && v.TypeIndex != abi.IndexDict {
		names, err := r.names()
		if err != nil {
			return err
		}
		defer values.Release(names)
		made, err := Unpack("record", v, names)
		if err != nil {
			return err
		}
		defer values.Release(made)
		entries = made
	}
	to := reflect.NewAt(r.GoType, p).Elem()
	to.SetZero()
	for pair := range container.MapOf(entries.Pointer()).All {
		name, _ := pair.Key.Text()
		at := slices.IndexFunc(r.Fields, func(f recordField) bool { return f.Name == name || f.attribute() == name })
		if at < 0 {
			known := make([]string, len(r.Fields))
			for i := range r.Fields {
				known[i] = r.Fields[i].attribute()
			}
			return fault.New("TypeError", "%s has no field %s%s", r.Key, KeyText(&pair.Key), naming.DidYouMean(name, known))
		}
		f := r.Fields[at]
		if err := f.Conv.Lend(&pair.Value, to.Field(f.index).Addr().UnsafePointer(), lent); err != nil {
			if m, ok := err.(*Mismatch); ok {
				return m.Refused(r.Key+"."+f.Name, f.Conv.Name()).InField(strconv.Quote(f.Name))
			}
			return InElement(r.Key+"."+f.Name, err)
		}
	}
	return nil
}

// List makes *v the Python list of the structs in a slice. A column at a time crosses, and Python makes the instances of them: a
// crossing for each field of each would be most of the work.
func (r *Record) List(slice reflect.Value, v *abi.Any) error {
	owned := make([]abi.Any, 2, 2+len(r.Fields))
	defer func() { values.ReleaseAll(owned) }()
	var err error
	if owned[0], err = values.NewText(r.Key); err != nil {
		return err
	}
	if owned[1], err = r.names(); err != nil {
		return err
	}
	columns, err := r.columns()
	if err != nil {
		return err
	}
	n := slice.Len()
	for k, f := range r.Fields {
		c := columns[k]
		column := reflect.New(c.GoType)
		column.Elem().Set(reflect.MakeSlice(c.GoType, n, n))
		for i := range n {
			column.Elem().Index(i).Set(slice.Index(i).Field(f.index))
		}
		var made abi.Any
		if times, ok := column.Elem().Interface().([]time.Time); ok {
			made, err = timesToPython(times)
		} else {
			err = c.To(column.UnsafePointer(), &made)
		}
		if err != nil {
			return InElement(r.Key+"."+f.Name, err)
		}
		owned = append(owned, made)
	}
	_, err = pack(v, "records", owned...)
	return err
}

// newColumns makes the conversions of columns.
func (r *Record) newColumns() (columns []*Conv, err error) {
	for _, f := range r.Fields {
		t := reflect.SliceOf(r.GoType.Field(f.index).Type)
		c, err := SliceConv(t, For)
		if err != nil {
			return nil, err
		}
		c.GoType = t
		columns = append(columns, PlainResult(c))
	}
	return columns, nil
}

// names returns the owned Array of the fields' names.
func (r *Record) names() (v abi.Any, err error) {
	owned := make([]abi.Any, len(r.Fields))
	defer func() { values.ReleaseAll(owned) }()
	for i, f := range r.Fields {
		if owned[i], err = values.NewText(f.Name); err != nil {
			return v, err
		}
	}
	return values.Container(abi.IndexArray, owned)
}

// to makes an owned value of the struct at p.
func (r *Record) to(p unsafe.Pointer, v *abi.Any) error {
	owned := make([]abi.Any, 2*len(r.Fields))
	defer func() { values.ReleaseAll(owned) }()
	fillBelow(owned, depthOf(v))
	from := reflect.NewAt(r.GoType, p).Elem()
	for i, f := range r.Fields {
		name, err := values.NewText(f.Name)
		if err != nil {
			return err
		}
		owned[2*i] = name
		if err := f.Conv.To(from.Field(f.index).Addr().UnsafePointer(), &owned[2*i+1]); err != nil {
			return InElement(r.Key+"."+f.Name, err)
		}
	}
	if err := values.PutContainer(abi.IndexMap, owned, v); err != nil {
		return err
	}
	key, err := values.NewText(r.Key)
	if err != nil {
		return err
	}
	defer values.Release(key)
	return Repack(v, "record", key)
}
