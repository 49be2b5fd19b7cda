// Package kinds registers functions and classes for every kind of value that the ABI knows, for tests. Values of each
// kind pass between Go and C++ or Python as argument, result, field and element of every container.
package kinds

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen/overlay"
)

// Thing is the class of the kinds that are objects.
type Thing struct {
	selfsame.Object
	N int64
}

// ThingClass is the registered class kinds.Thing.
var ThingClass = selfsame.MustRegister[Thing]("kinds.Thing", selfsame.Init(func(t *Thing, n int64) { t.N = n }, "n=0"))

// Special derives from Thing.
type Special struct{ Thing }

// SpecialClass is the registered class kinds.Special.
var SpecialClass = selfsame.MustRegister[Special]("kinds.Special", selfsame.Init(func(*Special) {}))

// holder has fields for values of one kind: a value, an optional value, and each container of values.
type holder[E any] struct {
	selfsame.Object
	Value selfsame.Field[E]
	Maybe selfsame.Field[selfsame.Optional[E]] `ffi:"default=None"`
	Array selfsame.Array[E]
	List  selfsame.List[E]
	Map   selfsame.Map[string, E]
	Dict  selfsame.Dict[string, E]
}

// plain has a field of a type that a class struct may hold directly, such as int64.
type plain[E any] struct {
	selfsame.Object
	Value E
}

// adapted gives a func a type of its own that has an adapter, as those that selfsame-ffi build writes, which cannot name E.
func adapted[E any](echo func(E) E) any {
	type adapted func(E) E
	overlay.Adapter(func(fn adapted, c overlay.AdaptedCall) error {
		e, err := overlay.AdaptedArgument[E](c, 0)
		if err != nil {
			return err
		}
		return overlay.AdaptedResult(c, fn(e))
	})
	return adapted(echo)
}

// register registers, for a kind called name, the class kinds.Holder_name and the functions kinds.name_echo and so on,
// which return their argument, each as another Go type.
func register[E any](name string) {
	selfsame.MustRegister[holder[E]]("kinds.Holder_"+name, selfsame.Init(func(*holder[E]) {}))
	for way, fn := range map[string]any{
		"echo":     func(e E) E { return e },
		"adapted":  adapted(func(e E) E { return e }),
		"optional": func(e selfsame.Optional[E]) selfsame.Optional[E] { return e },
		"slice":    func(e []E) []E { return e },
		"array":    func(e *selfsame.Array[E]) *selfsame.Array[E] { return e },
		"list":     func(e *selfsame.List[E]) *selfsame.List[E] { return e },
		"gomap":    func(e map[string]E) map[string]E { return e },
		"map":      func(e *selfsame.Map[string, E]) *selfsame.Map[string, E] { return e },
		"dict":     func(e *selfsame.Dict[string, E]) *selfsame.Dict[string, E] { return e },
		"tuple":    func(e selfsame.Tuple2[E, string]) selfsame.Tuple2[E, string] { return e },
		"call":     func(f func(E) (E, error), e E) (E, error) { return f(e) },
	} {
		selfsame.MustRegisterFunc("kinds."+name+"_"+way, fn)
	}
}

// registerPlain does register's work for kinds that a class struct may hold directly.
func registerPlain[E any](name string) {
	register[E](name)
	selfsame.MustRegister[plain[E]]("kinds.Plain_"+name, selfsame.Init(func(*plain[E]) {}))
}

func init() {
	registerPlain[int8]("int8")
	registerPlain[int16]("int16")
	registerPlain[int32]("int32")
	registerPlain[int64]("int64")
	registerPlain[int]("int")
	registerPlain[uint8]("uint8")
	registerPlain[uint16]("uint16")
	registerPlain[uint32]("uint32")
	registerPlain[uint64]("uint64")
	registerPlain[uint]("uint")
	registerPlain[float32]("float32")
	registerPlain[float64]("float64")
	registerPlain[bool]("bool")
	registerPlain[selfsame.DataType]("dtype")
	registerPlain[selfsame.Device]("device")
	register[string]("string")
	register[[]byte]("bytes")
	register[any]("any")
	register[unsafe.Pointer]("pointer")
	register[*selfsame.Handle[Thing]]("object")
	register[selfsame.Optional[*selfsame.Handle[Thing]]]("maybe")
	register[*selfsame.Array[int64]]("array")
	register[*selfsame.List[string]]("list")
	register[*selfsame.Map[string, int64]]("map")
	register[*selfsame.Dict[int64, float64]]("dict")
	register[*selfsame.Tensor]("tensor")
	register[*selfsame.Shape]("shape")
	register[*selfsame.Function]("function")
	register[*selfsame.Module]("module")
	register[*selfsame.Error]("error")
}
