package selfsame

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Only the compiler can write a call of a func without reflection, and only source that names the func's type makes it do
// so. `selfsame-ffi build` adds such source to each package that registers something: an adapter for each func type.
//
// RATIONALE.md, "Why a build adds adapters of func types to the package"

// adapters has an adapterMaker for each reflect.Type of a func that has an adapter.
var adapters sync.Map

// adapterMaker makes the invoker of a func of the type that it was made for.
type adapterMaker func(fn reflect.Value, s *signature) invoker

// invoker calls a Go func. It borrows the arguments, as many as the signature has parameters, and stores an owned value in
// *result.
type invoker func(args []abi.Any, result *abi.Any) error

// adapterOf returns what calls funcs of a type without reflection, nil when no build has added it.
func adapterOf(t reflect.Type) adapterMaker {
	if made, ok := adapters.Load(t); ok {
		return made.(adapterMaker)
	}
	return nil
}

// adaptedCall is AdaptedCall of the public package: one call of a Go func by an adapter.
type adaptedCall struct {
	sig    *signature
	args   *abi.Any // the first of as many as sig has parameters
	result *abi.Any
}

// addAdapter does the work of Adapter of the public package.
func addAdapter[F any](call func(fn F, c adaptedCall) error) {
	adapters.Store(reflect.TypeFor[F](), adapterMaker(func(v reflect.Value, s *signature) invoker {
		fn := v.Interface().(F)
		return func(args []abi.Any, result *abi.Any) error {
			return call(fn, adaptedCall{sig: s, args: unsafe.SliceData(args), result: result})
		}
	}))
}

// adaptedArgument converts argument i of a call. It must stay small enough to be inlined.
func adaptedArgument[T any](c adaptedCall, i int) (T, error) {
	v := (*abi.Any)(unsafe.Add(unsafe.Pointer(c.args), uintptr(i)*unsafe.Sizeof(abi.Any{})))
	if v.TypeIndex == c.sig.params[i].plain {
		return *(*T)(unsafe.Pointer(&v.Bits)), nil
	}
	return otherArgument[T](c.sig, v, i)
}

func otherArgument[T any](s *signature, v *abi.Any, i int) (T, error) {
	value, err := loadOther[T](s.params[i], v)
	if err != nil {
		err = s.argumentError(i, err)
	}
	return value, err
}

// adaptedResult makes the result of a call of a func's result. It must stay small enough to be inlined.
func adaptedResult[R any](c adaptedCall, r R) error {
	if plain := c.sig.result.plain; plain != noPlain {
		*c.result = abi.Any{TypeIndex: plain, Bits: *(*uint64)(unsafe.Pointer(&r))}
		return nil
	}
	return otherResult(c.sig, r, c.result)
}

func otherResult[R any](s *signature, r R, result *abi.Any) error {
	if err := store(s.result, r, result); err != nil {
		return s.returned(err)
	}
	return nil
}

// NoResult makes the result of a call of a func that has none beside an error, for an [Adapter].
func (c adaptedCall) NoResult() error {
	*c.result = abi.None()
	return nil
}
