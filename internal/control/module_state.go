package control

// #include <stdlib.h>
// #include "fork_state.h"
import "C"

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/cxx"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// lookupLock guards the caches of found functions of all modules (moduleCache). Code that holds it must not release an
// object or call a function that may run code of others; the one exception is explained in cacheFunction. The tables of
// modules are in fork_state.c.
var lookupLock sync.Mutex

// registerModuleType registers the metadata and the fields of ffi.Module.
func registerModuleType() error {
	if err := registerMetadata(abi.IndexModule, &abi.TypeMetadata{TotalSize: 48}); err != nil {
		return err
	}
	if err := registerAttr(abi.IndexModule, "__ffi_type_final__", abi.Bool(true)); err != nil {
		return err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	return registerField(abi.IndexModule, &abi.FieldInfo{
		Name:            pinnedText(&pin, "imports_"),
		Metadata:        pinnedText(&pin, schemaMetadata(`{"type":"ffi.Array","args":[{"type":"Any"}]}`)),
		Size:            8,
		Alignment:       8,
		Offset:          abi.BodyOffset,
		Getter:          cxx.ModuleImportsGetter(),
		StaticTypeIndex: abi.IndexArray,
	})
}

// systemLibrary returns the module of the symbols that the program registered with TVMFFIEnvModRegisterSystemLibSymbol,
// one module for each prefix. The caller owns the reference.
func systemLibrary(args []abi.Any) (abi.Any, error) {
	prefix := ""
	if len(args) > 0 {
		if !strParam.accepts(args[0].TypeIndex) {
			return abi.Any{}, errorf("TypeError", "Cannot convert from type `%s` to `str`", valueTypeKey(&args[0]))
		}
		prefix = text(&args[0])
	}
	if strings.IndexByte(prefix, 0) >= 0 {
		return abi.Any{}, errorf("ValueError", "ffi.SystemLib: argument 'prefix': expected no NUL byte, got %q", prefix)
	}
	c := C.CString(prefix)
	defer C.free(unsafe.Pointer(c))
	module := unsafe.Pointer(C.ss_system_module_find(c))
	if module != nil {
		return retained(abi.ObjectValue(module)), nil
	}
	made, err := libraryModule(cxx.Library{SystemPrefix: prefix})
	if err != nil {
		return abi.Any{}, err
	}
	defer graph.Release(made)
	module = unsafe.Pointer(C.ss_system_module_put(c, (*C.TVMFFIObject)(made.Pointer()))) // another thread's, if that was first
	if module == nil {
		return abi.Any{}, errRaised
	}
	return retained(abi.ObjectValue(module)), nil
}

// moduleCache returns the address of the module's pointer to its cache: the Map that owns the functions which
// lookUpFunction found for the module.
func moduleCache(module unsafe.Pointer) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(module, abi.BodyOffset+8))
}

// lookUpFunction finds a function for the compiled code of a module: in the modules that it imports, then among the
// global functions. The result is borrowed; the module's cache owns it.
func lookUpFunction(module unsafe.Pointer, name string) (unsafe.Pointer, error) {
	key, err := newString(name)
	if err != nil {
		return nil, err
	}
	defer graph.Release(key)
	if function, err := cachedFunction(module, &key); function != nil || err != nil {
		return function, err
	}
	found, ok := cxx.ModuleFunctionOfImports(module, &key)
	if !ok {
		return nil, errRaised
	}
	if found.TypeIndex == abi.IndexNone {
		found = abi.ObjectValue(plane.Global(name))
	}
	if found.TypeIndex == abi.IndexNone {
		return nil, errorf("RuntimeError", "Cannot find function %s in the imported modules or global registry.", name)
	}
	return cacheFunction(module, &key, found)
}

// cachedFunction returns the cached function of a name (borrowed), or nil.
func cachedFunction(module unsafe.Pointer, key *abi.Any) (unsafe.Pointer, error) {
	lookupLock.Lock()
	defer lookupLock.Unlock()
	return findCachedLocked(module, key)
}

// findCachedLocked does cachedFunction's work for a caller that holds lookupLock.
func findCachedLocked(module unsafe.Pointer, key *abi.Any) (unsafe.Pointer, error) {
	cache := *moduleCache(module)
	if cache == nil {
		return nil, nil
	}
	entry, err := graph.Find(cache, key)
	if err != nil || entry == nil {
		return nil, err
	}
	return entry.Value.Pointer(), nil
}

// cacheFunction takes ownership of a function that was found and returns the cached one (borrowed), which is another if
// another thread stored one first. The Map is replaced, not changed: one that C++ made may be too small to grow, or may
// have other owners.
func cacheFunction(module unsafe.Pointer, key *abi.Any, found abi.Any) (unsafe.Pointer, error) {
	lookupLock.Lock()
	defer lookupLock.Unlock()
	known, err := findCachedLocked(module, key)
	if known != nil || err != nil {
		graph.Release(found)
		return known, err
	}
	cache := moduleCache(module)
	var next unsafe.Pointer
	ok := false
	if *cache == nil {
		next, ok = plane.MapOf(abi.IndexMap, nil)
	} else {
		next, ok = plane.CopyMap(*cache, abi.IndexMap)
	}
	defer graph.Release(found) // the Map has a reference of its own
	if !ok {
		return nil, errRaised
	}
	function := found.Pointer()
	if !plane.SetInMap(next, key, &found) {
		plane.DecRef(next)
		return nil, errRaised
	}
	old := *cache
	*cache = next
	plane.DecRef(old) // under the lock: the functions in the old Map stay alive, because the new one owns them too
	return function, nil
}

//export ssgo_module_lookup
func ssgo_module_lookup(module unsafe.Pointer, name *C.char, out *unsafe.Pointer) int32 {
	return guarded(func() error {
		function, err := lookUpFunction(module, C.GoString(name))
		*out = function
		return err
	})
}
