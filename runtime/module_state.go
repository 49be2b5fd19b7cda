package runtime

import "C"

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/cxx"
	"github.com/selfsame-ffi/selfsame/abi/plane"
)

// What the process keeps about modules. No code of others runs while a lock here is held.
var (
	keptLock sync.Mutex
	kept     = map[unsafe.Pointer]bool{} // a strong reference each

	systemLock    sync.Mutex
	systemModules = map[string]abi.Any{} // by prefix, for good

	lookupLock sync.Mutex // guards the look-up caches of all modules
)

// registerModuleType describes modules to reflection.
func registerModuleType() error {
	if err := registerMetadata(abi.IndexModule, &abi.TypeMetadata{TotalSize: 48}); err != nil {
		return err
	}
	if err := registerAttr(abi.IndexModule, "__ffi_type_final__", abi.Bool(true)); err != nil {
		return err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	text := func(s string) abi.ByteArray {
		data := unsafe.StringData(s)
		pin.Pin(data)
		return abi.ByteArray{Data: unsafe.Pointer(data), Size: uintptr(len(s))}
	}
	return registerField(abi.IndexModule, &abi.FieldInfo{
		Name:            text("imports_"),
		Metadata:        text(schemaMetadata(`{"type":"ffi.Array","args":[{"type":"Any"}]}`)),
		Size:            8,
		Alignment:       8,
		Offset:          abi.BodyOffset,
		Getter:          cxx.ModuleImportsGetter(),
		StaticTypeIndex: abi.IndexArray,
	})
}

// keepModule keeps a module until dropModule, or for good.
func keepModule(module unsafe.Pointer) {
	keptLock.Lock()
	defer keptLock.Unlock()
	if !kept[module] {
		abi.IncRef(module)
		kept[module] = true
	}
}

func dropModule(module unsafe.Pointer) {
	keptLock.Lock()
	had := kept[module]
	delete(kept, module)
	keptLock.Unlock()
	if had {
		plane.DecRef(module)
	}
}

// systemLibrary is the module of the symbols registered in the program, one for each prefix.
func systemLibrary(args []abi.Any) (abi.Any, error) {
	prefix := ""
	if len(args) > 0 {
		if !strParam.accepts(args[0].TypeIndex) {
			return abi.Any{}, errorf("TypeError", "Cannot convert from type `%s` to `str`", valueTypeKey(&args[0]))
		}
		prefix = text(&args[0])
	}
	if strings.IndexByte(prefix, 0) >= 0 {
		return abi.Any{}, errorf("ValueError", "ffi.SystemLib: the prefix has a NUL in it: %q", prefix)
	}
	systemLock.Lock()
	module, ok := systemModules[prefix]
	systemLock.Unlock()
	if ok {
		return retained(module), nil
	}
	made, err := libraryModule(cxx.Library{SystemPrefix: prefix})
	if err != nil {
		return abi.Any{}, err
	}
	systemLock.Lock()
	module, ok = systemModules[prefix]
	if !ok {
		module = made
		systemModules[prefix] = retained(made)
	}
	systemLock.Unlock()
	if ok { // another thread was faster
		containers.Release(made)
		return retained(module), nil
	}
	return module, nil
}

// moduleCache is the Map in which a module keeps the functions found for it.
func moduleCache(module unsafe.Pointer) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(module, abi.BodyOffset+8))
}

// lookUpFunction finds a function for a module's compiled code: in what the module imports, then among the global
// functions. The result is borrowed from the module, which keeps it.
func lookUpFunction(module unsafe.Pointer, name string) (unsafe.Pointer, error) {
	key, err := newString(name)
	if err != nil {
		return nil, err
	}
	defer containers.Release(key)
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

func cachedFunction(module unsafe.Pointer, key *abi.Any) (unsafe.Pointer, error) {
	lookupLock.Lock()
	defer lookupLock.Unlock()
	return findCached(module, key)
}

func findCached(module unsafe.Pointer, key *abi.Any) (unsafe.Pointer, error) {
	cache := *moduleCache(module)
	if cache == nil {
		return nil, nil
	}
	entry, err := containers.Find(cache, key)
	if err != nil || entry == nil {
		return nil, err
	}
	return entry.Value.Pointer(), nil
}

// cacheFunction takes over a function that was found and gives the one that is kept. The Map is replaced, not changed:
// one that C++ made may be too small to grow, or somebody may hold it.
func cacheFunction(module unsafe.Pointer, key *abi.Any, found abi.Any) (unsafe.Pointer, error) {
	lookupLock.Lock()
	defer lookupLock.Unlock()
	known, err := findCached(module, key)
	if known != nil || err != nil {
		containers.Release(found)
		return known, err
	}
	slot := moduleCache(module)
	var next unsafe.Pointer
	if *slot == nil {
		next, err = containers.NewMap(abi.IndexMap)
	} else {
		next, err = containers.CopyMap(*slot, abi.IndexMap)
	}
	if err != nil {
		containers.Release(found)
		return nil, err
	}
	function := found.Pointer()
	if err := containers.Set(next, container.Retain(*key), found); err != nil {
		plane.DecRef(next)
		return nil, err
	}
	old := *slot
	*slot = next
	plane.DecRef(old) // frees a Map whose functions live on in the new one
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
