package selfsame

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Place returns what a Go func that stores a value through a pointer, as json.Unmarshal does, gets for an argument of its caller, and
// a func that returns what was stored. For nil that is a pointer to an any of its own. For a pointer, such as that of a wrapped
// object, it is the argument. Place panics with a TypeError for other values, into which nothing could be stored.
// `selfsame-ffi wrap` writes such calls. Any goroutine may call it.
func Place(argument any) (pointer any, stored func() any) {
	if argument == nil {
		value := new(any)
		return value, func() any { return *value }
	}
	if reflect.TypeOf(argument).Kind() != reflect.Pointer {
		panic(fault.New("TypeError", "expected an object into which Go can store a value, or none, to get the value as the result; got %T", argument))
	}
	return argument, func() any { return argument }
}
