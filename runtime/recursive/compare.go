package recursive

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// Equal reports whether two values (borrowed) are equal. Objects of different classes are different, and NaN equals NaN.
// Where the walk meets a pair of objects inside itself (a cycle), the pair counts as equal.
//
// Errors: ValueError (nested too deep), RecursionError, and those of hooks.
func Equal(a, b *abi.Any) (bool, error) {
	c := comparison{equality: true}
	order, err := c.run(*a, *b)
	return order == 0, err
}

// Compare returns the order of two values (borrowed): negative, 0 or positive.
//
// Errors: TypeError (values that have no order), ValueError (a cycle, nested too deep), RecursionError, and those of
// hooks.
func Compare(a, b *abi.Any) (int, error) {
	var c comparison
	return c.run(*a, *b)
}

// comparison is one walk. With equality set, an order other than 0 means "different".
type comparison struct {
	graph.Walk
	equality bool
	eq, cmp  graph.Column
	asksEq   bool                // the hook that runs asks whether its parts are equal, not for their order
	inside   map[[2]uintptr]bool // the pairs of shared objects that the walk is inside of
	fields   []abi.Any
}

func (c *comparison) run(a, b abi.Any) (int, error) {
	c.Types.Skip = abi.FlagCompareOff
	c.eq.Name, c.cmp.Name = "__ffi_eq__", "__ffi_compare__"
	defer c.Release()
	return c.values(a, b)
}

// values compares two values (borrowed).
func (c *comparison) values(a, b abi.Any) (int, error) {
	x, y := a.TypeIndex, b.TypeIndex
	switch {
	case x == abi.IndexNone || y == abi.IndexNone:
		return cmp.Compare(min(x, 1), min(y, 1)), nil
	case graph.IsString(x) && graph.IsString(y), graph.IsBytes(x) && graph.IsBytes(y):
		p, _, _ := a.Content()
		q, _, _ := b.Content()
		return bytes.Compare(p, q), nil
	case isInteger(x) && isInteger(y) && (x == abi.IndexBigInt || y == abi.IndexBigInt):
		if x != y && c.equality {
			return 1, nil
		}
		return compareWords(words(&a), words(&b)), nil
	case x != y:
		return c.different(fault.Type("Cannot compare values of different types: %s vs %s", graph.Key(&a), graph.Key(&b)))
	case x < abi.IndexStaticObjectBegin:
		return c.plain(&a, &b)
	case a.Bits == b.Bits:
		return 0, nil
	case x == abi.IndexShape:
		return slices.Compare(graph.Shape(a.Pointer()), graph.Shape(b.Pointer())), nil
	}
	return c.objects(a.Pointer(), b.Pointer())
}

// different returns the result for values that have no order: "different", or the error when an order is asked for.
func (c *comparison) different(err error) (int, error) {
	if c.equality {
		return 1, nil
	}
	return 0, err
}

func isInteger(index int32) bool { return index == abi.IndexInt || index == abi.IndexBigInt }

// words returns the words of an integer, the least significant first.
func words(a *abi.Any) []int64 {
	if a.TypeIndex == abi.IndexInt {
		return []int64{a.Int64()}
	}
	return graph.BigWords(a.Pointer())
}

// compareWords compares two numbers in two's complement, the least significant word first. The numbers must have as few
// words as possible.
func compareWords(a, b []int64) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	top, other := a[len(a)-1], b[len(b)-1]
	if len(a) != len(b) {
		// The longer one is further from 0.
		if len(a) > len(b) {
			return sign(top)
		}
		return -sign(other)
	}
	if top != other {
		return cmp.Compare(top, other)
	}
	for i := len(a) - 2; i >= 0; i-- {
		if a[i] != b[i] {
			return cmp.Compare(uint64(a[i]), uint64(b[i]))
		}
	}
	return 0
}

func sign(v int64) int {
	if v < 0 {
		return -1
	}
	return 1
}

// plain compares two values of one type that are no objects.
func (c *comparison) plain(a, b *abi.Any) (int, error) {
	switch a.TypeIndex {
	case abi.IndexInt, abi.IndexBool:
		return cmp.Compare(a.Int64(), b.Int64()), nil
	case abi.IndexFloat:
		x, y := a.Float64(), b.Float64()
		if math.IsNaN(x) && math.IsNaN(y) && c.equality {
			return 0, nil
		}
		if math.IsNaN(x) || math.IsNaN(y) {
			return c.different(fault.Type("Cannot order NaN values"))
		}
		return cmp.Compare(x, y), nil
	case abi.IndexDataType:
		x, y := a.DataType(), b.DataType()
		return cmp.Or(cmp.Compare(x.Code, y.Code), cmp.Compare(x.Bits, y.Bits), cmp.Compare(x.Lanes, y.Lanes)), nil
	case abi.IndexDevice:
		x, y := a.Device(), b.Device()
		return cmp.Or(cmp.Compare(x.Type, y.Type), cmp.Compare(x.ID, y.ID)), nil
	}
	if *a == *b {
		return 0, nil
	}
	return c.different(fault.Type("Cannot order values of type %s", graph.Key(a)))
}

// objects compares two objects of one type.
func (c *comparison) objects(a, b unsafe.Pointer) (int, error) {
	if c.Pins.Depth() >= 2*graph.MaxDepth {
		return 0, graph.ErrDepth("RecursiveCompare")
	}
	// A pair can be met again only if both objects have several references.
	pair := [2]uintptr{uintptr(a), uintptr(b)}
	shared := abi.StrongCount(a) > 1 && abi.StrongCount(b) > 1
	if shared {
		if c.inside[pair] {
			if c.equality {
				return 0, nil
			}
			return 0, fault.Value("RecursiveCompare: cyclic reference detected in ordering")
		}
		if c.inside == nil {
			c.inside = map[[2]uintptr]bool{}
		}
		c.inside[pair] = true
		defer delete(c.inside, pair)
	}
	c.Pins.Push(a)
	c.Pins.Push(b)
	defer c.Pins.Pop()
	defer c.Pins.Pop()
	switch index := abi.TypeIndexOf(a); index {
	case abi.IndexArray, abi.IndexList:
		return c.sequences(a, b)
	case abi.IndexMap, abi.IndexDict:
		return c.maps(a, b)
	default:
		return c.instances(a, b, index)
	}
}

func (c *comparison) sequences(a, b unsafe.Pointer) (int, error) {
	for i := 0; ; i++ {
		x, y := abi.SeqOf(a).Items(), abi.SeqOf(b).Items() // again for each element: a hook may have changed a List
		if i >= len(x) || i >= len(y) {
			return cmp.Compare(len(x), len(y)), nil
		}
		if order, err := c.values(x[i], y[i]); order != 0 || err != nil {
			return order, err
		}
	}
}

func (c *comparison) maps(a, b unsafe.Pointer) (int, error) {
	noOrder := fault.Type("Cannot order Map/Dict values")
	x := container.MapOf(a)
	if x.Size != container.MapOf(b).Size {
		return c.different(noOrder)
	}
	pairs := graph.Pairs(a)
	defer graph.ReleasePairs(pairs)
	others := make([]abi.Any, 0, len(pairs))
	defer func() { graph.ReleaseAll(others) }()
	for i := range pairs {
		if pairs[i].Key.TypeIndex > abi.IndexBytes {
			c.Pins.Pin() // its class may have a hook for its hash
		}
		other, err := graph.Containers.Find(b, &pairs[i].Key)
		if err != nil {
			return 0, err
		}
		if other == nil {
			return c.different(noOrder)
		}
		others = append(others, graph.Retain(other.Value))
	}
	for i := range pairs {
		order, err := c.values(pairs[i].Value, others[i])
		if err != nil {
			return 0, err
		}
		if order != 0 {
			return c.different(noOrder)
		}
	}
	return 0, nil
}

// instances compares two objects of a class with the class's hook, or field by field when it has none.
func (c *comparison) instances(a, b unsafe.Pointer, index int32) (int, error) {
	if index >= abi.IndexStaticObjectEnd {
		hook, isEq, err := c.hook(index)
		if err != nil {
			return 0, err
		}
		if hook != nil {
			return c.hooked(hook, isEq, a, b)
		}
	}
	t := c.Types.Of(index)
	n, base := len(t.Fields), len(c.fields)
	c.fields = slices.Grow(c.fields, 2*n)[:base+2*n]
	defer func() { c.fields = c.fields[:base] }()
	if err := t.ReadPair(a, b, c.fields[base:base+n], c.fields[base+n:base+2*n]); err != nil {
		return 0, err
	}
	if !t.Plain {
		defer func() { graph.ReleaseAll(c.fields[base : base+2*n]) }()
	}
	for i := range n {
		if order, err := c.values(c.fields[base+i], c.fields[base+n+i]); order != 0 || err != nil {
			return order, err
		}
	}
	return 0, nil
}

// hook returns the class's hook for the comparison, borrowed, nil when it has none. isEq says that it is __ffi_eq__.
func (c *comparison) hook(index int32) (hook unsafe.Pointer, isEq bool, err error) {
	if c.equality {
		if hook, err = c.eq.Function(index); hook != nil || err != nil {
			return hook, true, err
		}
	}
	hook, err = c.cmp.Function(index)
	return hook, false, err
}

var compareHook = graph.Hook{
	Operation: "RecursiveCompare", Result: "result of a comparison hook",
	Callback: "comparison callback", Values: 2, Args: 2,
}

func (c *comparison) hooked(hook unsafe.Pointer, isEq bool, a, b unsafe.Pointer) (int, error) {
	asksEq := c.asksEq
	c.asksEq = isEq
	v, err := c.CallIntHook(&compareHook, c.fromHook, hook, abi.ObjectValue(a), abi.ObjectValue(b))
	c.asksEq = asksEq
	switch {
	case err != nil:
		return 0, err
	case !isEq:
		return cmp.Compare(v, 0), nil
	case v != 0:
		return 0, nil
	}
	return 1, nil
}

// fromHook compares two parts for a hook: whether they are equal, or their order.
func (c *comparison) fromHook(a, b abi.Any, _ []abi.Any) (abi.Any, error) {
	asksEq := c.asksEq
	order, err := c.values(a, b)
	c.asksEq = asksEq
	if asksEq {
		return abi.Bool(order == 0), err
	}
	return abi.Int(int64(order)), err
}
