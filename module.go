package selfsame

import (
	"debug/elf"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Module is a handle of a native module: functions that were loaded together, most often from a shared library. There is one
// *Module per native module, released like a [Handle].
type Module struct {
	state handles.State
}

// LoadModule loads a shared library that was compiled with the tvm-ffi headers, or any other file that a loader is
// registered for. The library stays loaded until the program ends, because objects that its code made are released by its
// code. It fails when there is no such file, when the library cannot be loaded, and when its functions need a symbol that
// nothing in the process has.
func LoadModule(path string) (*Module, error) {
	m, err := callGlobal[*Module]("ffi.ModuleLoadFromFile", path)
	if err != nil {
		return nil, err
	}
	if _, err := callGlobal[any]("ffi.ModuleGlobalsAdd", m); err != nil {
		return nil, err
	}
	return m, nil
}

// Func is the function of a module with a name. It fails with a ValueError when there is none. The function keeps the
// module alive.
func (m *Module) Func(name string) (*Function, error) {
	f, err := callGlobal[Optional[*Function]]("ffi.ModuleGetFunction", m, name, false)
	if err != nil {
		return nil, err
	}
	if !f.OK {
		return nil, newError("ValueError", "selfsame: Module.Func: module `%s` has no function `%s`", m.Kind(), name)
	}
	return f.Value, nil
}

// Has says whether the module has a function with a name.
func (m *Module) Has(name string) bool {
	has, err := callGlobal[bool]("ffi.ModuleImplementsFunction", m, name, false)
	return err == nil && has
}

// Kind is what sort of module it is, such as "library".
func (m *Module) Kind() string {
	kind, err := callGlobal[string]("ffi.ModuleGetKind", m)
	if err != nil {
		panic(err)
	}
	return kind
}

// Doc is the documentation of a function that the module was compiled with, "" without.
func (m *Module) Doc(name string) string { return m.about("ffi.ModuleGetFunctionDoc", name) }

// Metadata is the JSON text that describes a function's types, "" when the module was compiled without.
func (m *Module) Metadata(name string) string { return m.about("ffi.ModuleGetFunctionMetadata", name) }

func (m *Module) about(function, name string) string {
	text, err := callGlobal[Optional[string]](function, m, name, false)
	if err != nil {
		return ""
	}
	return text.Value
}

// Import makes another module's functions available to this module's code. It fails with a RuntimeError when that would
// make a module import itself.
func (m *Module) Import(other *Module) error {
	_, err := callGlobal[any]("ffi.ModuleImportModule", m, other)
	return err
}

// Release gives the reference to the module back now. Any later use panics. The library stays loaded.
func (m *Module) Release() {
	if m != nil {
		m.state.Release()
	}
}

func (m *Module) nativeObject() unsafe.Pointer {
	if m == nil {
		return nil
	}
	p := m.state.Address()
	if p == nil {
		panic(newError("RuntimeError", "selfsame: Module: used after Release%s", storyOf(unsafe.Pointer(m))))
	}
	return p
}

// functionPrefix begins the symbols of a library's functions. Names that go on with an underscore are the library's
// documentation, metadata and context.
const functionPrefix = "__tvm_ffi_"

// LibraryFunctions lists the functions that a shared library offers to [Module.Func], without loading it.
func LibraryFunctions(path string) ([]string, error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("selfsame: %s: %w", path, err)
	}
	defer func() { _ = file.Close() }()
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("selfsame: %s: %w", path, err)
	}
	var names []string
	for _, s := range symbols {
		name, ok := strings.CutPrefix(s.Name, functionPrefix)
		if ok && s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC && !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// callGlobal calls one of the runtime's own functions.
func callGlobal[R any](name string, args ...any) (R, error) {
	f, err := GetFunc(name)
	if err != nil {
		return *new(R), err
	}
	out, err := CallAs[R](f, args...)
	runtime.KeepAlive(args)
	return out, err
}

var moduleClass = builtinClass("ffi.Module", abi.IndexModule, func(c *handles.State) any { return (*Module)(unsafe.Pointer(c)) })

func (m *Module) newConv() (*conv, error) {
	return containerConv(moduleClass, func(src unsafe.Pointer) unsafe.Pointer { return (*(**Module)(src)).nativeObject() }), nil
}

func init() { byIndex.Store(abi.IndexModule, moduleClass) }
