package call

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Only the compiler can write a call of a func without reflection, and only source that names the func's type makes it do
// so. `selfsame-ffi build` adds such source to each package that registers something: an adapter for each func type.
//
// Why a build adds adapters of func types to the package. reflect.Value.Call takes several times as long as everything
// else in a call. Only the compiler can write a call without it, and only in source that names the func's type. So
// `selfsame-ffi build` adds a file to each package that registers something, in the overlay that the Go compiler gets:
// an adapter for each type of func that the package hands over (cmd/selfsame-ffi/internal/adapters). It is found by the
// func's reflect.Type, so it serves every func of that type. Types that a file of the package cannot name, funcs with a
// context, several results or variadic parameters, and all funcs in a program that `go build` alone makes are called by
// reflection. They do the same and take longer (`go run ./bench/frontend -rounds 40 -only "C calls a Go func"`).

// adapters has an AdapterMaker for each reflect.Type of a func that has an adapter.
var adapters sync.Map

// AdapterMaker makes the invoker of a func of the type that it was made for.
type AdapterMaker func(fn reflect.Value, s *Signature) Invoker

// Invoker calls a Go func. It borrows the arguments, as many as the signature has parameters, and stores an owned value in
// *result.
type Invoker func(args []abi.Any, result *abi.Any) error

// AdapterOf returns what calls funcs of a type without reflection, nil when no build has added it.
func AdapterOf(t reflect.Type) AdapterMaker {
	if made, ok := adapters.Load(t); ok {
		return made.(AdapterMaker)
	}
	return nil
}

// AdaptedCall is one call of a Go func by an adapter. The public package has it under the same name.
type AdaptedCall struct {
	sig    *Signature
	args   *abi.Any // the first of as many as sig has parameters
	result *abi.Any // of a signature with parameters that lend: in a lentCall
}

// lentCall is what an adapter's call needs if parameters lend their handles. AdaptedCall leads to it by the result, and has no
// pointer of its own to it: that would cost every call some instructions.
type lentCall struct {
	result abi.Any // first
	lent   handles.Lent
}

var lentCalls = sync.Pool{New: func() any { return new(lentCall) }}

func (l *lentCall) end() {
	l.lent.End()
	lentCalls.Put(l)
}

// AddAdapter does the work of Adapter of the public package. It is no generic func: a package has hundreds of adapters, and the
// compiler would make it again for each.
func AddAdapter(adapter any) {
	t := reflect.TypeOf(adapter)
	if t == nil || t.Kind() != reflect.Func || t.NumIn() != 2 || t.In(0).Kind() != reflect.Func || t.In(1) != reflect.TypeFor[AdaptedCall]() ||
		t.NumOut() != 1 || t.Out(0) != reflect.TypeFor[error]() {
		panic(fault.New("TypeError", "overlay: Adapter: expected a func(fn F, c overlay.AdaptedCall) error, got %T", adapter))
	}
	word := wordOf(adapter)
	addAdapter(t.In(0), *(*func(fn unsafe.Pointer, c AdaptedCall) error)(unsafe.Pointer(&word)))
}

// wordOf returns the one word that a func is, which a value of type any has behind its type.
func wordOf(fn any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&fn))[1] }

func addAdapter(t reflect.Type, call func(fn unsafe.Pointer, c AdaptedCall) error) {
	adapters.Store(t, AdapterMaker(func(v reflect.Value, s *Signature) Invoker {
		fn := wordOf(v.Convert(t).Interface())
		if s.lendsHandles != nil {
			return func(args []abi.Any, result *abi.Any) error {
				l := lentCalls.Get().(*lentCall)
				defer l.end()
				l.result = *result // conversions find there how deep it is in others
				err := call(fn, AdaptedCall{sig: s, args: unsafe.SliceData(args), result: &l.result})
				*result = l.result
				return err
			}
		}
		return func(args []abi.Any, result *abi.Any) error {
			return call(fn, AdaptedCall{sig: s, args: unsafe.SliceData(args), result: result})
		}
	}))
}

// AdaptedArgument converts argument i of a call. It must stay small enough to be inlined.
func AdaptedArgument[T any](c AdaptedCall, i int) (T, error) {
	v := (*abi.Any)(unsafe.Add(unsafe.Pointer(c.args), uintptr(i)*unsafe.Sizeof(abi.Any{})))
	if v.TypeIndex == c.sig.Params[i].BitsIndex {
		return *(*T)(unsafe.Pointer(&v.Bits)), nil
	}
	return otherArgument[T](c, v, i)
}

// otherArgument does AdaptedArgument's work for values whose 8 bytes are not the Go value. The compiler makes it for each type of
// parameter, so that what does not need the type is in methods.
func otherArgument[T any](c AdaptedCall, v *abi.Any, i int) (value T, err error) {
	done, err := c.load(v, i, unsafe.Pointer(&value))
	if !done {
		memory := new(T)
		err = c.loadInto(v, i, unsafe.Pointer(memory))
		value = *memory
	}
	return value, err
}

// load does what LoadFast of the conversion does with argument i.
func (c AdaptedCall) load(v *abi.Any, i int, dst unsafe.Pointer) (done bool, err error) {
	if done, err = c.sig.Params[i].LoadFast(v, dst, c.lentFor(i)); err != nil {
		err = c.sig.argumentError(i, err)
	}
	return done, err
}

// loadInto stores argument i in memory of the heap.
func (c AdaptedCall) loadInto(v *abi.Any, i int, memory unsafe.Pointer) error {
	if err := c.sig.Params[i].Lend(v, memory, c.lentFor(i)); err != nil {
		return c.sig.argumentError(i, err)
	}
	return nil
}

// lentFor returns what has the handles of argument i, nil if it lends none.
func (c AdaptedCall) lentFor(i int) *handles.Lent {
	if c.sig.lendsHandles == nil || !c.sig.lendsHandles[i] {
		return nil
	}
	return &(*lentCall)(unsafe.Pointer(c.result)).lent
}

// AdaptedResult makes the result of a call of a func's result. It must stay small enough to be inlined.
func AdaptedResult[R any](c AdaptedCall, r R) error {
	if index := c.sig.Result.BitsIndex; index != convert.NoBitsIndex {
		*c.result = abi.Any{TypeIndex: index, Bits: *(*uint64)(unsafe.Pointer(&r))}
		return nil
	}
	return otherResult(c.sig, r, c.result)
}

func otherResult[R any](s *Signature, r R, result *abi.Any) error {
	if err := convert.Store(s.Result, r, result); err != nil {
		return s.returned(err)
	}
	return nil
}

// Argument returns argument i of a call, borrowed.
func (c AdaptedCall) Argument(i int) *abi.Any {
	return (*abi.Any)(unsafe.Add(unsafe.Pointer(c.args), uintptr(i)*unsafe.Sizeof(abi.Any{})))
}

// Result returns where the owned result of a call belongs.
func (c AdaptedCall) Result() *abi.Any { return c.result }

// NoResult makes the result of a call of a func that has none beside an error, for an [Adapter].
func (c AdaptedCall) NoResult() error {
	*c.result = abi.None()
	return nil
}
