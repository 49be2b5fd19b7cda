package jsongraph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/bigint"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Decode makes the value that a JSON graph (borrowed) describes; the caller owns it. Each node becomes one object, which
// all nodes that refer to it share. Nodes that the root does not lead to are ignored.
//
// Errors:
//   - ValueError: not a graph, a node that needs itself, nested too deep
//   - KeyError: a property missing
//   - TypeError: a property of another type, a field without a value
//   - InternalError: an unknown type
//   - RuntimeError: a class whose objects reflection cannot make
//   - RecursionError, MemoryError, and those of hooks and setters
func Decode(value *abi.Any) (abi.Any, error) {
	if value.TypeIndex != abi.IndexMap {
		return abi.Any{}, failure.Value("Invalid JSON Object Graph, expected an object")
	}
	root, nodes := property(value.Pointer(), "root_index"), property(value.Pointer(), "nodes")
	if root == nil || root.TypeIndex != abi.IndexInt {
		return abi.Any{}, failure.Value("Invalid JSON Object Graph, expected `root_index` integer field")
	}
	if nodes == nil || nodes.TypeIndex != abi.IndexArray {
		return abi.Any{}, failure.Value("Invalid JSON Object Graph, expected `nodes` array field")
	}
	d := &decoder{types: map[string]*typeEntry{}, fromJSON: graph.Column{Name: "__data_from_json__"}}
	d.nodes = abi.SeqOf(nodes.Pointer()).Items()
	d.made = make([]abi.Any, len(d.nodes))
	d.enum, d.intEnum = typeOf("ffi.Enum"), typeOf("ffi.IntEnum")
	for i := range d.made {
		d.made[i].TypeIndex = notMade
	}
	defer d.release()
	v, err := d.node(root.Int64())
	if err != nil {
		return abi.Any{}, err
	}
	return graph.Retain(v), nil
}

// Type indices in decoder.made of nodes that have no value yet. No type has them.
const (
	notMade int32 = -100
	making  int32 = -101
)

// decoder is one decoding.
type decoder struct {
	graph.Walk
	nodes    []abi.Any // of the graph, borrowed
	made     []abi.Any // the value of each node, owned
	depth    int
	integers []abi.Any // the values of fields that need more than 64 bits, owned
	values   []abi.Any // a stack: the parts of the containers and objects that are being made, borrowed from made
	types    map[string]*typeEntry
	fromJSON graph.Column
	enum     *abi.TypeInfo
	intEnum  *abi.TypeInfo
}

// typeEntry is a type that the graph mentions.
type typeEntry struct {
	index int32
	names []abi.Any // the names of the fields as string values, owned
}

func (d *decoder) release() {
	graph.ReleaseAll(d.integers)
	for _, v := range d.made {
		if v.TypeIndex >= 0 {
			graph.Release(v)
		}
	}
	for _, t := range d.types {
		graph.ReleaseAll(t.names)
	}
}

// node returns the value of a node, borrowed from made, and makes it first if there is none yet.
func (d *decoder) node(at int64) (abi.Any, error) {
	if at < 0 || at >= int64(len(d.nodes)) {
		return abi.Any{}, failure.Value("Invalid JSON Object Graph: invalid node index %d", at)
	}
	if v := d.made[at]; v.TypeIndex >= 0 {
		return v, nil
	} else if v.TypeIndex == making {
		return abi.Any{}, failure.Value("Invalid JSON Object Graph: node %d needs itself", at)
	}
	if d.depth >= graph.MaxDepth {
		return abi.Any{}, graph.ErrDepth("FromJSONGraph")
	}
	if d.nodes[at].TypeIndex != abi.IndexMap {
		return abi.Any{}, cannotConvert(&d.nodes[at], "Map<Any, Any>")
	}
	d.made[at].TypeIndex = making
	d.depth++
	v, err := d.decode(d.nodes[at].Pointer())
	d.depth--
	if err != nil {
		return abi.Any{}, err
	}
	d.made[at] = v
	return v, nil
}

// typeOf returns the entry of a type key; an InternalError when no type has it.
func (d *decoder) typeOf(key []byte) (*typeEntry, error) {
	if t, ok := d.types[string(key)]; ok {
		return t, nil
	}
	index := plane.TypeByKey(string(key))
	if index < 0 {
		return nil, failure.Internal("Check failed: (it != type_key2index_.end()) is false: Cannot find type `%s`", key)
	}
	t := &typeEntry{index: index}
	d.types[string(key)] = t
	return t, nil
}

// decode makes the value of a node; the caller owns it.
func (d *decoder) decode(node unsafe.Pointer) (abi.Any, error) {
	key, err := need(node, "type")
	if err != nil {
		return abi.Any{}, err
	}
	text, err := toText(key)
	if err != nil {
		return abi.Any{}, err
	}
	t, err := d.typeOf(text)
	if err != nil || t.index == abi.IndexNone {
		return abi.None(), err
	}
	data, err := need(node, "data")
	if err != nil {
		return abi.Any{}, err
	}
	switch t.index {
	case abi.IndexArray, abi.IndexList, abi.IndexMap, abi.IndexDict:
		return d.container(t.index, data)
	case abi.IndexBool, abi.IndexInt, abi.IndexFloat, abi.IndexDataType:
		return itself(t.index, data)
	case abi.IndexDevice:
		return toDevice(data)
	case abi.IndexStr:
		if _, err := toText(data); err != nil {
			return abi.Any{}, err
		}
		return graph.Retain(*data), nil
	case abi.IndexBytes:
		return toBytes(data)
	case abi.IndexShape:
		dims, err := toInts(data)
		if err != nil {
			return abi.Any{}, err
		}
		return graph.NewShape(dims)
	}
	return d.object(t, data)
}

// itself converts data that are the value itself.
func itself(index int32, data *abi.Any) (abi.Any, error) {
	switch index {
	case abi.IndexBool:
		if data.TypeIndex != abi.IndexBool && data.TypeIndex != abi.IndexInt {
			return abi.Any{}, cannotConvert(data, "bool")
		}
		return abi.Bool(data.Bits != 0), nil
	case abi.IndexInt:
		v, err := toInt(data)
		return abi.Int(v), err
	case abi.IndexFloat:
		v, err := toFloat(data)
		return abi.Float(v), err
	case abi.IndexDataType:
		if _, err := toText(data); err != nil {
			return abi.Any{}, err
		}
		v, err := graph.ParseDataType(data)
		return abi.DataTypeValue(v), err
	}
	return abi.None(), nil
}

func toDevice(data *abi.Any) (abi.Any, error) {
	numbers, err := toInts(data)
	if err != nil {
		return abi.Any{}, err
	}
	if len(numbers) != 2 {
		return abi.Any{}, failure.Value("Invalid JSON Object Graph: Device data must be an array of [device_type, device_id], got %d element(s)", len(numbers))
	}
	return abi.DeviceValue(abi.Device{Type: int32(numbers[0]), ID: int32(numbers[1])}), nil
}

// container makes an Array, List, Map or Dict of the nodes whose numbers are in data.
func (d *decoder) container(index int32, data *abi.Any) (abi.Any, error) {
	numbers, err := toItems(data, "Array<Any>")
	if err != nil {
		return abi.Any{}, err
	}
	if (index == abi.IndexMap || index == abi.IndexDict) && len(numbers)%2 != 0 {
		return abi.Any{}, failure.Value("Invalid JSON Object Graph: Map/Dict data must contain an even number of [key, value] entries, got %d", len(numbers))
	}
	base := len(d.values)
	defer func() { d.values = d.values[:base] }()
	for i := range numbers {
		at, err := toInt(&numbers[i])
		if err != nil {
			return abi.Any{}, err
		}
		v, err := d.node(at)
		if err != nil {
			return abi.Any{}, err
		}
		d.values = append(d.values, v)
	}
	items := d.values[base:]
	for _, v := range items {
		graph.Retain(v)
	}
	var h unsafe.Pointer
	switch index {
	case abi.IndexArray:
		h, err = graph.NewArray(items)
	case abi.IndexList:
		h, err = graph.NewList(items)
	default:
		h, err = graph.NewMap(index, items)
	}
	return abi.ObjectValue(h), err
}

var decodeHook = graph.Hook{Operation: "FromJSONGraph"}

// object returns an object of a class: an enum's member, the result of the class's hook, or a new object with the fields
// set.
func (d *decoder) object(t *typeEntry, data *abi.Any) (abi.Any, error) {
	info := plane.TypeAt(t.index).Info()
	if info.IsA(d.enum) {
		return d.member(info, data)
	}
	hook, err := d.fromJSON.Function(t.index)
	if err != nil {
		return abi.Any{}, err
	}
	if hook != nil {
		return d.CallHook(&decodeHook, nil, hook, *data)
	}
	if !d.Types.Of(t.index).CanCreate() {
		return abi.Any{}, failure.New("RuntimeError", "Type `%s` does not support reflection creation (no native creator or __ffi_new__ type attr)", info.Key.String())
	}
	if data.TypeIndex != abi.IndexMap && data.TypeIndex != abi.IndexDict {
		return abi.Any{}, cannotConvert(data, "Map<Any, Any>")
	}
	return d.fields(t, data.Pointer())
}

// fields makes an object of a class with the fields that data (a Map or Dict) has, and defaults for the others.
func (d *decoder) fields(t *typeEntry, data unsafe.Pointer) (abi.Any, error) {
	class := d.Types.Of(t.index)
	if t.names == nil {
		for i := range class.Fields {
			name, err := graph.NewText(class.Fields[i].Name())
			if err != nil {
				return abi.Any{}, err
			}
			t.names = append(t.names, name)
		}
	}
	n, base := len(class.Fields), len(d.values)
	d.values = append(d.values, make([]abi.Any, n)...)
	defer func() { d.values = d.values[:base] }()
	m := container.MapOf(data)
	next := m.First() // where the field is that follows the last one found: graphs list fields in the class's order
	for i := range class.Fields {
		f := &class.Fields[i]
		var value *abi.Any
		if next != container.NoBucket && container.Equal(&m.At(next).Key, &t.names[i]) {
			value, next = &m.At(next).Value, m.Next(next)
		} else {
			value = lookUp(data, &t.names[i])
		}
		switch {
		case value != nil:
			v, err := d.field(f.Static, value)
			if err != nil {
				return abi.Any{}, err
			}
			d.values[base+i] = v
		case f.Flags&abi.FlagHasDefault != 0:
			d.values[base+i].TypeIndex = abi.IndexAny // Build uses the default
		default:
			return abi.Any{}, failure.Type("Required field `%s` not set in type `%s`", f.Name(), class.Key())
		}
	}
	h, err := class.Build(d.values[base : base+n])
	return abi.ObjectValue(h), err
}

// field returns a field's value, borrowed from the decoder.
func (d *decoder) field(static int32, data *abi.Any) (abi.Any, error) {
	if inline(static) {
		if text, ok := data.Text(); ok && static == abi.IndexInt {
			return d.wide(text, data)
		}
		return itself(static, data)
	}
	at, err := toInt(data)
	if err != nil {
		return abi.Any{}, err
	}
	return d.node(at)
}

// wide returns the value of a field of type int that needs more than 64 bits, which the decoder owns.
func (d *decoder) wide(text string, data *abi.Any) (abi.Any, error) {
	n, ok := bigint.Parse(text)
	if !ok {
		return abi.Any{}, cannotConvert(data, "int")
	}
	v, ok := bigint.New(n)
	if !ok {
		return abi.Any{}, failure.ErrRaised
	}
	d.integers = append(d.integers, v)
	return v, nil
}

// enumState is the cell of an EnumState.
type enumState struct {
	entries, indexes, attrs unsafe.Pointer
}

// member returns the member of an enum class, owned by the caller, by its number or name.
func (d *decoder) member(class *abi.TypeInfo, data *abi.Any) (abi.Any, error) {
	key := *data
	var shown any // the key in the error
	if class.IsA(d.intEnum) {
		number, err := toInt(data)
		if err != nil {
			return abi.Any{}, err
		}
		key, shown = abi.Int(number), number
	} else {
		content, err := toText(data)
		if err != nil {
			return abi.Any{}, err
		}
		shown = string(content)
	}
	missing := func() error {
		return failure.Value("Enum `%s` has no instance with index %v", class.Key.String(), shown)
	}
	state := graph.Attr("__ffi_enum__", class.TypeIndex)
	if state.TypeIndex != plane.TypeByKey("ffi.EnumState") {
		return abi.Any{}, missing()
	}
	indexes := (*enumState)(unsafe.Add(state.Pointer(), abi.BodyOffset)).indexes
	if indexes == nil {
		return abi.Any{}, missing()
	}
	entry, err := graph.Find(indexes, &key)
	if err != nil {
		return abi.Any{}, err
	}
	if entry == nil {
		return abi.Any{}, missing()
	}
	return graph.Retain(entry.Value), nil
}
