package selfsame

import (
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

type shared struct {
	Object
	X int64
	Y int64 `ffi:"ro"`
}

func (s *shared) sum() int64 { return s.X + s.Y }

// described returns what a library says of a class that has the methods of adopt.Model, or of one without methods.
func described(t *testing.T, goType reflect.Type, methods bool) string {
	t.Helper()
	model := testenv.Value(modelOnce())(t)
	attr := bridge.TypeAttr(model.TypeIndex(), registry.GoTypeAttr)
	text, _ := attr.Text()
	_, parts, found := strings.Cut(text, "\n")
	if !found || !strings.HasPrefix(parts, "sum ") {
		t.Fatalf("adopt.Model says %q of itself", text)
	}
	if !methods {
		return registry.GoTypeText(goType)
	}
	return registry.GoTypeText(goType) + "\n" + parts
}

// otherLibrary registers a class as another library does that has described it so ("": not at all), with a Function for each
// method.
func otherLibrary(t *testing.T, key, described string, methods map[string]string) int32 {
	t.Helper()
	index, failed := bridge.RegisterType(key, 1, abi.IndexObject, false)
	check := func(failed unsafe.Pointer) {
		t.Helper()
		testenv.OK(t, fault.Take(failed))
	}
	check(failed)
	if described == "" {
		return index
	}
	text := testenv.Value(values.NewText(described))(t)
	defer values.Release(text)
	check(bridge.RegisterAttr(index, registry.GoTypeAttr, text))
	for i, name := range []string{"x", "y"} {
		check(bridge.RegisterField(index, &bridge.Field{Name: name, Where: key, Size: 8, Align: 8, Offset: uintptr(24 + 8*i),
			Type: bridge.NewType(bridge.KindI64, nil, nil, "int")}))
	}
	check(bridge.RegisterMetadata(index, "", unsafe.Sizeof(shared{}), nil, 0))
	for name, metadata := range methods {
		otherMethod(t, index, name, metadata)
	}
	return index
}

func otherMethod(t *testing.T, index int32, name, metadata string) {
	t.Helper()
	function := otherFunction(t, func(*Handle[Object]) int64 { return 1000 })
	defer handles.DecRef(function)
	testenv.OK(t, fault.Take(bridge.RegisterMethod(index, name, "", metadata, 0, function)))
}

// otherFunction returns a new reference to a Function.
func otherFunction(t *testing.T, fn any) unsafe.Pointer {
	t.Helper()
	f := testenv.Value(NewFunc(fn))(t)
	defer f.Release()
	abi.IncRef(f.nativeObject())
	return f.nativeObject()
}

var modelOnce = sync.OnceValues(func() (*Class[shared], error) {
	return Register[shared]("adopt.Model", Method("sum", (*shared).sum, ""))
})

// metadataOfSum returns the metadata that Register gives the method sum of a class with the key.
func metadataOfSum(t *testing.T, key string) string {
	t.Helper()
	model := testenv.Value(modelOnce())(t)
	return strings.ReplaceAll(bridge.TypeInfo(model.TypeIndex()).OwnMethods()[0].Metadata.String(), "adopt.Model", key)
}

func TestClassOfAnotherLibraryIsAdopted(t *testing.T) {
	const key = "adopt.Same"
	methods := map[string]string{"sum": metadataOfSum(t, key)}
	type again shared // what another library would have as its shared
	index := otherLibrary(t, key, described(t, reflect.TypeFor[again](), true), methods)
	class := testenv.Value(Register[again](key, Method("sum", func(s *again) int64 { return s.X }, "")))(t)
	info := bridge.TypeInfo(index)
	if class.TypeIndex() != index || info.NumMethod != 1 || info.NumField != 2 {
		t.Errorf("class %d with %d methods and %d fields, want %d, 1 and 2", class.TypeIndex(), info.NumMethod, info.NumField, index)
	}
	h := class.New(func(s *again) { s.X = 7 })
	defer h.Release()
	if got, err := CallMethod(h, "sum"); err != nil || got != int64(1000) {
		t.Errorf("the method returned %v, %v, want the result of the first library's", got, err)
	}
	if got, err := GetField(h, "x"); err != nil || got != int64(7) {
		t.Errorf("the field is %v, %v", got, err)
	}
	if _, err := Register[again]("adopt.Again"); err == nil || !strings.Contains(err.Error(), "already registered, as `adopt.Same`") {
		t.Errorf("a second key: %v", err)
	}
	type third shared
	if _, err := Register[third](key); err == nil || !strings.Contains(err.Error(), "class `adopt.Same` is already registered") {
		t.Errorf("another type of this library: %v", err)
	}
}

func TestOtherClassesAreNotAdopted(t *testing.T) {
	type a shared
	type b shared
	type c shared
	type d shared
	type e shared
	otherLibrary(t, "adopt.Cpp", "", nil)
	otherLibrary(t, "adopt.Path", "example.org/money.Amount 40 0123456789abcdef", nil)
	fields := described(t, reflect.TypeFor[c](), false)
	otherLibrary(t, "adopt.Fields", fields[:len(fields)-1]+"-", nil)
	otherLibrary(t, "adopt.Missing", described(t, reflect.TypeFor[d](), false), nil)
	signature := described(t, reflect.TypeFor[e](), true)
	otherLibrary(t, "adopt.Signature", signature[:len(signature)-1]+"-", nil)
	for _, c := range []struct {
		key, part string
		register  func(key string) error
	}{
		{"adopt.Cpp", "class `adopt.Cpp` is already registered", tryRegister[a]},
		{"adopt.Path", "by another library, for its example.org/money.Amount", tryRegister[b]},
		{"adopt.Fields", "another version of " + strings.TrimSuffix(fault.ModulePrefix, ".") + ".c, which has other fields", tryRegister[c]},
		{"adopt.Missing", "which has no `sum`; build both libraries with one version of that package", tryRegister[d]},
		{"adopt.Signature", "which has another signature of `sum`", tryRegister[e]},
	} {
		err := c.register(c.key)
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want an error with %q", c.key, err, c.part)
		}
	}
}

func tryRegister[T any](key string) error {
	_, err := Register[T](key, Method("sum", func(*T) int64 { return 1 }, ""))
	return err
}

// The other library has taken the type key and said what it will register, and registers that later.
func TestLibraryAdoptsWhatAnotherOneIsStillRegistering(t *testing.T) {
	const key = "adopt.Slow"
	type slow shared
	index := otherLibrary(t, key, described(t, reflect.TypeFor[slow](), true), nil)
	class := testenv.Value(Register[slow](key, Method("sum", func(*slow) int64 { return 1 }, "")))(t)
	otherMethod(t, index, "sum", metadataOfSum(t, key))
	h := class.New(nil)
	defer h.Release()
	if got, err := CallMethod(h, "sum"); err != nil || got != int64(1000) {
		t.Errorf("the method returned %v, %v, want the result of the first library's", got, err)
	}
}

type currency struct{ IntEnum }

// A member that is in the state of the class and not in this library's log was made by another library.
func TestMemberOfAnotherLibraryIsTaken(t *testing.T) {
	class := testenv.Value(Register[currency]("adopt.Currency"))(t)
	state := testenv.Value(enumStateOf(class.class))(t)
	theirs := class.New(nil)
	defer theirs.Release()
	for _, key := range []any{"euro", int64(1)} {
		state.indexes.Set(key, theirs)
	}
	fills := 0
	euro, err := Member(class, "euro", 1, func(*currency) { fills++ })
	if err != nil || euro != theirs || fills != 0 {
		t.Errorf("got %v, %v after %d calls of fill, want the other library's member", euro, err, fills)
	}
	for _, other := range []struct {
		name   string
		number int64
	}{{"euro", 2}, {"franc", 1}} {
		if _, err := Member(class, other.name, other.number, nil); err == nil || !strings.Contains(err.Error(), "already has a member") {
			t.Errorf("%s = %d: %v", other.name, other.number, err)
		}
	}
	if _, err := Member(class, "franc", 2, nil); err != nil {
		t.Error(err)
	}
	if _, err := Member(class, "franc", 2, nil); err == nil {
		t.Error("this library has made a member twice")
	}
}

func adoptable(a, b int64) int64 { return a + b }

func TestFunctionOfAnotherLibraryIsAdopted(t *testing.T) {
	names := ArgNames("a", "b")
	testenv.OK(t, RegisterFunc("adopt.model", adoptable, names))
	metadata := testenv.Value(mustFunc(t, "ffi.GetGlobalFuncMetadata").Call("adopt.model"))(t)
	other := otherFunction(t, func(a, b int64) int64 { return 1000 })
	defer handles.DecRef(other)
	for _, c := range []struct {
		name, metadata string
		adopted        bool
	}{
		{"adopt.same", metadata.(string), true},
		{"adopt.names", strings.Replace(metadata.(string), `"a"`, `"c"`, 1), false},
		{"adopt.package", strings.Replace(metadata.(string), "selfsame.adoptable", "selfsame/other.adoptable", 1), false},
		{"adopt.cpp", "", false},
	} {
		testenv.OK(t, fault.Take(bridge.SetGlobal(c.name, "", c.metadata, other, false)))
		err := RegisterFunc(c.name, adoptable, names)
		if adopted := err == nil; adopted != c.adopted {
			t.Errorf("%s: adopted: %v, want %v (%v)", c.name, adopted, c.adopted, err)
		}
		if got, err := mustFunc(t, c.name).Call(1, 2); err != nil || got != int64(1000) {
			t.Errorf("%s(1, 2) = %v, %v, want the result of the first library's", c.name, got, err)
		}
	}
	for _, name := range []string{"adopt.model", "adopt.same"} {
		if err := RegisterFunc(name, adoptable, names); err == nil {
			t.Errorf("%s was registered twice by one library", name)
		}
	}
}

func TestPackageOfSymbol(t *testing.T) {
	for symbol, want := range map[string]string{
		"example.com/geo.(*Point).Norm": "example.com/geo", "example.com/geo/geo.go:12": "example.com/geo",
		"main.run": "main", "main/main.go:3": "main", "gopkg.in/yaml.v3.Marshal": "gopkg.in/yaml",
	} {
		if got := registry.PackageOfSymbol(symbol); got != want {
			t.Errorf("%s: %s, want %s", symbol, got, want)
		}
	}
}

func mustFunc(t *testing.T, name string) *Function {
	t.Helper()
	f := testenv.Value(GetFunc(name))(t)
	return f
}
