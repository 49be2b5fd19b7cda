package convert

import (
	"math"
	"reflect"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Timeout is the type of a parameter that says how long something may take: a timedelta or, as Python's own timeouts are, a number of
// seconds.
type Timeout time.Duration

// NewConv implements Converter.
func (Timeout) NewConv() (*Conv, error) {
	duration, err := For(reflect.TypeFor[time.Duration]())
	if err != nil {
		return nil, err
	}
	const name = "a timedelta or a number of seconds"
	c := CallConv("", "", func(dst unsafe.Pointer, v *abi.Any) error {
		var seconds float64
		switch v.TypeIndex {
		case abi.IndexInt:
			seconds = float64(v.Int64())
		case abi.IndexFloat:
			seconds = v.Float64()
		default:
			return duration.From(v, dst)
		}
		if nanoseconds := seconds * float64(time.Second); math.Abs(nanoseconds) < math.MaxInt64 {
			*(*time.Duration)(dst) = time.Duration(nanoseconds)
			return nil
		}
		return fault.New("OverflowError", "a timeout of %v seconds does not fit in time.Duration", seconds)
	}, duration.To)
	c.OnlyParameter = "is a parameter only; use time.Duration"
	c.Name = func() string { return name }
	c.Schema = func() string { return NestedSchema("Variant", duration.Schema(), LeafSchema("float")) }
	c.Type = KindType(bridge.KindAny, name)
	return c, nil
}
