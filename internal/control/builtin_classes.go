package control

// #include "builtin_classes.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/accesspath"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// builtinClass describes a class that the runtime registers itself. Its layout is fixed: the ABI's C++ headers compile
// it into other libraries.
type builtinClass struct {
	which  C.int // its number in builtin_classes.h
	key    string
	parent string // "" for ffi.Object
	size   int32  // of an object in bytes, header included
	kind   int32  // structural: abi.SEqHash*
	final  bool
	fields []builtinField
}

// builtinField describes a field of such a class.
type builtinField struct {
	name   string
	kind   C.int // SS_FIELD_* of builtin_classes.h
	offset int64 // from the object's address
	size   int64
	flags  int64
	static int32 // field_static_type_index of its FieldInfo
	schema string
	doc    string
}

const (
	intSchema      = `{"type":"int"}`
	anySchema      = `{"type":"Any"}`
	strSchema      = `{"type":"ffi.String"}`
	objectSchema   = `{"type":"ffi.Object"}`
	optionalObject = `{"type":"Optional","args":[` + objectSchema + `]}`
	objectList     = `{"type":"ffi.List","args":[` + objectSchema + `]}`
)

// builtinClasses lists the classes in the order in which they get their type indices.
var builtinClasses = []builtinClass{
	{C.SS_VISIT_INTERRUPT, "ffi.VisitInterrupt", "", 40, abi.SEqHashUnsupported, true, []builtinField{
		{"value", C.SS_FIELD_ANY, 24, 16, abi.FlagHasDefault, abi.IndexAny, anySchema, ""},
	}},
	{C.SS_ENUM_STATE, "ffi.EnumState", "", 48, abi.SEqHashUnsupported, true, []builtinField{
		{"entries", C.SS_FIELD_LIST, 24, 8, abi.FlagInitOff, abi.IndexList, objectList,
			"Enum singletons in registration order."},
		{"indexes", C.SS_FIELD_DICT, 32, 8, abi.FlagInitOff, abi.IndexObject,
			`{"type":"ffi.Dict","args":[` + anySchema + `,` + objectSchema + `]}`,
			"Canonical integer and string indices to enum singletons."},
		{"attrs", C.SS_FIELD_DICT, 40, 8, abi.FlagInitOff, abi.IndexObject,
			`{"type":"ffi.Dict","args":[` + strSchema + `,{"type":"ffi.Dict","args":[` + objectSchema + `,` + anySchema + `]}]}`,
			"Extensible-attribute columns keyed by enum singleton."},
	}},
	{C.SS_ENUM, "ffi.Enum", "", 48, abi.SEqHashUniqueInstance, false, []builtinField{
		{"_int_index", C.SS_FIELD_INT64, 24, 8, abi.FlagSEqHashIgnore, abi.IndexInt, intSchema, "Canonical integer index."},
		{"_str_index", C.SS_FIELD_STRING, 32, 16, 0, abi.IndexAny, strSchema, "Canonical string index."},
	}},
	{C.SS_INT_ENUM, "ffi.IntEnum", "ffi.Enum", 48, abi.SEqHashUniqueInstance, false, []builtinField{
		{"value", C.SS_FIELD_INT64, 24, 8, abi.FlagSEqHashIgnore | abi.FlagInitOff, abi.IndexInt, intSchema,
			"Canonical integer index."},
	}},
	{C.SS_STR_ENUM, "ffi.StrEnum", "ffi.Enum", 48, abi.SEqHashUniqueInstance, false, []builtinField{
		{"value", C.SS_FIELD_STRING, 32, 16, abi.FlagSEqHashIgnore | abi.FlagInitOff, abi.IndexAny, strSchema,
			"Canonical string index."},
	}},
	{C.SS_ACCESS_STEP, "ffi.reflection.AccessStep", "", accesspath.StepSize, abi.SEqHashConstTreeNode, true, []builtinField{
		{"kind", C.SS_FIELD_INT32, 24, 4, 0, abi.IndexInt, intSchema, ""},
		{"key", C.SS_FIELD_ANY, 32, 16, 0, abi.IndexAny, anySchema, ""},
	}},
	{C.SS_ACCESS_PATH, "ffi.reflection.AccessPath", "", accesspath.PathSize, abi.SEqHashConstTreeNode, true, []builtinField{
		{"parent", C.SS_FIELD_OBJECT, 24, 8, 0, abi.IndexAny, optionalObject, ""},
		{"step", C.SS_FIELD_STEP, 32, 8, 0, abi.IndexAny,
			`{"type":"Optional","args":[{"type":"ffi.reflection.AccessStep"}]}`, ""},
		{"depth", C.SS_FIELD_INT32, 40, 4, 0, abi.IndexInt, intSchema, ""},
	}},
	{C.SS_STRUCTURAL_VISITOR, "ffi.StructuralVisitor", "", 40, abi.SEqHashUnsupported, false, nil},
	{C.SS_VISIT_ERROR_CONTEXT, "ffi.VisitErrorContext", "", 40, abi.SEqHashUnsupported, true, []builtinField{
		{"reverse_visit_pattern", C.SS_FIELD_LIST, 24, 8, 0, abi.IndexList, objectList, ""},
		{"prev_error_context", C.SS_FIELD_OBJECT, 32, 8, 0, abi.IndexAny, optionalObject, ""},
	}},
	{C.SS_STRUCTURAL_MUTATOR, "ffi.StructuralMutator", "", 40, abi.SEqHashUnsupported, false, nil},
	{C.SS_STRUCTURAL_KEY, "ffi.StructuralKey", "", 48, abi.SEqHashUnsupported, true, []builtinField{
		{"key", C.SS_FIELD_ANY, 24, 16, 0, abi.IndexAny, anySchema, ""},
		{"hash_i64", C.SS_FIELD_INT64, 40, 8, 0, abi.IndexInt, intSchema, ""},
	}},
}

// builtinIndices has the type indices of the builtin classes, by their number in builtin_classes.h.
var builtinIndices [C.SS_NUM_BUILTIN_CLASSES]int32

// builtinType returns the type of a builtin class, by its number in builtin_classes.h.
func builtinType(which C.int) *abi.TypeInfo { return plane.TypeAt(builtinIndices[which]).Info() }

// registerBuiltinClasses registers the classes, and gives the packages below runtime the functions and types that they
// use.
func registerBuiltinClasses() error {
	graph.NewFunction = newFunction
	graph.NewBytes = func(content []byte) (abi.Any, error) {
		var pin runtime.Pinner
		defer pin.Unpin()
		if len(content) != 0 {
			pin.Pin(unsafe.SliceData(content))
		}
		return orRaised(plane.NewBytes(&abi.ByteArray{Data: unsafe.Pointer(unsafe.SliceData(content)), Size: uintptr(len(content))}))
	}
	graph.NewShape = newShape
	graph.DataTypeText, graph.ParseDataType = dataTypeText, parseDataType
	for i := range builtinClasses {
		if err := builtinClasses[i].register(); err != nil {
			return err
		}
	}
	known := map[int32]bool{}
	for _, index := range builtinIndices {
		known[index] = true
	}
	graph.Builtin = func(index int32) bool { return known[index] }
	accesspath.StepType, accesspath.PathType = builtinType(C.SS_ACCESS_STEP), builtinType(C.SS_ACCESS_PATH)
	for _, step := range []func() error{registerPathMethods, registerStructuralKey, registerEnumState,
		registerVisiting, registerMutating} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// register registers the class, unless its key has an index already, and its metadata, fields and attributes.
func (c *builtinClass) register() error {
	index := plane.TypeByKey(c.key)
	if index < 0 {
		parent := abi.IndexObject
		if c.parent != "" {
			parent = plane.TypeByKey(c.parent)
		}
		request := typeRequest{key: c.key, static: -1, depth: plane.TypeAt(parent).Info().Depth + 1, canOverflow: !c.final,
			parent: parent}
		var err error
		if index, err = typeIndex(request); err != nil {
			return err
		}
	}
	builtinIndices[c.which] = index
	C.ss_builtin_class(c.which, C.int32_t(index))
	creator := uintptr(C.ss_builtin_creator(c.which))
	err := registerMetadata(index, &abi.TypeMetadata{Creator: creator, TotalSize: c.size, StructuralEqHashKind: c.kind})
	if err != nil {
		return err
	}
	for i := range c.fields {
		if err := c.fields[i].register(index); err != nil {
			return err
		}
	}
	if err := registerAttr(index, "__ffi_type_final__", abi.Bool(c.final)); err != nil {
		return err
	}
	return c.registerCopying(index, creator != 0)
}

// registerCopying registers the attributes that make an object with default fields (__ffi_new__, if the class has a
// creator) or as a copy (__ffi_shallow_copy__).
func (c *builtinClass) registerCopying(index int32, creatable bool) error {
	info := plane.TypeAt(index).Info()
	self := param{c.key, `{"type":"` + c.key + `"}`, func(i int32) bool { return isA(i, info) }}
	if creatable {
		err := registerAttrFunction(index, typed(c.key+".__ffi_new__", returnsObject, func([]abi.Any) (abi.Any, error) {
			return owner(plane.CreateObject(info))
		}))
		if err != nil {
			return err
		}
	}
	return registerAttrFunction(index, typed(c.key+".__ffi_shallow_copy__", returnsObject, func(args []abi.Any) (abi.Any, error) {
		if !creatable {
			return abi.Any{}, errorf("TypeError", "%s.__ffi_shallow_copy__: objects of this class cannot be copied", c.key)
		}
		from := args[0].Pointer()
		h := plane.NewLayout(info, int64(c.size))
		if h == nil {
			return abi.Any{}, errRaised
		}
		plane.CopyLayout(h, from, info)
		return abi.ObjectValue(h), nil
	}, self))
}

// register registers the field with the type of this index.
func (f *builtinField) register(index int32) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	text := func(s string) abi.ByteArray { return pinnedText(&pin, s) }
	return registerField(index, &abi.FieldInfo{
		Name:            text(f.name),
		Doc:             text(f.doc),
		Metadata:        text(schemaMetadata(f.schema)),
		Flags:           f.flags,
		Size:            f.size,
		Alignment:       min(f.size, 8),
		Offset:          f.offset,
		Getter:          uintptr(C.ss_builtin_getter(f.kind)),
		Setter:          C.ss_builtin_setter(f.kind),
		StaticTypeIndex: f.static,
	})
}

// isA reports whether a type index is that of a class or of one of its descendants.
func isA(index int32, base *abi.TypeInfo) bool {
	if index == base.TypeIndex {
		return true
	}
	t := plane.TypeAt(index)
	return t != nil && t.Info().IsA(base)
}

// registerAttrFunction registers a function, whose name is <type key>.<attribute>, as a type attribute.
func registerAttrFunction(index int32, b builtin) error {
	run := b.run
	if !b.packed {
		run = b.checked()
	}
	handle, err := newFunction(run)
	if err != nil {
		return err
	}
	defer plane.DecRef(handle)
	return registerAttr(index, lastName(b.name), abi.ObjectValue(handle))
}

// registerBuiltinMethod registers a function, whose name is <type key>.<method>, as a method of a type.
func registerBuiltinMethod(index int32, b builtin, flags int64, doc string) error {
	handle, err := newBuiltin(b.name, b.checked())
	if err != nil {
		return err
	}
	defer plane.DecRef(handle)
	var pin runtime.Pinner
	defer pin.Unpin()
	text := func(s string) abi.ByteArray { return pinnedText(&pin, s) }
	return registerMethod(index, &abi.MethodInfo{
		Name:     text(lastName(b.name)),
		Doc:      text(doc),
		Metadata: text(b.metadata()),
		Flags:    flags,
		Method:   abi.ObjectValue(handle),
	})
}

// lastName returns the part of a name behind its last dot.
func lastName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

//export ssgo_new_container
func ssgo_new_container(index int32, out *unsafe.Pointer) int32 {
	return guarded(func() (err error) {
		if index == abi.IndexList {
			*out, err = graph.NewList(nil)
		} else {
			*out, err = graph.NewMap(index, nil)
		}
		return err
	})
}
