package runtime

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
)

// setGlobal puts a function (borrowed) under a name. info carries doc, metadata and flags.
func setGlobal(name string, function unsafe.Pointer, info *abi.MethodInfo, override bool, duplicate string) error {
	old, err := putName(name, function, info, override, duplicate)
	if old != nil {
		plane.DecRef(old)
	}
	return err
}

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

// functionIn reads a Function handle out of a value; an rvalue reference is looked through, not taken.
func functionIn(value *abi.Any) unsafe.Pointer {
	if value.TypeIndex == abi.IndexFunction {
		return value.Pointer()
	}
	return nil
}

// setGlobalMethod registers a function together with its description.
func setGlobalMethod(info *abi.MethodInfo, override bool) error {
	name := info.Name.String()
	function := functionIn(&info.Method)
	if function == nil {
		return errorf("TypeError", "Cannot convert from type `%s` to `ffi.Function`", typeKeyOf(info.Method.TypeIndex))
	}
	const duplicate = ", possible causes:\n- Two GlobalDef().def registrations for the same function \nPlease remove the duplicate registration."
	err := setGlobal(name, function, info, override, duplicate)
	if e, ok := err.(*ffiError); ok {
		fmt.Fprintln(os.Stderr, e.Message)
	}
	return err
}

// removeGlobal takes a name out of the table and says whether it was there.
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

// globalMetadata is the metadata registered with a name.
func globalMetadata(name string) (string, error) {
	registry.Lock()
	defer registry.Unlock()
	entry := plane.FindName(name)
	if entry == nil || !entry.InUse() {
		return "", errorf("RuntimeError", "Global Function is not found: %s", name)
	}
	return entry.Info().Metadata.String(), nil
}

// globalNames lists the registered names, the first registered first.
func globalNames() ([]string, error) {
	registry.Lock()
	defer registry.Unlock()
	names, ok := plane.Names()
	if !ok {
		return nil, errRaised
	}
	return names, nil
}
