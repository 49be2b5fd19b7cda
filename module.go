package selfsame

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/containers"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/libload"
)

// Module is a handle of a native module: functions that were loaded together, usually from a shared library. There is one
// *Module per native module. It owns one strong reference, released as that of a [Handle].
type Module struct {
	state handles.State
}

// LoadModule loads a shared library that was compiled with the tvm-ffi headers, or any other file that a loader is
// registered for. A name without a slash is looked for in the working directory, then in the folders of the system's loader.
// The classes and functions that the library registers are there when LoadModule returns; those of a Go package that
// `selfsame-ffi build` compiled, too. A library that is linked to libtvm_ffi.so finds the runtime of the program under that
// name, without a file. The library stays loaded for the life of the process, because the code of the library releases the
// objects that it made. LoadModule fails when there is no such file, when the library cannot be loaded, and when its
// functions need a symbol that no library in the process defines; the error says what to do. The name of a library may end with
// a version, as in libgeo.so.1, or be without an ending.
func LoadModule(path string) (*Module, error) {
	if path == "" {
		return nil, fault.New("ValueError", "selfsame: LoadModule: expected the path of a library, got an empty text")
	}
	file := libload.Resolve(path)
	if err := libload.Whole(file); err != nil {
		return nil, fault.New("RuntimeError", "selfsame: LoadModule: %s: %s", path, err)
	}
	var m *Module
	var err error
	if libload.IsLibrary(file) {
		m, err = callGlobal[*Module]("ffi.Module.load_from_file.so", file, "so")
	} else {
		m, err = callGlobal[*Module]("ffi.ModuleLoadFromFile", file)
	}
	if err != nil {
		return nil, loadError(path, file, err)
	}
	if lacking := libload.Lacking(file); lacking != nil {
		return nil, fault.New("RuntimeError", "selfsame: LoadModule: %s: %s", path, libload.Lacks(lacking))
	}
	if init := libload.Symbol(file, "SelfsameExtensionInit"); init != nil {
		if err := fault.Take(bridge.CallInit(init)); err != nil {
			return nil, err
		}
	}
	if _, err := callGlobal[any]("ffi.ModuleGlobalsAdd", m); err != nil {
		return nil, err
	}
	return m, nil
}

// loadError explains the error of the loader of shared libraries. Other errors it returns as they are.
func loadError(path, file string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	_, loader, ok := strings.Cut(e.Message, "Failed to load dynamic shared library "+file+" ")
	noLoader := strings.HasPrefix(e.Message, "Loader for `") || strings.HasPrefix(e.Message, "Failed to get file format")
	var why error
	switch {
	case ok:
		why = libload.Why(file, loader)
	case noLoader:
		why = libload.NoLoader(file)
	default:
		return err
	}
	if errors.Is(why, fs.ErrNotExist) {
		return fmt.Errorf("selfsame: LoadModule: %s: %w", path, why)
	}
	return fault.New("RuntimeError", "selfsame: LoadModule: %s: %s", path, why)
}

// Func returns the module's function of a name. It fails with a ValueError when there is none. The function keeps the module
// alive.
func (m *Module) Func(name string) (*Function, error) {
	f, err := callGlobal[Optional[*Function]]("ffi.ModuleGetFunction", m, name, false)
	if err != nil {
		return nil, err
	}
	if !f.OK {
		return nil, fault.New("ValueError", "selfsame: Module.Func: module `%s` has no function `%s`", m.Kind(), name)
	}
	return f.Value, nil
}

// Has reports whether the module has a function of a name.
func (m *Module) Has(name string) bool {
	has, err := callGlobal[bool]("ffi.ModuleImplementsFunction", m, name, false)
	return err == nil && has
}

// Kind returns what sort of module it is, such as "library".
func (m *Module) Kind() string {
	return fault.Must(callGlobal[string]("ffi.ModuleGetKind", m))
}

// Doc returns a function's documentation, "" when the module was compiled without.
func (m *Module) Doc(name string) string { return m.about("ffi.ModuleGetFunctionDoc", name) }

// Metadata returns the JSON text that describes a function's types, "" when the module was compiled without.
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

// Release releases the reference to the module now. Any later use panics, except a second Release, which does nothing.
// The library stays loaded.
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
		panic(fault.New("RuntimeError", "selfsame: Module: used after Release%s", fault.StoryOf(unsafe.Pointer(m))))
	}
	return p
}

// functionPrefix begins the symbols of a library's functions. An underscore after it marks the library's documentation,
// metadata and context instead.
const functionPrefix = "__tvm_ffi_"

// LibraryFunctions returns the sorted names of the functions that [Module.Func] would find in a shared library, without
// loading it. It fails when the file cannot be read as an ELF library.
func LibraryFunctions(path string) ([]string, error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("selfsame: LibraryFunctions: %s: %w", path, err)
	}
	defer func() { _ = file.Close() }()
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("selfsame: LibraryFunctions: %s: %w", path, err)
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

// callGlobal calls a builtin function. args stay alive for the call.
func callGlobal[R any](name string, args ...any) (R, error) {
	f, err := GetFunc(name)
	if err != nil {
		return *new(R), err
	}
	out, err := CallAs[R](f, args...)
	runtime.KeepAlive(args)
	return out, err
}

var moduleClass = typetable.NewBuiltin("ffi.Module", abi.IndexModule, func(s *handles.State) any { return (*Module)(unsafe.Pointer(s)) })

func (m *Module) newConv() (*convert.Conv, error) {
	return containers.HandleConv(moduleClass, func(src unsafe.Pointer) unsafe.Pointer { return (*(**Module)(src)).nativeObject() }), nil
}

func init() { typetable.ByIndex.Store(abi.IndexModule, moduleClass) }
