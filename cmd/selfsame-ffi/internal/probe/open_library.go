package probe

import (
	"fmt"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/libload"
	"github.com/selfsame-ffi/selfsame/internal/reflection"
)

// open loads the library at path into this process, as a module, which stays loaded, and returns that. If `selfsame-ffi build`
// made the library, open waits until it has registered its classes and functions, and fails with the first registration error.
// Other libraries register theirs while they are loaded.
func open(path string) (module unsafe.Pointer, err error) {
	absolute, err := filepath.Abs(path) // dlopen looks for a name without a slash elsewhere
	if err != nil {
		return nil, err
	}
	loaded, err := reflection.CallGlobal("ffi.Module.load_from_file.so", absolute, "so")
	if err != nil {
		_, loader, ok := strings.Cut(err.Error(), "Failed to load dynamic shared library "+absolute+" ")
		if !ok {
			return nil, fmt.Errorf("the library cannot be loaded: %w", err)
		}
		return nil, fmt.Errorf("the library cannot be loaded: %w", libload.Why(absolute, loader))
	}
	return loaded.Pointer(), reflection.InitExtension(absolute)
}

// moduleFunctions describes the functions of these names that a module has.
func moduleFunctions(module unsafe.Pointer, names []string) ([]model.Function, error) {
	var found []model.Function
	for _, name := range names {
		f := model.Function{Name: name, Static: true, Module: true}
		doc, err := moduleText(module, "ffi.ModuleGetFunctionDoc", name)
		if err != nil {
			return nil, err
		}
		f.Doc = doc
		metadata, err := moduleText(module, "ffi.ModuleGetFunctionMetadata", name)
		if err != nil {
			return nil, err
		}
		if err := f.SetMetadata(metadata, false); err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, nil
}

// moduleText calls a global function that returns a text on a module's function, or none.
func moduleText(module unsafe.Pointer, function, name string) (string, error) {
	result, err := reflection.CallGlobal(function, abi.ObjectValue(module), name, abi.Bool(false))
	if err != nil {
		return "", fmt.Errorf("%s(%q): %w", function, name, err)
	}
	return reflection.Text(result), nil
}
