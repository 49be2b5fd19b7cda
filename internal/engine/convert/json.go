package convert

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Conversion of types that have a JSON form of their own. As a result such a value becomes what its JSON text says: None,
// a number, a str, a list or a dict. As a parameter it is read from such a value.

var (
	marshalerType   = reflect.TypeFor[json.Marshaler]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
)

func isMarshaler(t reflect.Type) bool {
	return t.Implements(marshalerType) || reflect.PointerTo(t).Implements(marshalerType)
}

func jsonConv(t reflect.Type) *Conv {
	c := CallConv("JSON", "go.Plain",
		func(p unsafe.Pointer, v *abi.Any) error {
			value, err := plainGo(v, 0, nil)
			if err != nil {
				return err
			}
			text, err := json.Marshal(value)
			if err != nil {
				return fault.New("TypeError", "expected a value that JSON can say: %s", err)
			}
			return json.Unmarshal(text, reflect.NewAt(t, p).Interface())
		},
		func(p unsafe.Pointer, v *abi.Any) error {
			text, err := json.Marshal(reflect.NewAt(t, p).Interface())
			if err != nil {
				return err
			}
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			var value any
			if err := decoder.Decode(&value); err != nil {
				return err
			}
			value, err = withNumbers(value)
			if err != nil {
				return err
			}
			if err := FromGo(value, v); err != nil {
				return err
			}
			return plainValue(v)
		})
	c.Check = nil
	if !reflect.PointerTo(t).Implements(unmarshalerType) && !t.Implements(unmarshalerType) {
		c.OnlyResult = "can only be a result, as it has MarshalJSON and no UnmarshalJSON; add that method, or take any"
	}
	return c
}

// withNumbers replaces each json.Number by an int64, a *big.Int or a float64.
func withNumbers(value any) (any, error) {
	var err error
	switch x := value.(type) {
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n, nil
		}
		if n, ok := new(big.Int).SetString(string(x), 10); ok {
			return n, nil
		}
		return x.Float64()
	case []any:
		for i := range x {
			if x[i], err = withNumbers(x[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range x {
			if x[key], err = withNumbers(x[key]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}
