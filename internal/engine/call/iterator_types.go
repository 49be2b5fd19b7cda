package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
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
// the Function of newIteration.
func seqConv(t reflect.Type, elements []reflect.Type, lookup convLookup) (*conv, error) {
	return namedSeqConv(t, elements, lookup, func() string { return "" })
}

// namedSeqConv makes the conversion that seqConv makes, for an argument that messages give a name, which may be empty.
func namedSeqConv(t reflect.Type, elements []reflect.Type, lookup convLookup, what func() string) (*conv, error) {
	inner, c, err := iteratorConv(elements, lookup)
	if err != nil {
		return nil, err
	}
	yieldType := t.In(0)
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		each, err := iterate(v, len(inner) == 2)
		if err != nil {
			return err
		}
		seq := reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
			err := each(func(item *abi.Any) bool {
				args, err := elementsOf(item, inner, elements)
				if err != nil {
					panic(wrongItem(what(), inner, err))
				}
				return in[0].Call(args)[0].Bool()
			})
			if err != nil {
				panic(err)
			}
			return nil
		})
		reflect.NewAt(t, dst).Elem().Set(seq)
		return nil
	}
	c.named = func(what func() string) *conv {
		named, err := namedSeqConv(t, elements, lookup, what)
		if err != nil {
			return c
		}
		named.goType, named.fast, named.plain = c.goType, c.fast, c.plain
		return named
	}
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		seq := reflect.New(t).Elem()
		seq.Set(reflect.NewAt(t, src).Elem())
		if seq.IsNil() {
			*v = abi.None()
			return nil
		}
		object, err := newIteration(func(yield func(abi.Any, error) bool) {
			loop := reflect.MakeFunc(yieldType, func(in []reflect.Value) []reflect.Value {
				more := yield(elementValue(in, inner))
				return []reflect.Value{reflect.ValueOf(more).Convert(yieldType.Out(0))}
			})
			seq.Call([]reflect.Value{loop})
		})
		if err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return repack(v, iteratorKind(inner))
	}
	return c, nil
}

// iteratorKind returns the kind of the Python value that an iterator becomes: one of pairs returns tuples.
func iteratorKind(inner []*conv) string {
	if len(inner) == 2 {
		return "pairs"
	}
	return "iter"
}

// iteratorConv makes the part of a conversion that iterators and channels share.
func iteratorConv(elements []reflect.Type, lookup convLookup) ([]*conv, *conv, error) {
	var inner []*conv
	c := callConv("", "", nil, nil)
	for _, e := range elements {
		element, err := lookup(e)
		if err != nil {
			return nil, nil, err
		}
		inner = append(inner, element)
		if element.borrows {
			return nil, nil, newError("TypeError", "%s cannot be an element of an iterator, as it is borrowed; use *Handle", e)
		}
	}
	c.traits = keptTraitsOf(inner...)
	c.callsOnly = true
	c.name = func() string { return "Iterable<" + namesOf(inner) + ">" }
	c.schema = func() string {
		if len(inner) == 2 {
			return nestedSchema("go.Iterator", nestedSchema("Tuple", schemasOf(inner)...))
		}
		return nestedSchema("go.Iterator", schemasOf(inner)...)
	}
	c.check = nil
	return inner, c, nil
}

// elementsOf converts an element to the Go values that yield takes.
func elementsOf(item *abi.Any, inner []*conv, types []reflect.Type) ([]reflect.Value, error) {
	items := []abi.Any{*item}
	if len(inner) == 2 {
		if item.TypeIndex != abi.IndexArray && item.TypeIndex != abi.IndexList {
			return nil, mismatched(item)
		}
		if items = abi.SeqOf(item.Pointer()).Items(); len(items) != 2 {
			return nil, wrongSize(len(items))
		}
	}
	args := make([]reflect.Value, len(inner))
	for i, c := range inner {
		memory := reflect.New(types[i])
		if err := c.from(&items[i], memory.UnsafePointer()); err != nil {
			return nil, err
		}
		args[i] = memory.Elem()
	}
	return args, nil
}

// wrongItem makes the error of an element that cannot be converted.
func wrongItem(what string, inner []*conv, err error) error {
	place := "an element of the iterable"
	if what != "" {
		place = what + ": an element"
	}
	m, ok := err.(*mismatch)
	if !ok {
		return inElement(place, err)
	}
	expected := typeWords(inner[0].name())
	if len(inner) == 2 {
		expected = "a pair of " + expected + " and " + typeWords(inner[1].name())
	}
	return newError("TypeError", "%s: expected %s, got %s", place, expected, m.words())
}

// elementValue makes an owned value of what an iterator yields: an Array of two for a pair.
func elementValue(in []reflect.Value, inner []*conv) (abi.Any, error) {
	owned := make([]abi.Any, len(inner))
	for i, c := range inner {
		if err := c.to(addressable(in[i]), &owned[i]); err != nil {
			releaseAll(owned)
			return abi.Any{}, inElement("an element of the iterator", err)
		}
	}
	if len(owned) == 1 {
		return owned[0], nil
	}
	defer func() { releaseAll(owned) }()
	object, err := newContainer(abi.IndexArray, owned)
	return abi.ObjectValue(object), err
}

// chanConv makes the conversion of a channel that is received from: a result, as an iterator of what it receives.
func chanConv(t reflect.Type, lookup convLookup) (*conv, error) {
	inner, c, err := iteratorConv([]reflect.Type{t.Elem()}, lookup)
	if err != nil {
		return nil, err
	}
	c.onlyResult = "can only be a result; take an iter.Seq[" + t.Elem().String() + "], which accepts any iterable"
	c.from = func(v *abi.Any, _ unsafe.Pointer) error { return mismatched(v) }
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		ch := reflect.New(t).Elem()
		ch.Set(reflect.NewAt(t, src).Elem())
		if ch.IsNil() {
			*v = abi.None()
			return nil
		}
		object, err := nativeFunc("channel", func(args []abi.Any, result *abi.Any) error {
			if len(args) > 0 { // the caller stops: there is nothing to end
				*result = abi.None()
				return nil
			}
			return receive(ch, inner[0], result)
		})
		if err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return repack(v, "iter")
	}
	return c, nil
}
