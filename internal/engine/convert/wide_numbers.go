package convert

import (
	"fmt"
	"math/big"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Conversions of complex numbers, big integers, pointers to numbers, bools and strings, and arrays.

var bigIntType = reflect.TypeFor[*big.Int]()

// complexConv makes the conversion of complex64 or complex128: a complex; a number is accepted. Its native form is an Array
// of the real and the imaginary part.
func complexConv(t reflect.Type) *Conv {
	check := checkFloat[float64]
	if t.Kind() == reflect.Complex64 {
		check = checkFloat[float32]
	}
	return CallConv("complex", "go.Complex",
		func(p unsafe.Pointer, v *abi.Any) error {
			set := func(x complex128) { reflect.NewAt(t, p).Elem().SetComplex(x) }
			if v.TypeIndex == abi.IndexFloat || v.TypeIndex == abi.IndexBigInt || CheckIntLike(v) == nil {
				if err := check(v); err != nil {
					return err
				}
				set(complex(number(v), 0))
				return nil
			}
			return unpackItems("complex", v, 2, func(items []abi.Any) error {
				for i := range items[:2] {
					if err := check(&items[i]); err != nil {
						return AtIndex("Array", i, err)
					}
				}
				set(complex(number(&items[0]), number(&items[1])))
				return nil
			})
		},
		func(p unsafe.Pointer, v *abi.Any) error {
			x := reflect.NewAt(t, p).Elem().Complex()
			return PackItems(v, "complex", abi.Float(real(x)), abi.Float(imag(x)))
		})
}

// number returns the nearest value of a float, an int or a bool.
func number(v *abi.Any) float64 {
	switch v.TypeIndex {
	case abi.IndexFloat:
		return v.Float64()
	case abi.IndexBigInt:
		return nearest[float64](v)
	}
	return float64(v.Int64())
}

// bigIntConv makes the conversion of *big.Int: an int of any size, which is a BigInt beyond 64 bits. nil is None.
func bigIntConv() *Conv {
	return CallConv("int", "ffi.BigInt",
		func(p unsafe.Pointer, v *abi.Any) error {
			switch {
			case v.TypeIndex == abi.IndexBigInt:
				*(**big.Int)(p) = abi.BigIntOf(v.Pointer()).Int()
			case CheckIntLike(v) == nil:
				*(**big.Int)(p) = big.NewInt(v.Int64())
			default:
				return Mismatched(v)
			}
			return nil
		},
		func(p unsafe.Pointer, v *abi.Any) error {
			x := *(**big.Int)(p)
			switch {
			case x == nil:
				*v = abi.None()
				return nil
			case x.IsInt64():
				*v = abi.Int(x.Int64())
				return nil
			}
			return putBigInt(x, v)
		})
}

// putBigInt makes *v a BigInt. No function of the C ABI makes one; the reader of JSON graphs does.
func putBigInt(x *big.Int, v *abi.Any) error {
	f, err := values.GlobalFunction("ffi.FromJSONGraphString")
	if err != nil {
		return err
	}
	text, err := values.NewText(`{"root_index":0,"nodes":[{"type":"ffi.BigInt","data":"` + x.String() + `"}]}`)
	if err != nil {
		return err
	}
	defer values.Release(text)
	made, err := values.CallValues(f, []abi.Any{text})
	if err == nil {
		*v = made
	}
	return err
}

// pointerToConv makes the conversion of a pointer to a number, bool or string: None is nil, any other value becomes a
// new variable.
func pointerToConv(t reflect.Type, lookup Lookup) (*Conv, error) {
	inner, err := lookup(t.Elem())
	if err != nil {
		return nil, err
	}
	c := OptionalConv(inner)
	c.CallsOnly = true
	c.SetFrom(func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		*(*unsafe.Pointer)(dst) = nil
		if v.TypeIndex == abi.IndexNone {
			return nil
		}
		variable := reflect.New(t.Elem())
		if err := inner.Lend(v, variable.UnsafePointer(), lent); err != nil {
			return err
		}
		reflect.NewAt(t, dst).Elem().Set(variable)
		return nil
	}, inner)
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		at := *(*unsafe.Pointer)(src)
		if at == nil {
			*v = abi.None()
			return nil
		}
		return inner.To(at, v)
	}
	return c, nil
}

// arrayConv makes the conversion of a Go array: an Array of exactly as many elements, by copy, or what a slice of such elements is
// copied from.
func arrayConv(t reflect.Type, lookup Lookup) (*Conv, error) {
	slice := reflect.SliceOf(t.Elem())
	inner, err := SliceConv(slice, lookup)
	if err != nil {
		return nil, err
	}
	made := *inner
	made.CallsOnly, made.Lends, made.LendsNumbers, made.tensor = true, false, false, nil
	made.Element = nil
	made.toPython = nil // it reads a slice
	made.Name = func() string { return fmt.Sprintf("%s of %d elements", inner.Name(), t.Len()) }
	// copied stores at dst the elements of a slice that read fills.
	copied := func(dst unsafe.Pointer, read func(items unsafe.Pointer) error) error {
		items := reflect.New(slice)
		if err := read(items.UnsafePointer()); err != nil {
			return err
		}
		reflect.Copy(reflect.NewAt(t, dst).Elem(), items.Elem())
		return nil
	}
	checkExtent := func(tensor *abi.DLTensor) error {
		if extents := tensor.Extents(); len(extents) == inner.tensor.dims && extents[0] != int64(t.Len()) {
			return WrongSize(int(extents[0]))
		}
		return nil
	}
	if inner.tensor != nil {
		made.tensor = &copyTensor{inner.tensor.dims, func(tensor *abi.DLTensor, dst unsafe.Pointer) error {
			if err := checkExtent(tensor); err != nil {
				return err
			}
			return copied(dst, func(items unsafe.Pointer) error { return inner.tensor.from(tensor, items) })
		}, inner.tensor.ofAny}
	}
	checkLen := func(v *abi.Any) error {
		if tensor, ok := TensorIn(v); ok && inner.tensor != nil {
			return checkExtent(tensor)
		}
		if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
			return Mismatched(v)
		}
		if n := len(abi.SeqOf(v.Pointer()).Items()); n != t.Len() {
			return WrongSize(n)
		}
		return nil
	}
	made.Check = func(v *abi.Any) error {
		if err := checkLen(v); err != nil {
			return err
		}
		return inner.Check(v)
	}
	made.SetFrom(func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		if err := checkLen(v); err != nil {
			return err
		}
		return copied(dst, func(items unsafe.Pointer) error { return inner.Lend(v, items, lent) })
	}, inner)
	made.To = func(src unsafe.Pointer, v *abi.Any) error {
		items := reflect.New(slice)
		items.Elem().Set(reflect.NewAt(t, src).Elem().Slice(0, t.Len()))
		return inner.To(items.UnsafePointer(), v)
	}
	if t.Elem().Kind() == reflect.Uint8 {
		made.crossAsBytes(t.Len())
	}
	return &made, nil
}

// crossAsBytes changes the conversion of an array of n bytes: they cross as bytes, and are copied from bytes beside what other arrays
// are copied from.
func (c *Conv) crossAsBytes(n int) {
	_, c.Schema = constant("bytes", "ffi.Bytes")
	c.Name = func() string { return fmt.Sprintf("bytes of length %d", n) }
	c.Type = KindType(bridge.KindAny, "bytes") // an Array of numbers is accepted as well
	c.CopiesBytes = true
	ofElements, toElements := c.Check, c.From
	c.Check = func(v *abi.Any) error {
		if checkBytes(v) != nil {
			return ofElements(v)
		}
		if content, _, ok := v.Content(); ok && len(content) != n {
			return wrongLength(len(content))
		}
		return nil
	}
	bytes := bytesConv()
	c.SetFrom(func(v *abi.Any, dst unsafe.Pointer, _ *handles.Lent) error {
		if _, isTensor := TensorIn(v); isTensor || v.TypeIndex == abi.IndexArray || v.TypeIndex == abi.IndexList {
			return toElements(v, dst)
		}
		var content []byte
		if err := bytes.From(v, unsafe.Pointer(&content)); err != nil {
			return err
		}
		if len(content) != n {
			return wrongLength(len(content))
		}
		copy(unsafe.Slice((*byte)(dst), n), content)
		return nil
	}, bytes)
	c.To = func(src unsafe.Pointer, v *abi.Any) error { return values.PutBytes(unsafe.Slice((*byte)(src), n), v) }
}

func wrongLength(n int) *Mismatch {
	text := fmt.Sprintf("bytes of length %d", n)
	return &Mismatch{Got: text, inner: text}
}
