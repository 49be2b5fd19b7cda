package control

import (
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// containerFunctions returns the names of the builtin functions over containers.
func containerFunctions() []string {
	var names []string
	for _, group := range [][]builtin{arrayBuiltins(), listBuiltins(), mapBuiltins(), shapeBuiltins()} {
		for _, b := range group {
			names = append(names, b.name)
		}
	}
	return names
}

// A NULL object as any argument of a container function is an error and leaks nothing.
func TestNullArgumentsOfContainerFunctionsAreErrors(t *testing.T) {
	onThread(t)
	for _, name := range containerFunctions() {
		for n := 1; n <= 4; n++ {
			for at := 0; at < n; at++ {
				for index := abi.IndexStaticObjectBegin; index < abi.IndexStaticObjectEnd; index++ {
					args := []abi.Any{abi.Int(0), abi.Int(0), abi.Int(0), abi.Int(0)}[:n]
					args[at] = abi.Any{TypeIndex: index}
					if result, failure := call(t, name, args...); failure == "" {
						t.Errorf("%s takes a NULL object of type %d as argument %d of %d", name, index, at, n)
						plane.Reset(&result)
					} else if strings.Contains(failure, "panic") {
						t.Errorf("%s: %s", name, failure)
					}
				}
			}
		}
	}
}

// A NULL object as a key or value is an error and does not change the Dict.
func TestNullKeysAndValuesAreErrors(t *testing.T) {
	onThread(t)
	dict, failure := call(t, "ffi.Dict", abi.Int(1), abi.Int(2), abi.Int(3), abi.Int(4))
	if failure != "" {
		t.Fatal(failure)
	}
	defer plane.Reset(&dict)
	null := abi.Any{TypeIndex: abi.IndexStr}
	for _, name := range []string{"ffi.DictGetItem", "ffi.DictCount", "ffi.DictGetItemOrMissing", "ffi.DictErase"} {
		_, failure := call(t, name, dict, null)
		wantError(t, failure, "ValueError: ")
	}
	_, failure = call(t, "ffi.DictSetItem", dict, null, abi.Int(1))
	wantError(t, failure, "ValueError: ")
	_, failure = call(t, "ffi.DictSetItem", dict, abi.Int(1), null)
	wantError(t, failure, "ValueError: ")
	if n := abi.SeqOf(dict.Pointer()).Size; n != 2 {
		t.Errorf("%d entries, want 2", n)
	}
}
