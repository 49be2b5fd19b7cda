package fault

import (
	"errors"
	"reflect"
)

// Methods on values are those of pointers to them too, so a func may return either as an error, whatever its type's other methods have.

// AsType returns the first error of a chain that is an E, as errors.As finds it, or else one that is a pointer to an E, or what an E points
// to.
func AsType[E error](err error) (found E, ok bool) {
	if errors.As(err, &found) {
		return found, true
	}
	for _, other := range othersOf[E]() {
		if target := reflect.New(other); errors.As(err, target.Interface()) {
			found, ok = convertedTo[E](target.Elem())
			return found, ok
		}
	}
	return found, false
}

// MatcherOf returns a func that says whether an error is itself one that [AsType] finds.
func MatcherOf[E error]() func(err error) bool {
	others := othersOf[E]()
	return func(err error) bool {
		if _, ok := err.(E); ok {
			return true
		}
		for _, other := range others {
			if reflect.TypeOf(err) == other {
				return true
			}
		}
		var found E
		as, ok := err.(interface{ As(any) bool })
		return ok && as.As(&found)
	}
}

// othersOf returns the type of pointers to an E, or of what it points to, if values of that are errors too.
func othersOf[E error]() []reflect.Type {
	t := reflect.TypeFor[E]()
	other := reflect.PointerTo(t)
	if t.Kind() == reflect.Pointer {
		other = t.Elem()
	}
	if t.Kind() == reflect.Interface || !other.Implements(reflect.TypeFor[error]()) {
		return nil
	}
	return []reflect.Type{other}
}

func convertedTo[E error](v reflect.Value) (as E, ok bool) {
	if reflect.TypeFor[E]().Kind() == reflect.Pointer {
		pointer := reflect.New(v.Type())
		pointer.Elem().Set(v)
		as, ok = pointer.Interface().(E)
	} else if !v.IsNil() {
		as, ok = v.Elem().Interface().(E)
	}
	return as, ok
}
