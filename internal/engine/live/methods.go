package live

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// The methods of objects that show containers. The Python package makes the rest of a list, a dict or a set of them: their names and
// what they take are an agreement with python/src/selfsame_ffi/_go/containers.py.

// Add gives a class, whose objects show containers of a shape, the methods of the shape. C is the class's struct. schema, which may be
// nil, returns the schema of the containers, for those who write the types of the class.
func Add[C any](o *registry.ClassOptions, is Shape, schema func() string) {
	o.Operators = append(o.Operators, is.Word())
	if schema != nil {
		o.Hooks = append(o.Hooks, &registry.AttrHook{Name: "__ffi_items__", Fn: schema(), Most: -1})
	}
	a := adder[C]{o}
	a.method("__len__", method0[C](func(c *Container) (int, error) { return c.len() }))
	if is == Sequence || is == Numbers {
		o.InMemory("__len__", registry.ReadsLength)
		o.InMemory("__getitem__", registry.ReadsElement)
		o.InMemory("__setitem__", registry.SetsElement)
		a.method("__getitem__", getItem[C]())
		a.method("__setitem__", method2[C](void2((*Container).set)))
		a.method("__getslice__", method3[C]((*Container).list))
		a.method("__ffi_splice__", method3[C](func(c *Container, start, stop int, with convert.Given) (struct{}, error) {
			return struct{}{}, c.splice(start, stop, with)
		}))
		a.method("__ffi_append__", method1[C](void1((*Container).append)))
		a.method("__ffi_arrow__", method3[C]((*Container).arrow))
		if is == Numbers {
			a.method("__ffi_memory__", method0[C]((*Container).memory))
		}
		return
	}
	a.method("__ffi_has__", method1[C]((*Container).has))
	a.method("__ffi_all__", method0[C]((*Container).all))
	a.method("__ffi_keys__", method0[C]((*Container).keyList))
	a.method("__delitem__", method1[C](void1((*Container).deleteKey)))
	a.method("__ffi_update__", method2[C](void2((*Container).update)))
	if is == Mapping {
		a.method("__getitem__", method1[C]((*Container).getKey))
		a.method("__setitem__", method2[C](void2((*Container).setKey)))
	}
}

type adder[C any] struct{ o *registry.ClassOptions }

func (a adder[C]) method(name string, fn any) {
	a.o.Methods = append(a.o.Methods, &registry.Method{Name: name, Fn: fn})
}

func void1[A any](do func(*Container, A) error) func(*Container, A) (struct{}, error) {
	return func(c *Container, x A) (struct{}, error) { return struct{}{}, do(c, x) }
}

func void2[A, B any](do func(*Container, A, B) error) func(*Container, A, B) (struct{}, error) {
	return func(c *Container, x A, y B) (struct{}, error) { return struct{}{}, do(c, x, y) }
}

// The funcs below make methods of a class, and tell how funcs of their types are called without reflection.

func method0[C, R any](do func(*Container) (R, error)) any {
	call.AddAdapter(func(fn func(*C) (R, error), c call.AdaptedCall) error {
		o, err := call.AdaptedArgument[*C](c, 0)
		if err != nil {
			return err
		}
		r, err := fn(o)
		return result(c, r, err)
	})
	return func(o *C) (r R, err error) {
		c, err := receiver(unsafe.Pointer(o))
		if err != nil {
			return r, err
		}
		return do(c)
	}
}

// adapted1 returns the object of a call and its first argument.
func adapted1[C, A any](c call.AdaptedCall) (o *C, x A, err error) {
	if o, err = call.AdaptedArgument[*C](c, 0); err == nil {
		x, err = call.AdaptedArgument[A](c, 1)
	}
	return o, x, err
}

func method1[C, A, R any](do func(*Container, A) (R, error)) any {
	call.AddAdapter(func(fn func(*C, A) (R, error), c call.AdaptedCall) error {
		o, x, err := adapted1[C, A](c)
		if err != nil {
			return err
		}
		r, err := fn(o, x)
		return result(c, r, err)
	})
	return func(o *C, x A) (r R, err error) {
		c, err := receiver(unsafe.Pointer(o))
		if err != nil {
			return r, err
		}
		return do(c, x)
	}
}

// getItem makes the method for an element, which is converted to where the result belongs.
func getItem[C any]() any {
	call.AddAdapter(func(_ func(*C, int) (convert.Owned, error), c call.AdaptedCall) error {
		o, i, err := adapted1[C, int](c)
		if err != nil {
			return err
		}
		container, err := receiver(unsafe.Pointer(o))
		if err != nil {
			return err
		}
		return container.get(i, c.Result())
	})
	return func(o *C, i int) (made convert.Owned, err error) {
		c, err := receiver(unsafe.Pointer(o))
		if err == nil {
			err = c.get(i, &made.Any)
		}
		return made, err
	}
}

func method2[C, A, B, R any](do func(*Container, A, B) (R, error)) any {
	call.AddAdapter(func(fn func(*C, A, B) (R, error), c call.AdaptedCall) error {
		o, x, err := adapted1[C, A](c)
		if err != nil {
			return err
		}
		y, err := call.AdaptedArgument[B](c, 2)
		if err != nil {
			return err
		}
		r, err := fn(o, x, y)
		return result(c, r, err)
	})
	return func(o *C, x A, y B) (r R, err error) {
		c, err := receiver(unsafe.Pointer(o))
		if err != nil {
			return r, err
		}
		return do(c, x, y)
	}
}

func method3[C, A, B, D, R any](do func(*Container, A, B, D) (R, error)) any {
	return func(o *C, x A, y B, z D) (r R, err error) {
		c, err := receiver(unsafe.Pointer(o))
		if err != nil {
			return r, err
		}
		return do(c, x, y, z)
	}
}

func result[R any](c call.AdaptedCall, r R, err error) error {
	if err != nil {
		return err
	}
	return call.AdaptedResult(c, r)
}

// memory returns a tensor of the memory of numbers, which stays as it is while Go gives the slice another one.
func (c *Container) memory() (made convert.Owned, err error) {
	in, err := c.enter()
	if err != nil {
		return made, err
	}
	defer leave(in)
	if c.up != nil && c.t.Kind() == reflect.Array {
		return made, fault.New("TypeError", "an array in a map of Go has no memory that can be shared; copy a list of it")
	}
	first, n := c.elements()
	id := handles.Keep(values.Pin(first, c.SelfsamePointer(), uintptr(n)*c.element.t.Size()))
	if id == 0 {
		return made, fault.New("RuntimeError", "selfsame: too many tensors")
	}
	object, failed := bridge.Tensor(id, first, convert.DataTypeOf(c.element.t), []int64{int64(n)})
	if object == nil {
		handles.Drop(id)
		return made, fault.Take(failed)
	}
	handles.TraceNative(object)
	made.Any = abi.ObjectValue(object)
	return made, nil
}
