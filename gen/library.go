package gen

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Library is the libraries that a package which `selfsame-ffi bind --go` wrote is an interface of. Any goroutine may use it.
type Library struct {
	name    string   // of the package, in messages
	classes []string // type keys that the libraries register

	mu      sync.Mutex // guards what follows
	loaded  map[string]bool
	modules []*selfsame.Module
}

// NewLibrary returns the libraries of a package, none of them loaded, which register the classes of these type keys.
func NewLibrary(name string, classes ...string) *Library {
	return &Library{name: name, classes: classes, loaded: map[string]bool{}}
}

// Load loads libraries in turn, as [selfsame.LoadModule] does; those that it has loaded already it leaves out. It fails where
// LoadModule fails, and with a RuntimeError when they do not register all classes of the package. What was loaded stays
// loaded.
func (l *Library) Load(paths ...string) error {
	for _, path := range paths {
		if l.has(path) {
			continue
		}
		m, err := selfsame.LoadModule(path)
		if err != nil {
			return err
		}
		l.mu.Lock()
		if !l.loaded[path] {
			l.loaded[path] = true
			l.modules = append(l.modules, m)
		}
		l.mu.Unlock()
	}
	var missing []string
	for _, key := range l.classes {
		if bridge.TypeIndex(key) < 0 {
			missing = append(missing, key)
		}
	}
	if missing == nil {
		return nil
	}
	return fault.New("RuntimeError", "selfsame: %s.Load: the libraries lack %d of %d classes of the package, such as `%s`; load all "+
		"libraries of the package in one call, or write the package again with `selfsame-ffi bind --go` for this version of them: %s",
		l.name, len(missing), len(l.classes), missing[0], strings.Join(paths, ", "))
}

func (l *Library) has(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.loaded[path]
}

// export finds a function that one of the loaded libraries has as a module.
func (l *Library) export(name string) (*selfsame.Function, error) {
	l.mu.Lock()
	modules := l.modules // append never changes the elements that are there
	l.mu.Unlock()
	for _, m := range modules {
		if m.Has(name) {
			return m.Func(name)
		}
	}
	if modules == nil {
		return nil, fault.New("RuntimeError", "selfsame: %s: the library is not loaded; call %s.Load first", name, l.name)
	}
	return nil, fault.New("ValueError", "selfsame: %s: the loaded library has no such function; write the package again with "+
		"`selfsame-ffi bind --go` for this version of it", name)
}

// ExportOf returns a function that a library has as a module: a compiled kernel, or what TVM_FFI_DLL_EXPORT_TYPED_FUNC
// exports. It looks nothing up.
func ExportOf[F any](l *Library, name string) *Callee[F] {
	return &Callee[F]{call.NewFound(reflect.TypeFor[F](), name, func() (unsafe.Pointer, error) {
		f, err := l.export(name)
		if err != nil {
			return nil, err
		}
		return call.Retained(stateOf(f)), nil
	})}
}
