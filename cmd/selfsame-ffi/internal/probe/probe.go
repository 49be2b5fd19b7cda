// Package probe loads shared libraries and reads what they register.
//
// The tool links the runtime and exports its C functions (-rdynamic), so a library binds to the tool as it would bind
// to libselfsame.so in Python. Two Go runtimes may then share a process, and init functions may print, panic or exit. Run therefore loads the library in a child process.
package probe

// #cgo CFLAGS: -I${SRCDIR}/../../../../abi/include -std=c11 -Wall -Wextra
// #cgo LDFLAGS: -ldl -rdynamic
// #include <stdlib.h>
// #include "selfsame/selfsame.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	_ "github.com/selfsame-ffi/selfsame/internal/control" // for its C functions
)

// ABIVersion returns the version of the C ABI that the linked runtime implements.
func ABIVersion() string {
	var v C.TVMFFIVersion
	C.TVMFFIGetVersion(&v)
	return fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch)
}

// Source is a library to load, with the names of the functions that it has as a module.
type Source struct {
	Path    string   `json:"path"`
	Exports []string `json:"exports,omitempty"`
}

// Load opens the libraries in turn, runs their registrations and returns what they added to the type table and to the
// global functions, and the functions that they have as modules. The libraries stay loaded.
func Load(sources []Source) (*model.Library, error) {
	runtime.LockOSThread() // the raised error is thread-local
	defer runtime.UnlockOSThread()
	firstType := int32(C.SelfsameTypeIndexEnd())
	before, err := globalNames()
	if err != nil {
		return nil, err
	}
	lib := &model.Library{}
	var exported []model.Function
	for _, source := range sources {
		module, err := open(source.Path)
		if err != nil {
			return nil, err
		}
		functions, err := moduleFunctions(module, source.Exports)
		if err != nil {
			return nil, err
		}
		exported = append(exported, functions...)
	}
	for index := firstType; index < int32(C.SelfsameTypeIndexEnd()); index++ {
		info := (*abi.TypeInfo)(unsafe.Pointer(C.SelfsameFindTypeInfo(C.int32_t(index))))
		if info == nil || strings.HasPrefix(info.Key.String(), "selfsame.") { // a class of the frontend
			continue
		}
		c, err := readClass(info)
		if err != nil {
			return nil, fmt.Errorf("class %s: %w", info.Key.String(), err)
		}
		lib.Classes = append(lib.Classes, c)
	}
	known := map[string]bool{}
	for _, name := range before {
		known[name] = true
	}
	after, err := globalNames()
	if err != nil {
		return nil, err
	}
	for _, name := range after {
		if known[name] {
			continue
		}
		f := model.Function{Name: name, Static: true}
		metadata, err := callText("ffi.GetGlobalFuncMetadata", name)
		if err != nil {
			return nil, err
		}
		if err := f.SetMetadata(metadata, false); err != nil {
			return nil, err
		}
		lib.Functions = append(lib.Functions, f)
	}
	lib.Functions = append(lib.Functions, exported...)
	return lib, nil
}

// raised fetches and clears the raised error of the calling thread.
func raised() error {
	var handle C.TVMFFIObjectHandle
	C.TVMFFIErrorMoveFromRaised(&handle)
	if handle == nil {
		return errors.New("the call failed and left no error behind")
	}
	defer C.TVMFFIObjectDecRef(handle)
	cell := abi.ErrorOf(unsafe.Pointer(handle))
	return fmt.Errorf("%s: %s", cell.Kind.String(), cell.Message.String())
}
