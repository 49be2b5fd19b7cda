package convert

import (
	"math"
	"reflect"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Conversions of time.Time and time.Duration.

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

// CallConv makes the conversion of a type that has no type in the ABI: name and schema are its names, from and to convert.
func CallConv(name, schema string, from, to func(p unsafe.Pointer, v *abi.Any) error) *Conv {
	c := &Conv{
		Traits: Traits{CallsOnly: true},
		Type:   KindType(bridge.KindAny, name),
		From:   func(v *abi.Any, dst unsafe.Pointer) error { return from(dst, v) },
		To:     to,
	}
	c.Name, c.Schema = constant(name, schema)
	c.Check = func(v *abi.Any) error {
		return c.From(v, reflect.New(c.GoType).UnsafePointer())
	}
	return c
}

// timeConv makes the conversion of time.Time: a datetime with a time zone. Its native form is an Array: the seconds since
// 1970, the nanoseconds and the seconds east of UTC.
func timeConv() *Conv {
	return CallConv("datetime", "go.Time",
		func(p unsafe.Pointer, v *abi.Any) error {
			return unpackItems("time", v, 3, func(items []abi.Any) error {
				for i := range items[:3] {
					if err := CheckIntLike(&items[i]); err != nil {
						return AtIndex("Array", i, err)
					}
				}
				zone := time.UTC
				if offset := items[2].Int64(); offset != 0 {
					name := ""
					if len(items) > 3 {
						text, _ := items[3].Text()
						name = string([]byte(text))
					}
					zone = time.FixedZone(name, int(offset))
				}
				*(*time.Time)(p) = time.Unix(items[0].Int64(), items[1].Int64()).In(zone)
				return nil
			})
		},
		func(p unsafe.Pointer, v *abi.Any) error {
			at := *(*time.Time)(p)
			_, offset := at.Zone()
			return PackItems(v, "time", abi.Int(at.Unix()), abi.Int(int64(at.Nanosecond())), abi.Int(int64(offset)))
		})
}

// timesToPython returns an owned list of datetimes, which Python makes of columns of numbers.
func timesToPython(times []time.Time) (v abi.Any, err error) {
	parts := make([]int64, 3*len(times))
	owned := make([]abi.Any, 3)
	defer func() { values.ReleaseAll(owned) }()
	for i, at := range times {
		_, offset := at.Zone()
		parts[i], parts[len(times)+i], parts[2*len(times)+i] = at.Unix(), int64(at.Nanosecond()), int64(offset)
	}
	for i := range owned {
		first := unsafe.Pointer(unsafe.SliceData(parts[i*len(times):]))
		if owned[i], err = newPythonNumbers(&pythonInts, first, len(times)); err != nil {
			return v, err
		}
	}
	_, err = pack(&v, "times", owned...)
	return v, err
}

// durationConv makes the conversion of time.Duration: a timedelta. Its native form is the number of nanoseconds.
func durationConv() *Conv {
	return CallConv("timedelta", "go.Duration",
		func(p unsafe.Pointer, v *abi.Any) error {
			if v.TypeIndex == abi.IndexInt && pythonUnpack.Function() == nil {
				*(*time.Duration)(p) = time.Duration(v.Int64())
				return nil
			}
			if v.TypeIndex != abi.IndexOpaquePyObject {
				return Mismatched(v)
			}
			return unpackItems("delta", v, 2, func(items []abi.Any) error {
				seconds, nanos := items[0].Int64(), items[1].Int64()
				if seconds > math.MaxInt64/int64(time.Second)-1 || seconds < math.MinInt64/int64(time.Second)+1 {
					return fault.New("OverflowError", "a timedelta of %d seconds does not fit in time.Duration", seconds)
				}
				*(*time.Duration)(p) = time.Duration(seconds)*time.Second + time.Duration(nanos)
				return nil
			})
		},
		func(p unsafe.Pointer, v *abi.Any) error {
			d := *(*time.Duration)(p)
			if ok, err := pack(v, "delta", abi.Int(int64(d/time.Second)), abi.Int(int64(d%time.Second))); ok {
				return err
			}
			*v = abi.Int(int64(d))
			return nil
		})
}
