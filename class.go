package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Class is a registered class of native objects whose struct is T. It may be used from any goroutine.
type Class[T any] struct {
	class *typetable.Class
}

// ClassOption is an option of [Register].
type ClassOption interface {
	applyToClass(*registry.ClassOptions)
}

type classOption func(*registry.ClassOptions)

func (f classOption) applyToClass(o *registry.ClassOptions) { f(o) }

// DocOption is the documentation of a class, for [Register], or of a function, for [RegisterFunc].
type DocOption string

func (d DocOption) applyToClass(o *registry.ClassOptions) { o.Doc = string(d) }
func (d DocOption) applyToFunc(o *registry.FuncOptions)   { o.Doc = string(d) }

// Doc returns the option that documents a class or a function.
func Doc(text string) DocOption { return DocOption(text) }

// Init sets the constructor: a func(*T, args...) or func(*T, args...) error that fills a new object, whose fields have their
// defaults. When it returns an error, the object is released. argNames name the arguments, so that callers may pass them by
// name; `name=default`, with a default as in a field's tag, makes one of the last arguments optional, and `*name=default` a keyword
// argument only.
//
// internal/engine/registry/methods.go says why.
//
//go:noinline
func Init(fn any, argNames ...string) ClassOption {
	// None of the options of a method is inlined: a package has hundreds, each with its closure, and the compiler would take a
	// fifth longer for them.
	return classOption(func(o *registry.ClassOptions) {
		o.Init = &registry.Method{Name: typetable.InitName, Fn: fn, ArgNames: argNames}
	})
}

// Method adds a method: a func whose first parameter is the object, as *T (borrowed for the call) or *Handle[T].
// argNames name the other parameters, as for [Init].
//
//go:noinline
func Method(name string, fn any, doc string, argNames ...string) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Methods = append(o.Methods, &registry.Method{Name: name, Fn: fn, Doc: doc, ArgNames: argNames})
	})
}

// Static adds a static method: any func, whose parameters argNames name, as for [Init].
//
//go:noinline
func Static(name string, fn any, doc string, argNames ...string) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Methods = append(o.Methods, &registry.Method{Name: name, Fn: fn, Doc: doc, ArgNames: argNames, Static: true})
	})
}

// Register registers the struct T as a class under a type key such as "geo.Point". T begins with [Object] or with the struct
// of a registered class; tags describe its other fields:
//
//	`ffi:"rw"`              read and write (the default for exported fields)
//	`ffi:"ro"`              read only for other languages
//	`ffi:"-"`               not visible from other languages, like unexported fields
//	`ffi:"transient"`       the same, and a pickle of the object may leave it out: it has its initial value there
//	`ffi:"name=other"`      another name than the Go name in snake case
//	`ffi:"default='text'"`  the value in a new object: a number, true, false, None or 'text'
//	`ffi:"init=off"`        not an argument of the constructor of [AutoInit]
//	`ffi:"kwonly"`          only a keyword argument of that constructor
//	`ffi:"repr=off"`        left out when the object prints; the same for compare and hash
//	`doc:"..."`             documentation
//
// When T or a func cannot be used, Register fails with an error that names the field or func, and registers nothing. A
// class stays registered for the life of the process, and cannot be registered twice. When another library of the
// process contains the same Go package and has registered the class, Register adopts it. The type index, the methods
// and the enum members are then the other library's; each library makes its own objects, and Go values do not cross
// (docs/shipping.md). Register may be called from any goroutine.
func Register[T any](key string, opts ...ClassOption) (*Class[T], error) {
	c, err := register(key, reflect.TypeFor[T](), wrapperOf[T], opts)
	if err != nil {
		return nil, err
	}
	return classOf[T](c), nil
}

// register does the work of Register, and is not one for each T.
func register(key string, t reflect.Type, wrap func(*handles.State) any, opts []ClassOption) (*typetable.Class, error) {
	o := &registry.ClassOptions{}
	for _, opt := range opts {
		opt.applyToClass(o)
	}
	if err := registry.CheckClass(key, t); err != nil {
		return nil, err
	}
	c := typetable.Of(t)
	return c, registry.Registration{Class: c}.Register(key, wrap, o)
}

// wrapperOf returns a handle as a value of its own type.
func wrapperOf[T any](k *handles.State) any { return (*Handle[T])(unsafe.Pointer(k)) }

// classOf makes a Class. It does not name the type to Go's runtime: the linker keeps all methods of a type that is named to it, for each
// T, in a program that looks for methods by name.
func classOf[T any](c *typetable.Class) *Class[T] {
	return (*Class[T])(unsafe.Pointer(&struct{ class *typetable.Class }{c}))
}

// MustRegister registers the class as [Register] does, for package variables: it panics on failure. In an extension
// (build tag selfsame_shared) it does not panic; loading the extension fails with the first error instead.
func MustRegister[T any](key string, opts ...ClassOption) *Class[T] {
	c, err := register(key, reflect.TypeFor[T](), wrapperOf[T], opts)
	if err != nil {
		link.Failed(err)
		c = typetable.Of(reflect.TypeFor[T]())
	}
	return classOf[T](c)
}

// Key returns the type key.
func (c *Class[T]) Key() string { return c.class.TypeKey() }

// TypeIndex returns the type index, -1 when the registration failed.
func (c *Class[T]) TypeIndex() int32 { return c.class.Native.Index() }

// New makes an object, calls fill to set its fields, and returns its handle. fill may be nil; it borrows its pointer for
// the call. New panics with a MemoryError when there is no memory, and releases the object when fill panics.
func (c *Class[T]) New(fill func(*T)) *Handle[T] {
	k := fault.Must(registry.NewState(c.class))
	handles.MadeInCall(k)
	if fill != nil {
		filled := false
		defer func() {
			if !filled {
				registry.Discard(c.class, k.Address())
				k.Release()
			}
		}()
		fill((*T)(k.Address()))
		filled = true
	}
	return (*Handle[T])(unsafe.Pointer(k))
}

// TryNew makes an object as [Class.New] does, with a fill that can fail: TryNew then releases the object and returns
// fill's error.
func (c *Class[T]) TryNew(fill func(*T) error) (*Handle[T], error) {
	k, err := registry.NewState(c.class)
	if err != nil {
		return nil, err
	}
	handles.MadeInCall(k)
	filled := false
	defer func() {
		if !filled {
			registry.Discard(c.class, k.Address())
			k.Release()
		}
	}()
	if err := fill((*T)(k.Address())); err != nil {
		return nil, err
	}
	filled = true
	return (*Handle[T])(unsafe.Pointer(k)), nil
}

// New makes an object of the class of T, as [Class.New] does. Funcs that the class's registration refers to need it: Go
// rejects a use of the class's variable there as an initialization cycle.
func New[T any](fill func(*T)) *Handle[T] {
	return classOf[T](typetable.Of(reflect.TypeFor[T]())).New(fill)
}

// Object is the header of every native object. A class struct embeds it, or another class struct, as its first field. It has
// no exported fields or methods.
type Object struct {
	header abi.Object
}

// nativeObject makes a pointer to any class struct an argument for native functions.
func (o *Object) nativeObject() unsafe.Pointer { return unsafe.Pointer(o) }
