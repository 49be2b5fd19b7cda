package control

// #include <stdlib.h>
// #include "module_library.h"
// #include "calls/module_symbols.h"
import "C"

import (
	"encoding/binary"
	"math"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/librarybin"
	"github.com/selfsame-ffi/selfsame/internal/cxx"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Symbols of a library: a variable for the library's own module, and its import tree (package librarybin).
const (
	symbolLibraryContext = C.SS_LIBRARY_CONTEXT
	symbolLibraryBin     = C.SS_LIBRARY_BIN
)

// callLoader calls a global function that makes a module, which the caller owns. found is false if there is no such
// function.
func callLoader(name string, args ...abi.Any) (module abi.Any, found bool, err error) {
	function := plane.Global(name)
	if function == nil {
		return abi.Any{}, false, nil
	}
	defer plane.DecRef(function)
	module, ok := plane.Call(function, args)
	if !ok {
		return abi.Any{}, true, errRaised
	}
	if module.TypeIndex != abi.IndexModule {
		key := typeKeyOf(module.TypeIndex)
		graph.Release(module)
		return abi.Any{}, true, errorf("TypeError", "Cannot convert from type `%s` to `ffi.Module` (result of %s)", key, name)
	}
	return module, true, nil
}

// loadLibraryFile opens a shared library and makes its module. The library is never closed.
// RATIONALE.md, "Why a shared library stays loaded for the life of the process once a module was made of it".
func loadLibraryFile(path string) (abi.Any, error) {
	if strings.IndexByte(path, 0) >= 0 {
		return abi.Any{}, errorf("ValueError", "ffi.Module.load_from_file.so: argument 'path': expected no NUL byte, got %q", path)
	}
	c := C.CString(path)
	defer C.free(unsafe.Pointer(c))
	var message *C.char
	handle := C.ss_library_open(c, &message)
	if handle == nil {
		return abi.Any{}, errorf("InternalError", "Check failed: (lib_handle_ != nullptr) is false: Failed to load dynamic shared library %s %s",
			path, C.GoString(message))
	}
	return libraryModule(cxx.Library{Handle: handle})
}

// libraryModule makes the module of a library, or, if the library carries an import tree, all modules of the tree; it
// returns the root, which the caller owns.
func libraryModule(library cxx.Library) (abi.Any, error) {
	bin, ok1 := library.Symbol(symbolLibraryBin)
	context, ok2 := library.Symbol(symbolLibraryContext)
	if !ok1 || !ok2 {
		return abi.Any{}, errRaised
	}
	if err := setContextSymbols(library); err != nil {
		return abi.Any{}, err
	}
	if bin == nil {
		return ownModule(library, context)
	}
	payload, err := libraryPayload(bin)
	if err != nil {
		return abi.Any{}, err
	}
	tree, err := librarybin.Decode(payload)
	if err != nil {
		return abi.Any{}, errorf("InternalError", "%s is malformed: %s", symbolLibraryBin, err)
	}
	return makeTree(tree, library, context)
}

// setContextSymbols sets the library's variables for context symbols to the symbols that were registered under their
// names.
func setContextSymbols(library cxx.Library) error {
	for s := C.ss_context_symbols(); s != nil; s = C.ss_context_symbol_next(s) {
		variable, ok := library.Symbol(C.GoString((*C.char)(unsafe.Add(unsafe.Pointer(s), unsafe.Sizeof(*s)))))
		if !ok {
			return errRaised
		}
		if variable != nil {
			*(*unsafe.Pointer)(variable) = s.symbol
		}
	}
	return nil
}

// ownModule makes the module of the library itself, which the caller owns, and stores its address in the library's
// variable context, unless that is nil.
func ownModule(library cxx.Library, context unsafe.Pointer) (abi.Any, error) {
	module, ok := library.Module()
	if !ok {
		return abi.Any{}, errRaised
	}
	if context != nil {
		// Compiled code expects the C++ object, whose vptr lies before the header.
		*(*unsafe.Pointer)(context) = unsafe.Add(module.Pointer(), -8)
	}
	return module, nil
}

// libraryPayload returns a view of the bytes that follow the length at the address of symbolLibraryBin.
func libraryPayload(bin unsafe.Pointer) ([]byte, error) {
	size := binary.LittleEndian.Uint64(unsafe.Slice((*byte)(bin), 8))
	room := uint64(C.ss_symbol_size(bin))
	if size > math.MaxInt64-8 || room != 0 && size+8 > room {
		return nil, errorf("InternalError", "%s is malformed: its length is %d bytes, in a symbol of %d", symbolLibraryBin, size, room)
	}
	return unsafe.Slice((*byte)(unsafe.Add(bin, 8)), size), nil
}

// makeTree makes the modules of a tree, lets them import each other, and returns the root, which the caller owns.
func makeTree(tree []librarybin.Module, library cxx.Library, context unsafe.Pointer) (abi.Any, error) {
	modules := make([]abi.Any, 0, len(tree))
	defer func() {
		for _, m := range modules {
			graph.Release(m)
		}
	}()
	for _, entry := range tree {
		module, err := makeModule(entry, library, context)
		if err != nil {
			return abi.Any{}, err
		}
		modules = append(modules, module)
	}
	for i, entry := range tree {
		for _, child := range entry.Children {
			if !cxx.ModuleAddImport(modules[i].Pointer(), modules[child].Pointer()) {
				return abi.Any{}, errRaised
			}
		}
	}
	return retained(modules[0]), nil
}

// makeModule makes one module of a tree, which the caller owns.
func makeModule(entry librarybin.Module, library cxx.Library, context unsafe.Pointer) (abi.Any, error) {
	if entry.Kind == librarybin.OfLibrary {
		return ownModule(library, context)
	}
	view := abi.ByteArray{Data: unsafe.Pointer(unsafe.SliceData(entry.Bytes)), Size: uintptr(len(entry.Bytes))}
	content, ok := plane.NewBytes(&view)
	if !ok {
		return abi.Any{}, errRaised
	}
	defer graph.Release(content)
	loader := "ffi.Module.load_from_bytes." + entry.Kind
	module, found, err := callLoader(loader, content)
	if err == nil && !found {
		err = errorf("RuntimeError", "Library binary was created using {%s} but a loader of that name is not registered. "+
			"Make sure to have runtime that registers %s", entry.Kind, loader)
	}
	return module, err
}
