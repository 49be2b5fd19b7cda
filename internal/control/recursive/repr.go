package recursive

import (
	"slices"
	"strconv"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/bigint"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Missing and Kwargs are the marker objects that print as <MISSING> and <KWARGS>. Set by package control.
var Missing, Kwargs unsafe.Pointer

// Repr returns the text of a value (borrowed). With addresses, the text shows the addresses of objects. An object that is
// reached often is printed once and then as "...", when the text would have more than a mebibyte of repetitions.
//
// Errors: ValueError (nested too deep), RecursionError, TypeError (a hook whose result is no string), and those of hooks.
func Repr(value *abi.Any, addresses bool) ([]byte, error) {
	p := printer{addresses: addresses, hooks: graph.Column{Name: "__ffi_repr__", Found: &hooksFound}}
	p.outer.text = make([]byte, 0, 128)
	p.out = &p.outer
	p.Types.Skip = abi.FlagReprOff
	defer p.Release()
	if err := p.value(*value); err != nil {
		return nil, err
	}
	return p.out.text, nil
}

// What later walks need not ask the type table for again.
var (
	hooksFound atomic.Pointer[plane.Column]
	enumFound  atomic.Pointer[abi.TypeInfo]
)

func enumType() *abi.TypeInfo {
	info := enumFound.Load()
	if info == nil {
		info = plane.TypeAt(plane.TypeByKey("ffi.Enum")).Info()
		enumFound.Store(info)
	}
	return info
}

// printer is one walk.
type printer struct {
	graph.Walk
	out       *buffer
	outer     buffer // of the value itself; a hook's parts have others
	addresses bool
	hooks     graph.Column   // __ffi_repr__
	outermost unsafe.Pointer // the object that the value is, which the caller keeps and which ends last
	known     graph.Table    // other objects that may be met again: 1 + position in printed
	printed   []printed
	repeated  int // bytes that were printed before
	depth     int
	values    []abi.Any // memory for the fields of the objects that the walk is inside of
}

// mostRepeated is how many bytes of a text may be those of objects that it has already. What is met again after that is
// printed as "...", as what the walk is inside of. So a text grows with the objects in a value and not with the paths to
// them: 60 Arrays, each twice in the next, have 2 to the 60th.
const mostRepeated = 1 << 20

// buffer is a text that only grows at its end, so that printed may refer to a part of it.
type buffer struct{ text []byte }

// printed says where the text of an object lies.
type printed struct {
	in         *buffer
	start, end int // end is -1 while the walk is inside of the object
}

func (p *printer) put(text string) { p.out.text = append(p.out.text, text...) }

// value prints a value (borrowed).
func (p *printer) value(v abi.Any) error {
	switch v.TypeIndex {
	case abi.IndexNone:
		p.put("None")
	case abi.IndexBool:
		if v.Bits != 0 {
			p.put("True")
		} else {
			p.put("False")
		}
	case abi.IndexInt:
		p.out.text = strconv.AppendInt(p.out.text, v.Int64(), 10)
	case abi.IndexFloat:
		p.out.text = appendFloat(p.out.text, v.Float64())
	case abi.IndexDataType:
		text, err := graph.DataTypeText(v.DataType())
		if err != nil {
			return err
		}
		p.put(text)
	case abi.IndexDevice:
		p.put(v.Device().String())
	case abi.IndexSmallStr, abi.IndexStr:
		content, _, _ := v.Content()
		p.out.text = appendString(p.out.text, content)
	case abi.IndexSmallBytes, abi.IndexBytes:
		content, _, _ := v.Content()
		p.out.text = appendBytes(p.out.text, content)
	default:
		if !v.IsObject() {
			p.put(graph.TypeKey(v.TypeIndex))
			return nil
		}
		return p.object(v.Pointer())
	}
	return nil
}

// object prints an object. If it was printed before, its text is copied, or stands for it as "..." in a text that has many.
func (p *printer) object(obj unsafe.Pointer) error {
	switch obj {
	case Missing:
		p.put("<MISSING>")
		return nil
	case Kwargs:
		p.put("<KWARGS>")
		return nil
	}
	// An object with a single reference cannot be met again, not even in a cycle.
	if abi.StrongCount(obj) == 1 {
		return p.fresh(obj)
	}
	if p.depth == 0 {
		p.outermost = obj
		return p.fresh(obj)
	}
	at, ok := p.known.Get(obj)
	if ok {
		before := p.printed[at-1]
		if before.end >= 0 && p.repeated+before.end-before.start <= mostRepeated {
			p.repeated += before.end - before.start
			p.out.text = append(p.out.text, before.in.text[before.start:before.end]...)
			return nil
		}
	}
	if ok || obj == p.outermost {
		p.put("...")
		if p.addresses {
			p.address(obj)
		}
		return nil
	}
	p.Kept.Keep(obj)
	p.printed = append(p.printed, printed{p.out, len(p.out.text), -1})
	position := len(p.printed)
	p.known.Set(obj, uint64(position))
	if err := p.fresh(obj); err != nil {
		return err
	}
	p.printed[position-1].end = len(p.out.text)
	return nil
}

func (p *printer) address(obj unsafe.Pointer) {
	p.put("@0x")
	p.out.text = strconv.AppendUint(p.out.text, uint64(uintptr(obj)), 16)
}

// fresh prints an object that the walk has not met before.
func (p *printer) fresh(obj unsafe.Pointer) error {
	if p.depth >= graph.MaxDepth {
		return graph.ErrDepth("ReprPrint")
	}
	p.depth++
	p.Pins.Push(obj)
	err := p.body(obj)
	p.Pins.Pop()
	p.depth--
	return err
}

// body prints an object with its class's hook, or its content when it has none.
func (p *printer) body(obj unsafe.Pointer) error {
	index := abi.TypeIndexOf(obj)
	switch index {
	case abi.IndexBigInt:
		p.bigInt(obj)
		return nil
	case abi.IndexTensor:
		return p.tensor(obj)
	case abi.IndexShape:
		p.shape(obj)
		return nil
	}
	hook, err := p.hooks.Function(index)
	if err != nil {
		return err
	}
	suffix := p.addresses
	switch {
	case hook != nil:
		err = p.hooked(hook, obj)
		suffix = suffix && (index == abi.IndexArray || index == abi.IndexList || index == abi.IndexMap || index == abi.IndexDict)
	case index == abi.IndexArray:
		err = p.sequence(obj, "(", ")")
	case index == abi.IndexList:
		err = p.sequence(obj, "[", "]")
	case index == abi.IndexMap || index == abi.IndexDict:
		err = p.mapping(obj)
	default:
		var enum bool
		enum, err = p.instance(obj, index)
		suffix = suffix && enum
	}
	if err == nil && suffix {
		p.address(obj)
	}
	return err
}

func (p *printer) sequence(obj unsafe.Pointer, open, end string) error {
	p.put(open)
	n := 0
	for items := abi.SeqOf(obj).Items(); n < len(items); items = abi.SeqOf(obj).Items() {
		if n != 0 {
			p.put(", ")
		}
		if err := p.value(items[n]); err != nil {
			return err
		}
		n++
	}
	if n == 1 && open == "(" {
		p.put(",")
	}
	p.put(end)
	return nil
}

func (p *printer) mapping(obj unsafe.Pointer) error {
	p.put("{")
	pairs := graph.Pairs(obj)
	defer graph.ReleasePairs(pairs)
	for i := range pairs {
		if i != 0 {
			p.put(", ")
		}
		if err := p.value(pairs[i].Key); err != nil {
			return err
		}
		p.put(": ")
		if err := p.value(pairs[i].Value); err != nil {
			return err
		}
	}
	p.put("}")
	return nil
}

// instance prints an object of a class: its fields, or the name of an enum's member.
func (p *printer) instance(obj unsafe.Pointer, index int32) (enum bool, err error) {
	t := p.Types.Of(index)
	p.put(t.Key())
	if t.Info.IsA(enumType()) {
		content, _, _ := graph.EnumOf(obj).Name.Content()
		p.put(".")
		p.out.text = append(p.out.text, content...)
		return true, nil
	}
	if p.addresses {
		p.address(obj)
	}
	if len(t.Fields) == 0 {
		return false, nil
	}
	before := len(p.values)
	p.values = slices.Grow(p.values, len(t.Fields))[:before+len(t.Fields)]
	values := p.values[before:] // what grows the memory later leaves these where they are
	defer func() { p.values = p.values[:before] }()
	if err := t.Read(obj, values); err != nil {
		return false, err
	}
	if !t.Plain {
		defer graph.ReleaseAll(values)
	}
	p.put("(")
	first := true
	for i := range t.Fields {
		if named(t.Fields[:i], t.Fields[i].Name()) {
			continue
		}
		if !first {
			p.put(", ")
		}
		first = false
		p.out.text = append(p.out.text, t.Fields[i].Name()...)
		p.put("=")
		if err := p.value(values[i]); err != nil {
			return false, err
		}
	}
	p.put(")")
	return false, nil
}

// named reports whether one of the fields has a name.
func named(fields []graph.Field, name []byte) bool {
	for i := range fields {
		if string(fields[i].Name()) == string(name) {
			return true
		}
	}
	return false
}

var reprHook = graph.Hook{Operation: "ReprPrint", Callback: "__ffi_repr__ callback"}

// OwnHook formats an object of a class of the runtime as its hook __ffi_repr__ does; repr formats the object's parts.
type OwnHook = func(obj unsafe.Pointer, repr func(*abi.Any) (string, error)) (string, error)

// OwnHooks are the hooks that are Go functions of the runtime, by the address of their Function. A walk calls them without
// leaving Go. Set by package control while it starts.
var OwnHooks = map[unsafe.Pointer]OwnHook{}

func (p *printer) hooked(hook, obj unsafe.Pointer) error {
	if own := OwnHooks[hook]; own != nil {
		text, err := own(obj, func(value *abi.Any) (string, error) {
			text, err := p.part(value)
			return graph.View(text), err
		})
		p.put(text)
		return err
	}
	result, err := p.CallHook(&reprHook, p.fromHook, hook, abi.ObjectValue(obj))
	if err != nil {
		return err
	}
	defer graph.Release(result)
	content, isBytes, ok := result.Content()
	if !ok || isBytes {
		return failure.Type("Cannot convert from type `%s` to `str`: result of `__ffi_repr__`", graph.Key(&result))
	}
	p.out.text = append(p.out.text, content...)
	return nil
}

// part formats a part for a hook.
func (p *printer) part(value *abi.Any) ([]byte, error) {
	before := p.out
	p.out = &buffer{}
	defer func() { p.out = before }()
	err := p.value(*value)
	return p.out.text, err
}

// fromHook formats a part for a hook that is foreign code.
func (p *printer) fromHook(value abi.Any) (abi.Any, error) {
	text, err := p.part(&value)
	if err != nil {
		return abi.Any{}, err
	}
	return graph.NewText(text)
}

func (p *printer) numbers(numbers []int64) {
	for i, n := range numbers {
		if i != 0 {
			p.put(", ")
		}
		p.out.text = strconv.AppendInt(p.out.text, n, 10)
	}
}

func (p *printer) shape(obj unsafe.Pointer) {
	p.put("Shape(")
	p.numbers(graph.Shape(obj))
	p.put(")")
}

func (p *printer) tensor(obj unsafe.Pointer) error {
	t := graph.TensorOf(obj)
	text, err := graph.DataTypeText(t.DType)
	if err != nil {
		return err
	}
	p.put(text + "[")
	p.numbers(t.Dims())
	p.put("]@")
	p.put(t.Device.String())
	if p.addresses {
		p.address(obj)
	}
	return nil
}

func (p *printer) bigInt(obj unsafe.Pointer) {
	value := abi.ObjectValue(obj)
	p.put(bigint.Of(&value).String())
}
