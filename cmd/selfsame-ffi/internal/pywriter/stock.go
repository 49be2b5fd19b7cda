package pywriter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// The parts of a module for the stock package tvm_ffi that a module for selfsame_ffi does not need: it loads the
// library itself, and passes keyword arguments to constructors and methods, which the stock package does not support.

// stockHead does what selfsame_ffi.load_extension does. The library binds to the runtime that tvm_ffi has loaded. A
// failed registration leaves a raised error: an Error has kind, message and their sizes behind the 24 bytes of its
// header. When Python ends, Go stops to release objects before Python's objects can be released no more.
const stockHead = `

def _load(path: str) -> None:
    library = _ctypes.CDLL(path)
    if library.SelfsameExtensionInit() == 0:
        _atexit.register(library.SelfsameExtensionStop)
        return
    error = _ctypes.c_void_p()
    _ffi.LIB.TVMFFIErrorMoveFromRaised(_ctypes.byref(error))
    text = "no tvm-ffi runtime was found"
    if error.value:
        kind, kind_size, message, size = (_ctypes.c_size_t * 4).from_address(error.value + 24)
        text = f"{_ctypes.string_at(kind, kind_size).decode()}: {_ctypes.string_at(message, size).decode()}"
        _ffi.LIB.TVMFFIObjectDecRef(error)
    raise ImportError(f"{path} could not register its classes and functions: {text}")


`

// stockNamed converts keyword arguments into positional ones for Go: a marker, then names and values in turn.
// python/src/selfsame_ffi/_core/types/method.h says why.
const stockNamed = `_KWARGS: _typing.Any = _ffi.get_global_func("ffi.GetKwargsObject")()


def _named(kwargs: _typing.Mapping[str, _typing.Any]) -> _typing.Iterator[_typing.Any]:
    if kwargs:
        yield _KWARGS
    for item in kwargs.items():
        yield from item


`

// stockConstructor registers a class whose constructor is written in Go. tvm_ffi by itself would derive the constructor
// from the fields.
const stockConstructor = `def _register(key: str) -> _typing.Callable[[type], type]:
    def decorate(cls: type) -> type:
        _ffi.register_object(key, init=False)(cls)
        info = cls.__tvm_ffi_type_info__  # type: ignore[attr-defined]
        constructor = next(m.func for m in info.methods if m.name == "__ffi_init__")

        def __init__(self: _typing.Any, *args: _typing.Any, **kwargs: _typing.Any) -> None:
            self.__init_handle_by_constructor__(constructor, *args, *_named(kwargs))

        cls.__init__ = __init__  # type: ignore[misc]
        return cls

    return decorate


`

// stockKeywords lets methods take keyword arguments.
const stockKeywords = `def _keywords(cls: type, *names: str) -> None:
    for name in names:
        setattr(cls, name, _with_keywords(vars(cls)[name]))


def _with_keywords(member: _typing.Any) -> _typing.Any:
    static = isinstance(member, staticmethod)
    call = member.__func__ if static else member

    def method(*args: _typing.Any, **kwargs: _typing.Any) -> _typing.Any:
        return call(*args, *_named(kwargs)) if kwargs else call(*args)

    for attribute in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(method, attribute, getattr(call, attribute, getattr(method, attribute)))
    return staticmethod(method) if static else method


`

// stockMembers makes the members of an enum attributes of its class, if their names are not taken.
const stockMembers = `def _members(cls: _typing.Any) -> None:
    for member in cls.all_entries():
        name = str(member._str_index)
        if name.isidentifier() and not _keyword.iskeyword(name) and not hasattr(cls, name):
            setattr(cls, name, member)


`

// stockModuleHead writes the part of the module before the classes. It registers OverflowError, the error for a number
// out of range, which tvm_ffi does not know as an error kind.
func (w *writer) stockModuleHead() {
	enums := slices.ContainsFunc(w.module.Content.Classes, func(c model.Class) bool { return len(c.Members) > 0 })
	var constructors, keywords bool
	for _, c := range w.module.Content.Classes {
		constructors = constructors || inGo(c)
		keywords = keywords || len(keywordMethods(c)) > 0
	}
	w.line(0, "import ctypes as _ctypes")
	if enums {
		w.line(0, "import keyword as _keyword")
	}
	w.line(0, "import os as _os")
	w.line(0, "import typing as _typing")
	w.line(0, "")
	w.importRuntime()
	w.b.WriteString(stockHead)
	if constructors || keywords {
		w.b.WriteString(stockNamed)
	}
	if constructors {
		w.b.WriteString(stockConstructor)
	}
	if keywords {
		w.b.WriteString(stockKeywords)
	}
	if enums {
		w.b.WriteString(stockMembers)
	}
	w.line(0, "_ffi.register_error(\"OverflowError\", OverflowError)")
	w.line(0, "_load(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), %s))", quote(w.module.Library))
}

// inGo reports whether a class has a constructor that is written in Go.
func inGo(c model.Class) bool { return c.Init != nil && !c.Init.OfFields }

// header writes the decorator and the first line of a class.
func (w *writer) header(c model.Class, name string) error {
	parent := w.types.classes[c.Parent]
	if parent == "" {
		parent = "_ffi.Object"
	}
	w.line(0, "")
	w.line(0, "")
	switch {
	case w.module.Runtime == Selfsame:
		w.line(0, "@_ffi.register_object(%s, shared=True)", quote(c.Key))
	case w.module.isEnum(c):
		if base := w.module.enumBase(c); base != "" {
			parent = "_ffi.dataclasses." + base
		}
		w.line(0, "class %s(%s, type_key=%s):", name, parent, quote(c.Key))
		return nil
	case inGo(c):
		w.line(0, "@_register(%s)", quote(c.Key))
	default:
		if err := checkFieldNames(c); err != nil {
			return err
		}
		w.line(0, "@_ffi.register_object(%s)", quote(c.Key))
	}
	w.line(0, "class %s(%s):", name, parent)
	return nil
}

// checkFieldNames fails if the stock package cannot derive a constructor from the fields, because a parameter would
// have the name of a keyword.
func checkFieldNames(c model.Class) error {
	if c.Init == nil {
		return nil
	}
	names := slices.Clone(c.Init.ArgNames)
	for _, field := range c.Init.ByName {
		names = append(names, field.Name)
	}
	for _, name := range names {
		if slices.Contains(naming.Python.Keywords, name) {
			return fmt.Errorf("the stock package cannot make a constructor of %s with a parameter `%s`, a keyword of Python: "+
				"give the field another name, as in `ffi:\"name=%s_\"`", c.Key, name, name)
		}
	}
	return nil
}

// keywordMethods returns the methods of a class that accept keyword arguments.
func keywordMethods(c model.Class) []string {
	var names []string
	for _, m := range c.NamedMethods() {
		if m.Keywords {
			names = append(names, m.Name)
		}
	}
	return names
}

// keywords writes the call that lets the methods of a class accept keyword arguments.
func (w *writer) keywords(c model.Class, name string) {
	methods := keywordMethods(c)
	if len(methods) == 0 {
		return
	}
	for i := range methods {
		methods[i] = quote(methods[i])
	}
	w.line(0, "")
	w.line(0, "")
	w.line(0, "_keywords(%s, %s)", name, strings.Join(methods, ", "))
}

// stockFunctions writes the functions. At run time a name is the Function object itself; type checkers see a signature.
func (w *writer) stockFunctions(globals []global) {
	if len(globals) == 0 {
		return
	}
	w.line(0, "")
	w.line(0, "")
	w.line(0, "if _typing.TYPE_CHECKING:")
	for _, g := range globals {
		w.line(0, "")
		w.define(1, g.id, g.value, nil)
	}
	w.line(0, "")
	w.line(0, "else:")
	for _, g := range globals {
		w.line(1, "%s = _ffi.get_global_func(%s)", g.id, quote(g.value.Name))
	}
}
