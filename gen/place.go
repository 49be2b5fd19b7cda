package gen

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

// Given returns an argument of a caller as a T, for a func of a type that generated code cannot write. The argument is what another
// func of the package returned, or nil for the nil of T. Given panics with a TypeError for other values; parameter names the one in
// question. `selfsame-ffi wrap` writes such calls. Any goroutine may call it.
func Given[T any](argument any, parameter string) T {
	if k, ok := argument.(*kept); ok {
		argument = k.value
	}
	if value, ok := argument.(T); ok {
		return value
	}
	var none T
	if argument == nil {
		switch reflect.TypeFor[T]().Kind() {
		case reflect.Pointer, reflect.Func, reflect.Interface, reflect.Map, reflect.Slice, reflect.Chan:
			return none
		}
	}
	panic(fault.New("TypeError", "parameter %s: expected a value of the Go type %s, as other funcs of the package return it, got %T", parameter,
		reflect.TypeFor[T](), argument))
}

// kept is a Go value that crosses as nothing else.
type kept struct{ value any }

// Kept returns a value that callers can only pass on. Go code that takes it with [Given] gets value itself, which a
// func needs, as it would otherwise come back as another func. `selfsame-ffi wrap` writes such results.
func Kept(value any) any { return &kept{value} }
