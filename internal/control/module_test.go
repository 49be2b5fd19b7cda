package control

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// buildLibrary compiles testdata/library.c, with an import tree if payload is not nil, and returns the library's path.
func buildLibrary(t *testing.T, payload []byte) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), "library.so")
	args := []string{"-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", filepath.Join("..", "..", "abi", "include"), "-o", library}
	if payload != nil {
		var list []string
		for _, b := range payload {
			list = append(list, fmt.Sprint(b))
		}
		args = append(args, "-DTREE="+strings.Join(list, ","))
	}
	testenv.Run(t, "gcc", append(args, filepath.Join("testdata", "library.c"))...)
	return library
}

func loadModule(t *testing.T, path string) abi.Any {
	t.Helper()
	module, failure := call(t, "ffi.ModuleLoadFromFile", str(t, path))
	if failure != "" {
		t.Fatal(failure)
	}
	return module
}

func moduleFunction(t *testing.T, module abi.Any, name string) abi.Any {
	t.Helper()
	function, failure := call(t, "ffi.ModuleGetFunction", module, str(t, name), abi.Bool(false))
	if failure != "" {
		t.Fatal(failure)
	}
	return function
}

// A library's module has its functions and their docs, and a function keeps its module alive.
// Requirement: A9
func TestLibraryModuleHasItsFunctions(t *testing.T) {
	onThread(t)
	module := loadModule(t, buildLibrary(t, nil))
	add := moduleFunction(t, module, "add")
	defer plane.Reset(&add)
	if got := moduleFunction(t, module, "absent"); got.TypeIndex != abi.IndexNone {
		t.Errorf("a function that is not there is %+v", got)
	}
	doc, failure := call(t, "ffi.ModuleGetFunctionDoc", module, str(t, "add"), abi.Bool(false))
	if text, _ := doc.Text(); text != "adds two integers" {
		t.Errorf("the doc is %q %s", text, failure)
	}
	plane.Reset(&doc)
	_, failure = call(t, "ffi.ModuleGetFunctionDoc", module, str(t, "call"), abi.Bool(false))
	wantError(t, failure, "TypeError: the symbol __tvm_ffi__doc_call must give a str")
	plane.Reset(&module)
	sum, ok := plane.Call(add.Pointer(), []abi.Any{abi.Int(20), abi.Int(22)})
	if !ok || sum.Int64() != 42 {
		t.Errorf("20 + 22 is %+v", sum)
	}
	if _, ok := plane.Call(add.Pointer(), nil); ok {
		t.Error("add took no arguments")
	}
	wantError(t, takeRaised(), "TypeError: add takes 2 arguments")
}

// The field imports_ holds the imported modules, and an import that would close a cycle is an error.
// Requirement: A9
func TestImportsFieldHoldsImportedModules(t *testing.T) {
	onThread(t)
	path := buildLibrary(t, nil)
	a, b := loadModule(t, path), loadModule(t, path)
	defer plane.Reset(&a)
	defer plane.Reset(&b)
	if _, failure := call(t, "ffi.ModuleImportModule", a, b); failure != "" {
		t.Fatal(failure)
	}
	_, failure := call(t, "ffi.ModuleImportModule", b, a)
	wantError(t, failure, "RuntimeError: Cyclic dependency detected during import")
	field := &plane.TypeAt(abi.IndexModule).Info().OwnFields()[0]
	imports := make([]abi.Any, 1)
	if !plane.ReadFields([]*abi.FieldInfo{field}, []unsafe.Pointer{a.Pointer()}, imports) {
		t.Fatal(takeRaised())
	}
	defer plane.Reset(&imports[0])
	if items := abi.SeqOf(imports[0].Pointer()).Items(); len(items) != 1 || items[0].Bits != b.Bits {
		t.Errorf("%s holds %v", field.Name.String(), items)
	}
}

// A file or library that cannot be loaded raises an error that says why.
// Requirement: A9
func TestFailingLoadsSayWhy(t *testing.T) {
	onThread(t)
	for path, want := range map[string]string{
		"no_extension":   "RuntimeError: Failed to get file format from no_extension",
		"a.unheard":      "RuntimeError: Loader for `.unheard` files is not registered",
		"/no/such/x.dll": "InternalError: Check failed: (lib_handle_ != nullptr) is false: Failed to load dynamic shared library /no/such/x.dll",
		"nul\x00.so":     "ValueError: ffi.Module.load_from_file.so: argument 'path': expected no NUL byte, got ",
	} {
		_, failure := call(t, "ffi.ModuleLoadFromFile", str(t, path))
		wantError(t, failure, want)
	}
	_, failure := call(t, "ffi.ModuleLoadFromFile", abi.Int(1))
	wantError(t, failure, "TypeError: Mismatched type on argument #0")
	_, failure = call(t, "ffi.SystemLib", abi.Int(1))
	wantError(t, failure, "TypeError: Cannot convert from type `int` to `str`")
}

func u64s(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func withSize(payload []byte) []byte { return append(u64s(uint64(len(payload))), payload...) }

// A library with an import tree becomes the modules of the tree; a malformed tree is an error.
// Requirement: A9
func TestEmbeddedTreeBecomesModules(t *testing.T) {
	onThread(t)
	// The root is the library, and imports the same library again: two modules of one file.
	whole := withSize(append(append(u64s(3, 0, 1, 1, 1, 1, 4), "_lib"...), append(u64s(4), "_lib"...)...))
	module := loadModule(t, buildLibrary(t, whole))
	defer plane.Reset(&module)
	imports, failure := call(t, "ffi.ModuleGetFunction", module, str(t, "add"), abi.Bool(true))
	if failure != "" || imports.TypeIndex != abi.IndexFunction {
		t.Errorf("add is %+v %s", imports, failure)
	}
	plane.Reset(&imports)
	for name, payload := range map[string][]byte{
		"a length beyond the symbol": append(u64s(1<<40), whole[8:]...),
		"a length that overflows":    append(u64s(^uint64(0)), whole[8:]...),
		"a truncated tree":           append(u64s(40), whole[8:]...),
		"nothing":                    u64s(0),
	} {
		_, failure := call(t, "ffi.ModuleLoadFromFile", str(t, buildLibrary(t, payload)))
		if !strings.HasPrefix(failure, "InternalError: __tvm_ffi__library_bin is malformed") {
			t.Errorf("%s: %q", name, failure)
		}
	}
	unknown := withSize(append(append(u64s(2, 0, 0, 0, 3), "xyz"...), u64s(0)...))
	_, failure = call(t, "ffi.ModuleLoadFromFile", str(t, buildLibrary(t, unknown)))
	wantError(t, failure, "RuntimeError: Library binary was created using {xyz} but a loader of that name is not registered.")
}

func inThreads(n int, work func(thread int)) {
	var group sync.WaitGroup
	for thread := range n {
		group.Add(1)
		go func() {
			defer group.Done()
			runtime.LockOSThread()
			work(thread)
		}()
	}
	group.Wait()
}

// Many threads load and import modules at the same time: no import is lost, and every import that would close a cycle
// fails.
// Requirement: A9
func TestImportsFromManyThreadsAreAllKept(t *testing.T) {
	onThread(t)
	path := buildLibrary(t, nil)
	root := loadModule(t, path)
	defer plane.Reset(&root)
	const threads, each = 16, 20
	inThreads(threads, func(int) {
		for range each {
			module := loadModule(t, path)
			if _, failure := call(t, "ffi.ModuleImportModule", root, module); failure != "" {
				t.Error(failure)
			}
			if _, failure := call(t, "ffi.ModuleImportModule", module, root); !strings.Contains(failure, "Cyclic") {
				t.Errorf("a circle: %q", failure)
			}
			plane.Reset(&module)
		}
	})
	list := *(*unsafe.Pointer)(unsafe.Add(root.Pointer(), abi.BodyOffset))
	if n := abi.SeqOf(list).Size; n != threads*each {
		t.Errorf("%d imports, want %d", n, threads*each)
	}
	if _, failure := call(t, "ffi.ModuleClearImports", root); failure != "" {
		t.Error(failure)
	}
}

// Many threads look up functions for the code of one module at the same time.
// Requirement: A9
func TestLookUpsFromManyThreadsAgree(t *testing.T) {
	onThread(t)
	path := buildLibrary(t, nil)
	child := loadModule(t, path)
	root := loadModule(t, path) // the module that the library's code uses is the one loaded last
	defer plane.Reset(&root)
	if _, failure := call(t, "ffi.ModuleImportModule", root, child); failure != "" {
		t.Fatal(failure)
	}
	plane.Reset(&child)
	through := moduleFunction(t, root, "call")
	defer plane.Reset(&through)
	lookUp := func(name string, args ...abi.Any) (abi.Any, string) {
		text := append([]byte(name), 0)
		pin := new(runtime.Pinner)
		defer pin.Unpin()
		pin.Pin(&text[0])
		view := abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(uintptr(unsafe.Pointer(&text[0])))}
		result, ok := plane.Call(through.Pointer(), append([]abi.Any{view}, args...))
		if !ok {
			return result, takeRaised()
		}
		return result, ""
	}
	inThreads(16, func(thread int) {
		for i := range 50 {
			sum, failure := lookUp("add", abi.Int(int64(i)), abi.Int(int64(thread)))
			if failure != "" || sum.Int64() != int64(i+thread) {
				t.Errorf("%d + %d is %+v %s", i, thread, sum, failure)
			}
			text := str(t, "a string of some length")
			got, failure := lookUp("ffi.String", text)
			if failure != "" || got.Bits != text.Bits {
				t.Errorf("ffi.String: %+v %s", got, failure)
			}
			plane.Reset(&got)
		}
	})
	_, failure := lookUp("nobody")
	wantError(t, failure, "RuntimeError: Cannot find function nobody in the imported modules or global registry.")
}

// ffi.ModuleGlobalsAdd and ffi.ModuleGlobalsRemove may be repeated, and leave no reference behind.
// Requirement: A9
func TestGlobalModulesAreAddedAndRemoved(t *testing.T) {
	onThread(t)
	module := loadModule(t, buildLibrary(t, nil))
	for _, function := range []string{"ffi.ModuleGlobalsAdd", "ffi.ModuleGlobalsAdd", "ffi.ModuleGlobalsRemove", "ffi.ModuleGlobalsRemove"} {
		if _, failure := call(t, function, module); failure != "" {
			t.Fatal(failure)
		}
	}
	plane.Reset(&module)
}

// Each of many modules that are kept alive has one reference more, and is found again when it is let go of.
func TestManyModulesAreKeptAlive(t *testing.T) {
	onThread(t)
	path := buildLibrary(t, nil)
	modules := make([]abi.Any, 200)
	before := make([]uint32, len(modules))
	for i := range modules {
		modules[i] = loadModule(t, path)
		defer plane.Reset(&modules[i])
		before[i] = uint32(abi.StrongCount(modules[i].Pointer()))
	}
	each := func(function string, more uint32) {
		for i, module := range modules {
			if _, failure := call(t, function, module); failure != "" {
				t.Fatal(failure)
			}
			if got := uint32(abi.StrongCount(module.Pointer())); got != before[i]+more {
				t.Fatalf("%s: %d references to module %d, want %d", function, got, i, before[i]+more)
			}
		}
	}
	each("ffi.ModuleGlobalsAdd", 1)
	each("ffi.ModuleGlobalsAdd", 1)
	each("ffi.ModuleGlobalsRemove", 0)
	each("ffi.ModuleGlobalsRemove", 0)
}
