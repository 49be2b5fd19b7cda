package control

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/shown"
)

// setGlobal registers a function, to which it takes a reference, under a name. info carries doc, metadata and flags. If
// the name is taken and override is false, it returns an error whose message ends with duplicate.
func setGlobal(name string, function unsafe.Pointer, info *abi.MethodInfo, override bool, duplicate string) error {
	if startHas(func() bool { return plane.FindName(name) != nil }) {
		return nil
	}
	old, err := putName(name, function, info, override, duplicate)
	if old != nil {
		plane.DecRef(old)
	}
	return err
}

// putName does the same as setGlobal, except that it returns the function that was replaced, or nil. The caller must
// release that function, without holding registry: its deleter may run any code.
func putName(name string, function unsafe.Pointer, info *abi.MethodInfo, override bool, duplicate string) (unsafe.Pointer, error) {
	registry.Lock()
	defer registry.Unlock()
	if known := plane.FindName(name); known != nil && known.InUse() && !override {
		return nil, errorf("RuntimeError", "Global Function `%s` is already registered%s", name, duplicate)
	}
	old, ok := plane.PutName(name, function, info)
	if !ok {
		return nil, errRaised
	}
	return old, nil
}

// functionIn returns the Function (borrowed) in a value, or nil if the value is no Function.
func functionIn(value *abi.Any) unsafe.Pointer {
	if value.TypeIndex == abi.IndexFunction {
		return value.Pointer()
	}
	return nil
}

// setGlobalMethod registers the function in info under the name in info, with its doc, metadata and flags. An error
// about the name is also printed to stderr, because C++ calls this from static constructors, whose callers may not
// report it.
func setGlobalMethod(info *abi.MethodInfo, override bool) error {
	name := info.Name.String()
	function := functionIn(&info.Method)
	if function == nil {
		return errorf("TypeError", "Cannot convert from type `%s` to `ffi.Function`", typeKeyOf(info.Method.TypeIndex))
	}
	const duplicate = ", possible causes:\n- Two GlobalDef().def registrations for the same function \nPlease remove the duplicate registration."
	err := setGlobal(name, function, info, override, duplicate)
	if e, ok := err.(*ffiError); ok {
		fmt.Fprintln(os.Stderr, shown.Text(e.Message))
	}
	return err
}

// removeGlobal removes a name and reports whether it was registered.
func removeGlobal(name string) bool {
	registry.Lock()
	entry := plane.FindName(name)
	var function unsafe.Pointer
	if entry != nil {
		function = entry.Remove()
	}
	registry.Unlock()
	plane.DecRef(function)
	return function != nil
}

// globalMetadata returns the metadata that was registered with a name.
func globalMetadata(name string) (string, error) {
	registry.Lock()
	defer registry.Unlock()
	entry := plane.FindName(name)
	if entry == nil || !entry.InUse() {
		return "", errorf("RuntimeError", "Global Function is not found: %s", name)
	}
	return entry.Info().Metadata.String(), nil
}
