package call

import (
	"cmp"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Conversions of iter.Seq, iter.Seq2 and channels.

// seqElements returns the element types of an iterator type such as iter.Seq2[K, V]; nil for any other func type.
func seqElements(t reflect.Type) []reflect.Type {
	if t.Kind() != reflect.Func || t.NumIn() != 1 || t.NumOut() != 0 || t.IsVariadic() {
		return nil
	}
	yield := t.In(0)
	if yield.Kind() != reflect.Func || yield.NumOut() != 1 || yield.Out(0).Kind() != reflect.Bool || yield.IsVariadic() ||
		yield.NumIn() < 1 || yield.NumIn() > 2 {
		return nil
	}
	elements := []reflect.Type{yield.In(0)}
	if yield.NumIn() == 2 {
		elements = append(elements, yield.In(1))
	}
	return elements
}

// seqConv makes the conversion of an iterator type: any iterable as a parameter, an iterator as a result. Its native form is
// the Function of newIteration. An iter.Seq2[T, error] iterates over values of T: an error that Go yields is raised and ends
// the loop, and the error of an iterable is yielded as the last pair.
func seqConv(t reflect.Type, elements []reflect.Type, lookup convert.Lookup) (*convert.Conv, error) {
	return namedSeqConv(t, elements, lookup, func() string { return "" }, false)
}

// namedSeqConv makes the conversion that seqConv makes, for an argument that messages give a name, which may be empty. lazy:
// the elements are made one at a time.
func namedSeqConv(t reflect.Type, yields []reflect.Type, lookup convert.Lookup, what func() string, lazy bool) (*convert.Conv,
	error,
) {
	elements, fails := yields, len(yields) == 2 && yields[1] == convert.ErrorType
	if fails {
		elements = yields[:1]
	}
	inner, c, err := iteratorConv(elements, lookup)
	if err != nil {
		return nil, err
	}
	loops, typed := loopsFor(elements[0])
	typed = typed && len(inner) == 1
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		each, err := iterate(v, len(inner) == 2, lazy)
		if err != nil {
			return err
		}
		if typed {
			from := source{each, func(n int, err error) error { return wrongItem(what(), n, inner, err) }}
			if fails {
				loops.inFailing(dst, inner[0], from)
			} else {
				loops.in(dst, inner[0], from)
			}
			return nil
		}
		seq := reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
			var failure error
			n := -1
			err := each(func(item *abi.Any) bool {
				n++
				args, err := elementsOf(item, inner, elements)
				if err != nil {
					failure = wrongItem(what(), n, inner, err)
					return false
				}
				if fails {
					args = append(args, reflect.Zero(convert.ErrorType))
				}
				return in[0].Call(args)[0].Bool()
			})
			if failure = cmp.Or(failure, err); failure != nil {
				if !fails {
					panic(failure)
				}
				in[0].Call([]reflect.Value{reflect.Zero(elements[0]), reflect.ValueOf(&failure).Elem()})
			}
			return nil
		})
		reflect.NewAt(t, dst).Elem().Set(seq)
		return nil
	}
	if len(yields) == 1 || fails {
		if form := convert.RowsForm(reflect.SliceOf(elements[0])); form != nil {
			c.Schema = func() string { return rowsSchema("go.Iterator", inner[0]) }
		}
	}
	again := func(what func() string, lazy bool) *convert.Conv {
		made, err := namedSeqConv(t, yields, lookup, what, lazy)
		if err != nil {
			return c
		}
		return made.InPlaceOf(c)
	}
	c.Named = func(what func() string) *convert.Conv {
		return again(what, lazy)
	}
	c.To = seqToNative(t, inner, fails, lazy)
	c.Lazily = func() *convert.Conv { return again(what, true) }
	return c, nil
}

// seqToNative makes the conversion of an iterator type's results.
func seqToNative(t reflect.Type, inner []*convert.Conv, fails, lazy bool) func(src unsafe.Pointer, v *abi.Any) error {
	yieldType := t.In(0)
	loops, typed := loopsFor(yieldType.In(0))
	typed = typed && yieldType.NumIn() == 1
	kind := iteratorKind(inner)
	form := convert.RowsForm(reflect.SliceOf(yieldType.In(0)))
	if len(inner) != 1 {
		form = nil
	} else if form != nil {
		kind = "rowiter"
	}
	return func(src unsafe.Pointer, v *abi.Any) error {
		seq := reflect.New(t).Elem()
		seq.Set(reflect.NewAt(t, src).Elem())
		if seq.IsNil() {
			*v = abi.None()
			return nil
		}
		all := func(use func(in []reflect.Value, err error) bool) {
			loop := reflect.MakeFunc(yieldType, func(in []reflect.Value) []reflect.Value {
				var err error
				if fails && !in[1].IsNil() {
					err = in[1].Interface().(error)
				}
				more := use(in[:len(inner)], err) && err == nil
				return []reflect.Value{reflect.ValueOf(more).Convert(yieldType.Out(0))}
			})
			seq.Call([]reflect.Value{loop})
		}
		var rows *rowLoop
		if form != nil {
			rows = &rowLoop{form: form, loop: func(yield func(row reflect.Value, err error) bool) {
				all(func(in []reflect.Value, err error) bool { return yield(in[0], err) })
			}}
		}
		object, err := newIteration(lazy, rows, func(it *iteration, yield func(abi.Any, error) bool) {
			if typed {
				loops.out(seq.Addr().UnsafePointer(), it.elementTo(inner[0]), yield)
				return
			}
			all(func(in []reflect.Value, err error) bool {
				if err != nil {
					return yield(abi.Any{}, err)
				}
				return yield(elementValue(in, inner))
			})
		})
		if err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return convert.Repack(v, kind)
	}
}

// inIterator says of an error that an element of an iterator has it.
func inIterator(err error) error { return convert.InElement("an element of the iterator", err) }

// iteratorKind returns the kind of the Python value that an iterator becomes: one of pairs returns tuples.
func iteratorKind(inner []*convert.Conv) string {
	if len(inner) == 2 {
		return "pairs"
	}
	return "iter"
}

// iteratorConv makes the part of a conversion that iterators and channels share.
func iteratorConv(elements []reflect.Type, lookup convert.Lookup) ([]*convert.Conv, *convert.Conv, error) {
	var inner []*convert.Conv
	c := convert.CallConv("", "", nil, nil)
	for _, e := range elements {
		element, err := lookup(e)
		if err != nil {
			return nil, nil, err
		}
		inner = append(inner, element)
		if element.Borrows {
			return nil, nil, fault.New("TypeError", "%s cannot be an element of an iterator, as it is borrowed; use *Handle", e)
		}
	}
	c.Traits = convert.KeptTraitsOf(inner...)
	c.CallsOnly = true
	c.Name = func() string { return "Iterable<" + convert.NamesOf(inner) + ">" }
	c.Schema = func() string {
		if len(inner) == 2 {
			return convert.NestedSchema("go.Iterator", convert.NestedSchema("Tuple", convert.SchemasOf(inner)...))
		}
		return convert.NestedSchema("go.Iterator", convert.SchemasOf(inner)...)
	}
	c.Check = nil
	return inner, c, nil
}

// elementsOf converts an element to the Go values that yield takes.
func elementsOf(item *abi.Any, inner []*convert.Conv, types []reflect.Type) ([]reflect.Value, error) {
	items := []abi.Any{*item}
	if len(inner) == 2 {
		if item.TypeIndex != abi.IndexArray && item.TypeIndex != abi.IndexList {
			return nil, convert.Mismatched(item)
		}
		if items = abi.SeqOf(item.Pointer()).Items(); len(items) != 2 {
			return nil, convert.WrongSize(len(items))
		}
	}
	args := make([]reflect.Value, len(inner))
	for i, c := range inner {
		memory := reflect.New(types[i])
		if err := c.From(&items[i], memory.UnsafePointer()); err != nil {
			return nil, err
		}
		args[i] = memory.Elem()
	}
	return args, nil
}

// wrongItem makes the error of the element with number n, which cannot be converted.
func wrongItem(what string, n int, inner []*convert.Conv, err error) error {
	place := fmt.Sprintf("element %d", n)
	if what == "" {
		place += " of the iterable"
	} else {
		place = what + ": " + place
	}
	m, ok := err.(*convert.Mismatch)
	if !ok {
		return convert.InElement(place, err)
	}
	expected := convert.TypeWords(inner[0].Name())
	if len(inner) == 2 {
		expected = "a pair of " + expected + " and " + convert.TypeWords(inner[1].Name())
	}
	return convert.InElement(place, m.RefusedFor("", expected))
}

// elementValue makes an owned value of what an iterator yields: an Array of two for a pair.
func elementValue(in []reflect.Value, inner []*convert.Conv) (abi.Any, error) {
	owned := make([]abi.Any, len(inner))
	for i, c := range inner {
		if err := c.To(addressable(in[i]), &owned[i]); err != nil {
			values.ReleaseAll(owned)
			return abi.Any{}, inIterator(err)
		}
	}
	if len(owned) == 1 {
		return owned[0], nil
	}
	defer func() { values.ReleaseAll(owned) }()
	return values.Container(abi.IndexArray, owned)
}

// chanConv makes the conversion of a channel that is received from: a result, as an iterator of what it receives.
func chanConv(t reflect.Type, lookup convert.Lookup) (*convert.Conv, error) {
	inner, c, err := iteratorConv([]reflect.Type{t.Elem()}, lookup)
	if err != nil {
		return nil, err
	}
	c.OnlyResult = "can only be a result; take an iter.Seq[" + t.Elem().String() + "], which accepts any iterable"
	c.From = func(v *abi.Any, _ unsafe.Pointer) error { return convert.Mismatched(v) }
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		ch := reflect.New(t).Elem()
		ch.Set(reflect.NewAt(t, src).Elem())
		if ch.IsNil() {
			*v = abi.None()
			return nil
		}
		var mu sync.Mutex
		var failure error // guarded by mu: of a value that came after others, for the next call
		next := func(args []abi.Any, result *abi.Any) error {
			mu.Lock()
			err := failure
			failure = nil
			mu.Unlock()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return receive(ch, inner[0], result)
			}
			err, after := receiveBatch(ch, inner[0], args[0].Int64(), result)
			mu.Lock()
			failure = after
			mu.Unlock()
			return err
		}
		var object unsafe.Pointer
		var share *handles.Share // set before any other code has the Function
		var err error
		ctx := holdContext()
		object, share, err = sharingFunc("channel", func(args []abi.Any, result *abi.Any) (err error) {
			if len(args) > 0 && args[0].TypeIndex != abi.IndexInt { // the caller stops
				*result = abi.None()
			} else if err = next(args, result); err == nil {
				return nil
			}
			share.End()
			ctx.end()
			return err
		})
		if err != nil {
			ctx.end()
			return err
		}
		*v = abi.ObjectValue(object)
		return convert.Repack(v, "iter")
	}
	return c, nil
}
