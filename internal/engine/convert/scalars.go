package convert

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// Conversions of numbers, bools, pointers and text.

// KindType describes a type without class and element types for C.
func KindType(kind bridge.Kind, name string) func() *bridge.Type {
	return TypeOnce(func() *bridge.Type { return bridge.NewType(kind, nil, nil, name) })
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// intConv makes the conversion of an integer type.
func intConv(kind reflect.Kind) *Conv {
	switch kind {
	case reflect.Int8:
		return sizedIntConv[int8](bridge.KindI8)
	case reflect.Int16:
		return sizedIntConv[int16](bridge.KindI16)
	case reflect.Int32:
		return sizedIntConv[int32](bridge.KindI32)
	case reflect.Uint8:
		return sizedIntConv[uint8](bridge.KindU8)
	case reflect.Uint16:
		return sizedIntConv[uint16](bridge.KindU16)
	case reflect.Uint32:
		return sizedIntConv[uint32](bridge.KindU32)
	case reflect.Uint, reflect.Uint64:
		return uint64Conv()
	}
	return sizedIntConv[int64](bridge.KindI64)
}

func sizedIntConv[I integer](kind bridge.Kind) *Conv {
	name, schema := constant("int", "int")
	return &Conv{
		Name: name, Schema: schema, Type: KindType(kind, "int"),
		Check:   checkInt[I],
		Leading: leadingInts[I], widened: widenedInts[I],
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := checkInt[I](v); err != nil {
				return err
			}
			*(*I)(dst) = I(v.Int64())
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			n := *(*I)(src)
			if n > 0 && uint64(n) > math.MaxInt64 {
				return fault.New("OverflowError", "Integer value %d is too large to fit in int64_t. "+
					"Consider explicitly casting to int64_t first if this is intentional.", n)
			}
			*v = abi.Int(int64(n))
			return nil
		},
	}
}

// uint64Conv makes the conversion of uint64: an int, which is a BigInt beyond the ABI's 64 bits with a sign.
func uint64Conv() *Conv {
	c := sizedIntConv[uint64](bridge.KindU64)
	beyond := func(v *abi.Any) (n *big.Int, ok bool) {
		if v.TypeIndex != abi.IndexBigInt {
			return nil, false
		}
		n = abi.BigIntOf(v.Pointer()).Int()
		return n, n.IsUint64()
	}
	check, from := c.Check, c.From
	c.Check = func(v *abi.Any) error {
		if _, ok := beyond(v); ok {
			return nil
		}
		return check(v)
	}
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		n, ok := beyond(v)
		if !ok {
			return from(v, dst)
		}
		*(*uint64)(dst) = n.Uint64()
		return nil
	}
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		n := *(*uint64)(src)
		if n <= math.MaxInt64 {
			*v = abi.Int(int64(n))
			return nil
		}
		return putBigInt(new(big.Int).SetUint64(n), v)
	}
	return c
}

// doesNotFit returns the error for a BigInt that a type of numbers has no value near.
func doesNotFit(v *abi.Any, into string) error {
	n := abi.BigIntOf(v.Pointer()).Int()
	if n.BitLen() > 256 {
		return fault.New("OverflowError", "Integer value of %d bits does not fit in %s", n.BitLen(), into)
	}
	return fault.New("OverflowError", "Integer value %s does not fit in %s", n, into)
}

// checkInt accepts integers and bools that fit in an I.
func checkInt[I integer](v *abi.Any) error {
	if v.TypeIndex == abi.IndexBigInt {
		return doesNotFit(v, rangeOf[I]())
	}
	if err := CheckIntLike(v); err != nil {
		return err
	}
	if n := I(v.Int64()); int64(n) != v.Int64() || (n < 0) != (v.Int64() < 0) {
		return fault.New("OverflowError", "Integer value %d does not fit in %s", v.Int64(), rangeOf[I]())
	}
	return nil
}

// rangeOf names a type of integers with its range, for messages.
func rangeOf[I integer]() string {
	bits := reflect.TypeFor[I]().Bits()
	from, to := "0", strconv.FormatUint(math.MaxUint64>>(64-bits), 10)
	if ^I(0) < 0 {
		from, to = strconv.FormatInt(math.MinInt64>>(64-bits), 10), strconv.FormatInt(math.MaxInt64>>(64-bits), 10)
	}
	return fmt.Sprintf("%s (%s to %s)", reflect.TypeFor[I](), from, to)
}

func CheckIntLike(v *abi.Any) error {
	if v.TypeIndex != abi.IndexInt && v.TypeIndex != abi.IndexBool {
		return Mismatched(v)
	}
	return nil
}

func checkText(v *abi.Any) error {
	switch v.TypeIndex {
	case abi.IndexSmallStr, abi.IndexStr, abi.IndexRawStr:
		return nil
	}
	return noText(v)
}

func checkBytes(v *abi.Any) error {
	switch v.TypeIndex {
	case abi.IndexSmallBytes, abi.IndexBytes, abi.IndexByteArrayPtr:
		return nil
	}
	return noBytes(v)
}

// noText returns the error for a value that is no text.
func noText(v *abi.Any) error {
	if _, isBytes, _ := v.Content(); isBytes {
		return (&Mismatch{Got: ValueTypeKey(v)}).WithHint("decode it, as with .decode()")
	}
	return Mismatched(v)
}

// noBytes returns the error for a value that is no bytes.
func noBytes(v *abi.Any) error {
	if _, isText := v.Text(); isText {
		return (&Mismatch{Got: ValueTypeKey(v)}).WithHint("encode it, as with .encode()")
	}
	return Mismatched(v)
}

func floatConv[F float32 | float64](kind bridge.Kind) *Conv {
	name, schema := constant("float", "float")
	return &Conv{
		Name: name, Schema: schema, Type: KindType(kind, "float"), Check: checkFloat[F], widened: widenedFloats[F],
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := checkFloat[F](v); err != nil {
				return err
			}
			switch v.TypeIndex {
			case abi.IndexFloat:
				*(*F)(dst) = F(v.Float64())
			case abi.IndexBigInt:
				*(*F)(dst) = nearest[F](v)
			default:
				*(*F)(dst) = F(v.Int64())
			}
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.Float(float64(*(*F)(src)))
			return nil
		},
	}
}

// checkFloat accepts numbers and bools that are finite in an F if they are finite.
func checkFloat[F float32 | float64](v *abi.Any) error {
	switch v.TypeIndex {
	case abi.IndexFloat:
		if x := v.Float64(); math.IsInf(float64(F(x)), 0) && !math.IsInf(x, 0) {
			return fault.New("OverflowError", "Float value %g does not fit in %s", x, reflect.TypeFor[F]())
		}
		return nil
	case abi.IndexBigInt:
		if math.IsInf(float64(nearest[F](v)), 0) {
			return doesNotFit(v, reflect.TypeFor[F]().String())
		}
		return nil
	}
	return CheckIntLike(v) // no int of 64 bits is too large for a float32
}

// nearest returns the float that is nearest to a BigInt, infinite when there is none.
func nearest[F float32 | float64](v *abi.Any) F {
	n := new(big.Float).SetInt(abi.BigIntOf(v.Pointer()).Int())
	if unsafe.Sizeof(F(0)) == 4 {
		single, _ := n.Float32()
		return F(single)
	}
	double, _ := n.Float64()
	return F(double)
}

func boolConv() *Conv {
	name, schema := constant("bool", "bool")
	return &Conv{
		Name: name, Schema: schema, Type: KindType(bridge.KindBool, "bool"), Check: CheckIntLike,
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := CheckIntLike(v); err != nil {
				return err
			}
			*(*bool)(dst) = v.Int64() != 0
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.Bool(*(*bool)(src))
			return nil
		},
	}
}

// plainConv makes the conversion of values that are 8 bytes without a reference, of one type index.
func plainConv[V any](key string, index int32, kind bridge.Kind, read func(abi.Any) V, write func(V) abi.Any) *Conv {
	name, schema := constant(key, key)
	return &Conv{
		Name: name, Schema: schema, Type: KindType(kind, key),
		Check: func(v *abi.Any) error {
			if v.TypeIndex != index {
				return Mismatched(v)
			}
			return nil
		},
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if v.TypeIndex != index {
				return Mismatched(v)
			}
			*(*V)(dst) = read(*v)
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			*v = write(*(*V)(src))
			return nil
		},
	}
}

// pointerConv makes a plain conversion that takes None too, as a nil pointer.
func pointerConv() *Conv {
	c := plainConv("void*", abi.IndexOpaquePtr, bridge.KindPointer, abi.Any.Pointer, abi.OpaquePtr)
	check, from := c.Check, c.From
	c.Check = func(v *abi.Any) error {
		if v.TypeIndex == abi.IndexNone {
			return nil
		}
		return check(v)
	}
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		if v.TypeIndex == abi.IndexNone {
			*(*unsafe.Pointer)(dst) = nil
			return nil
		}
		return from(v, dst)
	}
	return c
}

func stringConv() *Conv {
	name, schema := constant("str", "ffi.String")
	return &Conv{
		Name: name, Schema: schema, Type: KindType(bridge.KindString, "str"), Check: checkText,
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			s, ok := v.Text()
			if !ok {
				return noText(v)
			}
			*(*string)(dst) = s
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			return values.PutText(*(*string)(src), v)
		},
	}
}

func bytesConv() *Conv {
	name, schema := constant("bytes", "ffi.Bytes")
	return &Conv{
		Name: name, Schema: schema, Type: KindType(bridge.KindBytes, "bytes"), Check: checkBytes,
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if v.TypeIndex == abi.IndexOpaquePyObject {
				made, err := Unpack("bytes", v) // of a memoryview
				if err != nil {
					return err
				}
				defer values.Release(made)
				v = &made
			}
			b, ok := values.CopiedBytes(v)
			if !ok {
				return noBytes(v)
			}
			*(*[]byte)(dst) = b
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			return values.PutBytes(*(*[]byte)(src), v)
		},
	}
}

// textualConv makes the conversion of DataType or abi.Device, for which text is accepted too.
func textualConv[V any](key string, index int32, kind bridge.Kind, read func(abi.Any) V, write func(V) abi.Any) *Conv {
	c := plainConv(key, index, kind, read, write)
	from := c.From
	parse := func(v *abi.Any) (abi.Any, error) {
		plain, ok, failed := bridge.Plain(kind, *v)
		if err, _ := fault.Take(failed).(*fault.Error); err != nil {
			return plain, fault.New(err.Kind, "%s", err.Message) // without the native object, so that the caller can add the argument
		}
		if !ok {
			return plain, Mismatched(v)
		}
		return plain, nil
	}
	c.Check = func(v *abi.Any) error {
		if v.TypeIndex == index {
			return nil
		}
		_, err := parse(v)
		return err
	}
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		if v.TypeIndex == index {
			return from(v, dst)
		}
		plain, err := parse(v)
		if err != nil {
			return err
		}
		return from(&plain, dst)
	}
	return c
}

// dataTypeFor does DataTypeOf's work for a type that the compiler knows.
func dataTypeFor[E any]() abi.DataType { return DataTypeOf(reflect.TypeFor[E]()) }

// DataTypeOf returns the data type of a number or bool type; the zero DataType for any other.
func DataTypeOf(t reflect.Type) abi.DataType {
	s, ok := kinds.ScalarOf(t.Kind())
	if !ok {
		return abi.DataType{}
	}
	return s.DataType()
}
