package control

import (
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A typed function called with a wrong number or type of arguments raises the TypeError that other implementations
// raise.
// Requirement: A6
func TestWrongArgumentsAreTypeErrors(t *testing.T) {
	onThread(t)
	_, err := call(t, "ffi.ArrayGetItem")
	wantError(t, err, "TypeError: Mismatched number of arguments when calling: `ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any`. Expected 2 but got 0 arguments")
	_, err = call(t, "ffi.ArrayGetItem", abi.Int(1), abi.Int(1))
	wantError(t, err, "TypeError: Mismatched type on argument #0 when calling: `ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any`. Expected `ffi.Array` but got `int`")
	_, err = call(t, "ffi.String", str(t, "bytes would do"), abi.None())
	wantError(t, err, "TypeError: Mismatched number of arguments when calling: `ffi.String(0: str) -> str`. Expected 1 but got 2 arguments")
	_, err = call(t, "ffi.Bytes", str(t, "text"))
	wantError(t, err, "TypeError: Mismatched type on argument #0 when calling: `ffi.Bytes(0: bytes) -> bytes`. Expected `bytes` but got `ffi.SmallStr`")
	_, err = call(t, "ffi.GetRegisteredTypeKeys", abi.Any{TypeIndex: 1 << 20})
	wantError(t, err, "TypeError: Mismatched number of arguments when calling: `ffi.GetRegisteredTypeKeys() -> Array<str>`. Expected 0 but got 1 arguments")
}

// Strings of all sizes and contents come back from ffi.String unchanged.
func TestStringsComeBackUnchanged(t *testing.T) {
	onThread(t)
	for _, s := range []string{"", "seven77", "eight888", "with\x00a zero", strings.Repeat("long", 100)} {
		got, failure := call(t, "ffi.String", str(t, s))
		if failure != "" {
			t.Fatal(failure)
		}
		if text, ok := got.Text(); !ok || text != s {
			t.Errorf("ffi.String(%q) is %q", s, text)
		}
		plane.Reset(&got)
	}
}

// The sentinels are two different objects, the same ones at each call.
func TestSentinelsAreDistinct(t *testing.T) {
	onThread(t)
	kwargs, _ := call(t, "ffi.GetKwargsObject")
	again, _ := call(t, "ffi.GetKwargsObject")
	missing, _ := call(t, "ffi.GetInvalidObject")
	if kwargs != again || kwargs == missing || kwargs.TypeIndex != abi.IndexObject {
		t.Errorf("kwargs %+v, again %+v, missing %+v", kwargs, again, missing)
	}
	for _, v := range []*abi.Any{&kwargs, &again, &missing} {
		plane.Reset(v)
	}
}

// The registered type keys begin with those of the types with a fixed index, by index.
func TestTypeKeysAreListedByIndex(t *testing.T) {
	onThread(t)
	keys, failure := call(t, "ffi.GetRegisteredTypeKeys")
	if failure != "" {
		t.Fatal(failure)
	}
	defer plane.Reset(&keys)
	var got []string
	for _, item := range abi.SeqOf(keys.Pointer()).Items() {
		text, _ := item.Text()
		got = append(got, text)
	}
	for i, k := range kinds.All[1:] { // without Any, which is the type of no value
		if i >= len(got) || got[i] != k.Key {
			t.Fatalf("keys %q, want %q at %d", got, k.Key, i)
		}
	}
}

// Global functions can be registered, replaced, listed in order, described and removed.
// Requirement: A6
func TestGlobalFunctionsAreRegisteredListedAndRemoved(t *testing.T) {
	onThread(t)
	function := mustGlobal(t, "ffi.ArraySize")
	testenv.OK(t, setGlobal("test.f", function, &abi.MethodInfo{}, false, ""))
	wantError(t, errorText(setGlobal("test.f", function, &abi.MethodInfo{}, false, "")), "RuntimeError: Global Function `test.f` is already registered")
	testenv.OK(t, setGlobal("test.f", function, &abi.MethodInfo{}, true, ""))
	list, failure := call(t, "ffi.FunctionListGlobalNamesFunctor")
	if failure != "" {
		t.Fatal(failure)
	}
	defer plane.Reset(&list)
	count, ok := plane.Call(list.Pointer(), []abi.Any{abi.Int(-1)})
	if !ok || count.Int64() < 10 {
		t.Fatalf("%d names", count.Int64())
	}
	last, ok := plane.Call(list.Pointer(), []abi.Any{abi.Int(count.Int64() - 1)})
	if text, _ := last.Text(); !ok || text != "test.f" {
		t.Errorf("the last name is %q", text)
	}
	plane.Reset(&last)
	if _, ok := plane.Call(list.Pointer(), []abi.Any{count}); ok {
		t.Error("a name beyond the last one")
	} else {
		wantError(t, takeRaised(), "IndexError: ")
	}
	for want, args := range map[string][]abi.Any{
		"TypeError: Mismatched number of arguments when calling: `(0: int) -> Any`. Expected 1 but got 0 arguments": nil,
		"TypeError: Mismatched type on argument #0 when calling: `(0: int) -> Any`. Expected `int` but got `None`":  {abi.None()},
	} {
		if _, ok := plane.Call(list.Pointer(), args); ok {
			t.Error("no error, want " + want)
		} else {
			wantError(t, takeRaised(), want)
		}
	}
	if metadata, failure := call(t, "ffi.GetGlobalFuncMetadata", str(t, "test.f")); failure != "" || metadata.Len != 0 {
		t.Errorf("metadata %+v %s", metadata, failure)
	}
	removed, _ := call(t, "ffi.FunctionRemoveGlobal", str(t, "test.f"))
	again, _ := call(t, "ffi.FunctionRemoveGlobal", str(t, "test.f"))
	if removed != abi.Bool(true) || again != abi.Bool(false) {
		t.Errorf("removed %+v, again %+v", removed, again)
	}
	_, err := call(t, "ffi.GetGlobalFuncMetadata", str(t, "test.f"))
	wantError(t, err, "RuntimeError: Global Function is not found: test.f")
	if plane.Global("test.f") != nil {
		t.Error("test.f is still there")
	}
}

// An Array gives its size and its elements, and finds equal elements.
func TestArraysGiveTheirElements(t *testing.T) {
	onThread(t)
	array, failure := call(t, "ffi.Array", abi.Int(1), str(t, "a string of some length"), abi.None())
	if failure != "" {
		t.Fatal(failure)
	}
	defer plane.Reset(&array)
	if size, _ := call(t, "ffi.ArraySize", array); size != abi.Int(3) {
		t.Errorf("size %+v", size)
	}
	item, failure := call(t, "ffi.ArrayGetItem", array, abi.Int(1))
	if text, _ := item.Text(); failure != "" || text != "a string of some length" {
		t.Errorf("item 1 is %q %s", text, failure)
	}
	plane.Reset(&item)
	for value, want := range map[abi.Any]bool{abi.Int(1): true, abi.Bool(true): false, abi.Float(1): false, abi.None(): true, str(t, "a string of some length"): true, str(t, "a"): false} {
		if got, _ := call(t, "ffi.ArrayContains", array, value); got != abi.Bool(want) {
			t.Errorf("contains %+v: %+v", value, got)
		}
	}
	for _, i := range []int64{-1, 3, 1 << 40} {
		_, err := call(t, "ffi.ArrayGetItem", array, abi.Int(i))
		wantError(t, err, "IndexError: ")
	}
}
