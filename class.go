package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Class is a registered class of native objects that Go code declared.
type Class[T any] struct {
	class *class
}

// ClassOption says more about a class.
type ClassOption interface {
	applyToClass(*classOptions)
}

type classOptions struct {
	doc        string
	init       *method
	autoInit   bool
	methods    []*method
	hooks      []*attrHook
	final      bool
	structural StructuralKind
}

type method struct {
	name     string
	fn       any
	doc      string
	argNames []string
	static   bool
}

type classOption func(*classOptions)

func (f classOption) applyToClass(o *classOptions) { f(o) }

// DocOption is documentation: of a class for [Register], of a function for [RegisterFunc].
type DocOption string

func (d DocOption) applyToClass(o *classOptions) { o.doc = string(d) }
func (d DocOption) applyToFunc(o *funcOptions)   { o.doc = string(d) }

// Doc documents a class or a function.
func Doc(text string) DocOption { return DocOption(text) }

// Init is the constructor: a func(*T, args...) or func(*T, args...) error that fills in a new object, whose fields have
// their defaults. When it fails the object is released. argNames name the arguments; `name=default`, with a default as in a
// field's tag, lets callers leave the last ones out, or give any of them by name.
func Init(fn any, argNames ...string) ClassOption {
	return classOption(func(o *classOptions) { o.init = &method{name: initName, fn: fn, argNames: argNames} })
}

// Method adds a method: a func whose first parameter is the object, as *T (borrowed for the call) or *Handle[T].
// argNames name the other parameters.
func Method(name string, fn any, doc string, argNames ...string) ClassOption {
	return classOption(func(o *classOptions) {
		o.methods = append(o.methods, &method{name: name, fn: fn, doc: doc, argNames: argNames})
	})
}

// Static adds a static method: any func.
func Static(name string, fn any, doc string, argNames ...string) ClassOption {
	return classOption(func(o *classOptions) {
		o.methods = append(o.methods, &method{name: name, fn: fn, doc: doc, argNames: argNames, static: true})
	})
}

// Register makes the struct T a class with a key such as "geo.Point". T begins with [Object] or with the struct of a
// class that is registered already; its other fields are described by their tags:
//
//	`ffi:"rw"`              read and write (the default for exported fields)
//	`ffi:"ro"`              read only from outside
//	`ffi:"-"`               not visible from outside, like unexported fields
//	`ffi:"name=other"`      another name than the Go name in snake case
//	`ffi:"default='text'"`  the value in a new object: a number, true, false, None or 'text'
//	`ffi:"init=off"`        not an argument of the constructor of [AutoInit]; `kwonly`: only by name
//	`ffi:"repr=off"`        left out when the object prints; the same for compare and hash
//	`doc:"..."`             documentation
//
// Register fails, before anything is registered, when T or a func cannot be used; the error names the field or func.
// A class cannot be registered twice, nor taken back. It may be called from any goroutine.
func Register[T any](key string, opts ...ClassOption) (*Class[T], error) {
	o := &classOptions{}
	for _, opt := range opts {
		opt.applyToClass(o)
	}
	t := reflect.TypeFor[T]()
	if err := checkClass(key, t); err != nil {
		return nil, err
	}
	c := classOf(t)
	wrap := func(k *handles.State) any { return (*Handle[T])(unsafe.Pointer(k)) }
	if err := c.register(key, wrap, o); err != nil {
		return nil, err
	}
	return &Class[T]{class: c}, nil
}

// MustRegister is Register for package variables: it panics on failure. In an extension (build tag selfsame_shared)
// the first failure is reported when the extension is loaded instead.
func MustRegister[T any](key string, opts ...ClassOption) *Class[T] {
	c, err := Register[T](key, opts...)
	if err != nil {
		registrationFailed(err)
		c = &Class[T]{class: classOf(reflect.TypeFor[T]())}
	}
	return c
}

// Key is the class key.
func (c *Class[T]) Key() string { return c.class.typeKey() }

// TypeIndex is the class's type index, -1 when its registration failed.
func (c *Class[T]) TypeIndex() int32 { return c.class.native.Index() }

// New makes an object, lets fill set its fields, and returns its handle. fill may be nil. The pointer that fill gets is
// borrowed. New panics with a MemoryError when there is no memory, and releases the object when fill panics.
func (c *Class[T]) New(fill func(*T)) *Handle[T] {
	k, err := c.class.newState()
	if err != nil {
		panic(err)
	}
	if fill != nil {
		filled := false
		defer func() {
			if !filled {
				k.Release()
			}
		}()
		fill((*T)(k.Address()))
		filled = true
	}
	return (*Handle[T])(unsafe.Pointer(k))
}

// TryNew is New for a fill that can fail: its error is returned and the object's handle released.
func (c *Class[T]) TryNew(fill func(*T) error) (*Handle[T], error) {
	k, err := c.class.newState()
	if err != nil {
		return nil, err
	}
	filled := false
	defer func() {
		if !filled {
			k.Release()
		}
	}()
	if err := fill((*T)(k.Address())); err != nil {
		return nil, err
	}
	filled = true
	return (*Handle[T])(unsafe.Pointer(k)), nil
}

// New makes an object of the class that T was registered as. It is [Class.New] for code that the class's own declaration
// refers to, where naming the class's variable would be an initialisation cycle.
func New[T any](fill func(*T)) *Handle[T] {
	return (&Class[T]{class: classOf(reflect.TypeFor[T]())}).New(fill)
}

// newObject makes an instance with its defaults and returns an owned reference.
func (c *class) newObject() (unsafe.Pointer, error) {
	if c.objects.Layout == nil {
		return nil, newError("RuntimeError", "selfsame: class %s is not registered", c.goType)
	}
	finishRegistrations()
	object, failed := c.objects.Layout.New(nil, 0)
	handles.TraceNative(object)
	return object, takeError(failed)
}

// newState makes an instance with its defaults, and its handle state.
func (c *class) newState() (*handles.State, error) {
	if c.objects.Layout == nil {
		return nil, newError("RuntimeError", "selfsame: class %s is not registered", c.goType)
	}
	finishRegistrations()
	k, failed := c.objects.New()
	if k == nil {
		return nil, takeError(failed)
	}
	handles.TraceNative(k.Address())
	return k, nil
}
