package jsongraph

import (
	"encoding/base64"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/bigint"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Encode returns the JSON graph of a value as a Map, with metadata as a property unless it is None. Both are borrowed;
// the caller owns the result.
//
// Errors: ValueError (a cycle, nested too deep), TypeError (a class whose objects reflection cannot make), RuntimeError
// (a value that cannot be written, such as a pointer), RecursionError, MemoryError, and those of hooks.
func Encode(value, metadata *abi.Any) (abi.Any, error) {
	out := mapSink{b: graph.NewBuilder()}
	e := newEncoder(&out)
	defer e.seen.release()
	root, err := e.index(*value)
	if err != nil {
		out.b.Abandon()
		return abi.Any{}, err
	}
	return out.finish(root, int(e.count), metadata)
}

// EncodeText returns the same graph as JSON text. Its errors are those of Encode, and a ValueError for metadata or a
// hook's result that JSON cannot express.
func EncodeText(value, metadata *abi.Any) ([]byte, error) {
	var out textSink
	e := newEncoder(&out)
	defer e.seen.release()
	root, err := e.index(*value)
	if err != nil {
		return nil, err
	}
	return out.finish(root, metadata)
}

// sink receives the nodes of a graph in order.
type sink interface {
	begin(typeKey []byte) // begins a node
	data()                // the node's data follow: one value
	end()                 // ends the node

	none()
	boolean(bool)
	integer(int64)
	float(float64)
	text([]byte)
	str(*abi.Any)
	value(owned abi.Any) error // any JSON value; the sink takes it over

	openArray()
	closeArray()
	openObject()
	name([]byte)
	closeObject()
}

// encoder is one walk.
type encoder struct {
	graph.Walk
	out     sink
	toJSON  graph.Column
	hash    graph.Column
	seen    seen
	count   int64
	active  graph.Table // 1 for the Lists and Dicts that the walk is inside of
	indices []int64     // a stack: the node numbers of the parts of the objects that the walk is inside of
	fields  []abi.Any
	enum    *abi.TypeInfo
	intEnum *abi.TypeInfo
}

func newEncoder(out sink) *encoder {
	e := &encoder{out: out, toJSON: graph.Column{Name: "__data_to_json__"}, hash: graph.Column{Name: "__any_hash__"}}
	e.enum, e.intEnum = typeOf("ffi.Enum"), typeOf("ffi.IntEnum")
	return e
}

func typeOf(key string) *abi.TypeInfo { return plane.TypeAt(plane.TypeByKey(key)).Info() }

// index returns the number of a value's node. It writes the node unless an equal value has one.
func (e *encoder) index(v abi.Any) (int64, error) {
	// An object with a single reference cannot be met again, but an equal one can, if the class has hooks for equality.
	remember := !v.IsObject() || v.TypeIndex <= abi.IndexBytes || abi.StrongCount(v.Pointer()) > 1 ||
		e.hash.Value(v.TypeIndex).TypeIndex != abi.IndexNone
	var hash uint64
	if remember {
		var err error
		if v.TypeIndex > abi.IndexBytes && e.hash.Value(v.TypeIndex).TypeIndex != abi.IndexNone {
			e.Pins.Pin()
		}
		if hash, err = graph.Hash(&v); err != nil {
			return 0, err
		}
		if at, found, err := e.seen.find(&v, hash); err != nil || found {
			return at, err
		}
	}
	if err := e.node(v); err != nil {
		return 0, err
	}
	at := e.count
	e.count++
	if remember {
		e.seen.add(v, hash, at)
	}
	return at, nil
}

// node writes the nodes of a value's parts, and then the value's node.
func (e *encoder) node(v abi.Any) error {
	switch v.TypeIndex {
	case abi.IndexNone:
		e.out.begin(keyOf(v.TypeIndex))
		e.out.end()
		return nil
	case abi.IndexBool:
		e.leaf(v.TypeIndex)
		e.out.boolean(v.Bits != 0)
	case abi.IndexInt:
		e.leaf(v.TypeIndex)
		e.out.integer(v.Int64())
	case abi.IndexFloat:
		e.leaf(v.TypeIndex)
		e.out.float(v.Float64())
	case abi.IndexDataType:
		text, err := graph.DataTypeText(v.DataType())
		if err != nil {
			return err
		}
		e.leaf(v.TypeIndex)
		e.out.text([]byte(text))
	case abi.IndexDevice:
		e.leaf(v.TypeIndex)
		d := v.Device()
		e.out.openArray()
		e.out.integer(int64(d.Type))
		e.out.integer(int64(d.ID))
		e.out.closeArray()
	case abi.IndexSmallStr, abi.IndexStr:
		e.leaf(abi.IndexStr)
		e.out.str(&v)
	case abi.IndexSmallBytes, abi.IndexBytes:
		content, _, _ := v.Content()
		e.leaf(abi.IndexBytes)
		e.out.text(base64.StdEncoding.AppendEncode(nil, content))
	case abi.IndexShape:
		e.leaf(v.TypeIndex)
		e.out.openArray()
		for _, d := range graph.Shape(v.Pointer()) {
			e.out.integer(d)
		}
		e.out.closeArray()
	default:
		if !v.IsObject() {
			return failure.New("RuntimeError", "Cannot serialize type `%s`", graph.Key(&v))
		}
		return e.object(v.Pointer())
	}
	e.out.end()
	return nil
}

// leaf begins the node of a value of a builtin type.
func (e *encoder) leaf(index int32) {
	e.out.begin(keyOf(index))
	e.out.data()
}

// begin begins the node of an object of a class.
func (e *encoder) begin(class *abi.TypeInfo) {
	e.out.begin(class.Key.Bytes())
	e.out.data()
}

// keyOf returns a view of a type's key.
func keyOf(index int32) []byte { return graph.KeyBytes(index) }

func (e *encoder) object(obj unsafe.Pointer) error {
	if e.Pins.Depth() >= graph.MaxDepth {
		return graph.ErrDepth("ToJSONGraph")
	}
	index := abi.TypeIndexOf(obj)
	e.Pins.Push(obj)
	defer e.Pins.Pop()
	base := len(e.indices)
	defer func() { e.indices = e.indices[:base] }()
	var err error
	switch index {
	case abi.IndexArray:
		err = e.sequence(obj)
	case abi.IndexMap:
		err = e.mapping(obj)
	case abi.IndexList, abi.IndexDict:
		err = e.mutable(obj, index)
	default:
		return e.instance(obj, index)
	}
	if err != nil {
		return err
	}
	e.leaf(index)
	e.out.openArray()
	for _, at := range e.indices[base:] {
		e.out.integer(at)
	}
	e.out.closeArray()
	e.out.end()
	return nil
}

// part appends the number of a value's node to indices.
func (e *encoder) part(v abi.Any) error {
	at, err := e.index(v)
	e.indices = append(e.indices, at)
	return err
}

func (e *encoder) sequence(obj unsafe.Pointer) error {
	for i := 0; ; i++ {
		items := abi.SeqOf(obj).Items() // again for each element: a hook may have changed a List
		if i >= len(items) {
			return nil
		}
		if err := e.part(items[i]); err != nil {
			return err
		}
	}
}

func (e *encoder) mapping(obj unsafe.Pointer) error {
	c := container.MapOf(obj)
	for i := c.First(); i != container.NoBucket; i = c.Next(i) {
		p := c.At(i)
		if err := e.part(p.Key); err != nil {
			return err
		}
		if err := e.part(p.Value); err != nil {
			return err
		}
	}
	return nil
}

// mutable visits the elements of a List or Dict, which may contain itself: that is an error.
func (e *encoder) mutable(obj unsafe.Pointer, index int32) error {
	what := "List"
	if index == abi.IndexDict {
		what = "Dict"
	}
	if inside, _ := e.active.Get(obj); inside != 0 {
		return failure.Value("Cycle detected during serialization: a %s contains itself", what)
	}
	e.active.Set(obj, 1)
	defer e.active.Set(obj, 0)
	if index == abi.IndexList {
		return e.sequence(obj)
	}
	pairs := graph.Pairs(obj)
	defer graph.ReleasePairs(pairs)
	for i := range pairs {
		if err := e.part(pairs[i].Key); err != nil {
			return err
		}
		if err := e.part(pairs[i].Value); err != nil {
			return err
		}
	}
	return nil
}

// instance writes an object of a class: an enum's member, the result of the class's hook, or its fields.
func (e *encoder) instance(obj unsafe.Pointer, index int32) error {
	t := e.Types.Of(index)
	if t.Info.IsA(e.enum) {
		e.begin(t.Info)
		member := graph.EnumOf(obj)
		if t.Info.IsA(e.intEnum) {
			e.out.integer(member.Number)
		} else {
			e.out.str(&member.Name)
		}
		e.out.end()
		return nil
	}
	hook, err := e.toJSON.Function(index)
	if err != nil {
		return err
	}
	if hook != nil {
		return e.hooked(hook, obj, index)
	}
	if !t.CanCreate() {
		return failure.Type("Type `%s` does not support ToJSONGraph (no native creator or __ffi_new__ type attr)", t.Key())
	}
	return e.byFields(t, obj)
}

var encodeHook = graph.Hook{Operation: "ToJSONGraph"}

func (e *encoder) hooked(hook, obj unsafe.Pointer, index int32) error {
	result, err := e.CallHook(&encodeHook, nil, hook, abi.ObjectValue(obj))
	if err != nil {
		return err
	}
	e.leaf(index)
	if err := e.out.value(result); err != nil {
		return err
	}
	e.out.end()
	return nil
}

func (e *encoder) byFields(t *graph.Type, obj unsafe.Pointer) error {
	n, base, first := len(t.Fields), len(e.fields), len(e.indices)
	e.fields = slices.Grow(e.fields, n)[:base+n]
	defer func() { e.fields = e.fields[:base] }()
	if err := t.Read(obj, e.fields[base:base+n]); err != nil {
		return err
	}
	if !t.Plain {
		defer func() { graph.ReleaseAll(e.fields[base : base+n]) }()
	}
	for i := range t.Fields {
		if inline(t.Fields[i].Static) {
			e.indices = append(e.indices, 0)
		} else if err := e.part(e.fields[base+i]); err != nil {
			return err
		}
	}
	e.begin(t.Info)
	e.out.openObject()
	for i := range t.Fields {
		e.out.name(t.Fields[i].Name())
		if !inline(t.Fields[i].Static) {
			e.out.integer(e.indices[first+i])
		} else if err := e.inlineField(t.Fields[i].Static, e.fields[base+i]); err != nil {
			return err
		}
	}
	e.out.closeObject()
	e.out.end()
	return nil
}

// inline reports whether the node of an object has the values of fields of a static type, not the numbers of nodes.
func inline(static int32) bool {
	switch static {
	case abi.IndexNone, abi.IndexBool, abi.IndexInt, abi.IndexFloat, abi.IndexDataType:
		return true
	}
	return false
}

func (e *encoder) inlineField(static int32, v abi.Any) error {
	switch static {
	case abi.IndexBool:
		e.out.boolean(v.Bits != 0)
	case abi.IndexInt:
		if v.TypeIndex == abi.IndexBigInt { // of a uint64: a text, as numbers of JSON have 64 bits with a sign
			e.out.text([]byte(bigint.Of(&v).String()))
			break
		}
		e.out.integer(v.Int64())
	case abi.IndexFloat:
		e.out.float(v.Float64())
	case abi.IndexDataType:
		text, err := graph.DataTypeText(v.DataType())
		if err != nil {
			return err
		}
		e.out.text([]byte(text))
	default:
		e.out.none()
	}
	return nil
}
