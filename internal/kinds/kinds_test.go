package kinds

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The table has the types with a fixed index that the published runtime has, under its keys.
func TestKeysAreThoseOfThePublishedRuntime(t *testing.T) {
	include, library := testenv.TvmFFI(t)
	dir := t.TempDir()
	source := filepath.Join(dir, "keys.c")
	text := `#include <stdio.h>
#include <tvm/ffi/c_api.h>
int main(void) {
  for (int i = 0; i < kTVMFFIStaticObjectEnd; i++) {
    if (i <= kTVMFFIUnchanged || i >= kTVMFFIStaticObjectBegin) printf("%d %s\n", i, TVMFFIGetTypeInfo(i)->type_key.data);
  }
}
`
	testenv.OK(t, os.WriteFile(source, []byte(text), 0o644))
	program := filepath.Join(dir, "keys")
	testenv.Run(t, "gcc", "-I", include, "-o", program, source, library, "-Wl,-rpath,"+filepath.Dir(library))
	var want strings.Builder
	for _, k := range All[1:] { // without Any, which is the type of no value
		fmt.Fprintf(&want, "%d %s\n", k.Index, k.Key)
	}
	if got := testenv.Run(t, program); got != want.String() {
		t.Errorf("the published runtime has\n%swant\n%s", got, want.String())
	}
}

func TestKindsAreFoundByIndexAndKey(t *testing.T) {
	for _, k := range All {
		byIndex, ok := Of(k.Index)
		byKey, ok2 := ByKey(k.Key)
		if !ok || !ok2 || byIndex != k || byKey != k {
			t.Errorf("%v is found as %v by its index and as %v by its key", k, byIndex, byKey)
		}
	}
	if k, ok := Of(abi.IndexDynObjectBegin); ok {
		t.Errorf("the index of a class is that of %v", k)
	}
}

// An origin of Python's schemas stands for one kind.
func TestOriginsAreThoseOfOneKind(t *testing.T) {
	main := map[string]string{}
	for _, k := range All {
		if other, ok := main[k.Origin()]; k.As == "" && ok {
			t.Errorf("%s and %s both have the origin %s", other, k.Key, k.Origin())
		}
		if k.As == "" {
			main[k.Origin()] = k.Key
		}
	}
	for _, k := range All {
		if main[k.Origin()] == "" {
			t.Errorf("no kind has the origin %s, as which %s is seen", k.Origin(), k.Key)
		}
	}
}

// A name in a schema, of native code or of Python, stands for one kind.
func TestNamesOfSchemasStandForKinds(t *testing.T) {
	for name, want := range map[string]string{
		"ffi.String": "ffi.String", "String": "ffi.String", "str": "ffi.String", "const char*": "ffi.String", "ffi.SmallStr": "ffi.String",
		"bytes": "ffi.Bytes", "dtype": "DataType", "DLTensor*": "ffi.Tensor", "Callable": "ffi.Function", "Function": "ffi.Function",
		"Object": "ffi.Object", "ObjectRValueRef": "ffi.Object", "ctypes.c_void_p": "void*", "int": "int", "ffi.BigInt": "int", "": "",
		"geo.Point": "", "Optional": "", "ffi.Nothing": "",
	} {
		if k, ok := Named(name); k.Seen().Key != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, k.Key, ok, want)
		}
	}
}

func TestScalarsHaveTheSizesAndNamesOfGo(t *testing.T) {
	for _, of := range []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
		reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
		reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](),
		reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	} {
		s, ok := ScalarOf(of.Kind())
		if !ok || int(s.Bits) != 8*int(of.Size()) {
			t.Errorf("%s has %d bits, want %d", of, s.Bits, 8*of.Size())
		}
		want := map[string]string{"int": "int64", "uint": "uint64", "uintptr": "uint64"}[of.String()]
		if want == "" {
			want = of.String()
		}
		if got := s.DataType().String(); got != want {
			t.Errorf("the data type of %s is %s, want %s", of, got, want)
		}
	}
	for _, kind := range []reflect.Kind{reflect.Invalid, reflect.String, reflect.Slice, reflect.UnsafePointer} {
		if s, ok := ScalarOf(kind); ok {
			t.Errorf("%s is the scalar %v", kind, s)
		}
	}
}

func TestDevicesHaveNamesOfTheirOwn(t *testing.T) {
	kinds := map[string]int32{}
	for _, d := range Devices {
		if d.Name() == "unknown" {
			t.Errorf("the device %d has no name", d.Type)
		}
		if len(d.Texts) > 0 && d.Texts[0] != d.Name() {
			t.Errorf("the device %d is printed as %s, which names none", d.Type, d.Name())
		}
		for _, text := range append(d.Texts, d.Name()) {
			if other, ok := kinds[text]; ok && other != d.Type {
				t.Errorf("%s names the devices %d and %d", text, other, d.Type)
			}
			kinds[text] = d.Type
		}
	}
}
