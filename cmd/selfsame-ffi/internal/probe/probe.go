// Package probe loads shared libraries and reads what they register.
//
// The tool links the runtime and exports its C functions (-rdynamic), so a library binds to the tool as it would bind
// to libselfsame.so in Python. Two Go runtimes may then share a process, and init functions may print, panic or exit. Run
// therefore loads the library in a child process.
package probe

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/reflection"
)

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
	firstType := reflection.TypeIndexEnd()
	before, err := reflection.GlobalNames()
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
	for index := firstType; index < reflection.TypeIndexEnd(); index++ {
		info := reflection.TypeInfo(index)
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
	after, err := reflection.GlobalNames()
	if err != nil {
		return nil, err
	}
	for _, name := range after {
		if known[name] {
			continue
		}
		f := model.Function{Name: name, Static: true}
		metadata, err := reflection.CallGlobal("ffi.GetGlobalFuncMetadata", name)
		if err != nil {
			return nil, fmt.Errorf("ffi.GetGlobalFuncMetadata(%q): %w", name, err)
		}
		if err := f.SetMetadata(reflection.Text(metadata), false); err != nil {
			return nil, err
		}
		lib.Functions = append(lib.Functions, f)
	}
	lib.Functions = append(lib.Functions, exported...)
	return lib, nil
}
