package jsongraph_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/internal/control"
	"github.com/selfsame-ffi/selfsame/internal/control/accesspath"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsongraph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

func encode(t *testing.T, v, metadata abi.Any) string {
	t.Helper()
	text := testenv.Value(jsongraph.EncodeText(&v, &metadata))(t)
	value := testenv.Value(jsongraph.Encode(&v, &metadata))(t)
	defer graph.Release(value)
	printed := testenv.Value(jsontext.Print(&value, 0))(t)
	if string(printed) != string(text) {
		t.Errorf("as a value %s, as text %s", printed, text)
	}
	return string(text)
}

// Requirement: A11
func TestValuesBecomeGraphsAndComeBack(t *testing.T) {
	defer leakcheck.Check(t)()
	root := testenv.Value(accesspath.Root())(t)
	text := testvalues.Text(t, "a")
	for _, c := range []struct {
		value, metadata abi.Any
		want            string
	}{
		{abi.Int(42), abi.None(), `{"root_index":0,"nodes":[{"type":"int","data":42}]}`},
		{abi.Float(2), abi.None(), `{"root_index":0,"nodes":[{"type":"float","data":2.0}]}`},
		{abi.None(), abi.None(), `{"root_index":0,"nodes":[{"type":"None"}]}`},
		{abi.Bool(true), abi.None(), `{"root_index":0,"nodes":[{"type":"bool","data":true}]}`},
		{abi.DeviceValue(abi.Device{Type: 2, ID: 1}), abi.None(), `{"root_index":0,"nodes":[{"type":"Device","data":[2,1]}]}`},
		{abi.DataTypeValue(abi.DataType{Code: 2, Bits: 32, Lanes: 4}), abi.None(), `{"root_index":0,"nodes":[{"type":"DataType","data":"float32x4"}]}`},
		{testvalues.Array(t, abi.Int(1), text, abi.Int(1)), abi.None(),
			`{"root_index":2,"nodes":[{"type":"int","data":1},{"type":"ffi.String","data":"a"},{"type":"ffi.Array","data":[0,1,0]}]}`},
		{testvalues.JSON(t, `{"a":1,"b":[1]}`), abi.None(),
			`{"root_index":4,"nodes":[{"type":"ffi.String","data":"a"},{"type":"int","data":1},{"type":"ffi.String","data":"b"},{"type":"ffi.Array","data":[1]},{"type":"ffi.Map","data":[0,1,2,3]}]}`},
		{testvalues.List(t, abi.Int(1)), abi.None(), `{"root_index":1,"nodes":[{"type":"int","data":1},{"type":"ffi.List","data":[0]}]}`},
		{testvalues.Map(t, abi.IndexDict, abi.Int(1), abi.Int(1)), abi.None(), `{"root_index":1,"nodes":[{"type":"int","data":1},{"type":"ffi.Dict","data":[0,0]}]}`},
		{testvalues.Shape(t, 1, 2), abi.None(), `{"root_index":0,"nodes":[{"type":"ffi.Shape","data":[1,2]}]}`},
		{testvalues.Bytes(t, "abcd"), abi.None(), `{"root_index":0,"nodes":[{"type":"ffi.Bytes","data":"YWJjZA=="}]}`},
		{testvalues.Bytes(t, "bytes on the heap"), abi.None(), `{"root_index":0,"nodes":[{"type":"ffi.Bytes","data":"Ynl0ZXMgb24gdGhlIGhlYXA="}]}`},
		{abi.ObjectValue(root), abi.None(),
			`{"root_index":1,"nodes":[{"type":"None"},{"type":"ffi.reflection.AccessPath","data":{"parent":0,"step":0,"depth":0}}]}`},
		{abi.Int(1), testvalues.JSON(t, `{"v":"1"}`), `{"root_index":0,"nodes":[{"type":"int","data":1}],"metadata":{"v":"1"}}`},
	} {
		got := encode(t, c.value, c.metadata)
		if got != strings.ReplaceAll(c.want, "/", `\/`) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		parsed := testvalues.JSON(t, got)
		back, err := jsongraph.Decode(&parsed)
		if err != nil {
			t.Errorf("%s: %v", got, err)
		} else if same, err := testvalues.StructuralEqual(&back, &c.value, false, false); !same || err != nil {
			t.Errorf("%s was decoded as another value (%v)", got, err)
		}
		for _, v := range []abi.Any{c.value, c.metadata, parsed, back} {
			graph.Release(v)
		}
	}
}

// Requirement: A11
func TestMalformedGraphsAreRefused(t *testing.T) {
	defer leakcheck.Check(t)()
	one := func(node string) string { return `{"root_index":0,"nodes":[` + node + `]}` }
	for _, c := range []struct{ text, kind, message string }{
		{`[]`, "ValueError", "Invalid JSON Object Graph, expected an object"},
		{`{}`, "ValueError", "Invalid JSON Object Graph, expected `root_index` integer field"},
		{`{"root_index":true,"nodes":[]}`, "ValueError", "Invalid JSON Object Graph, expected `root_index` integer field"},
		{`{"root_index":0.0,"nodes":[]}`, "ValueError", "Invalid JSON Object Graph, expected `root_index` integer field"},
		{`{"root_index":0}`, "ValueError", "Invalid JSON Object Graph, expected `nodes` array field"},
		{`{"root_index":0,"nodes":{}}`, "ValueError", "Invalid JSON Object Graph, expected `nodes` array field"},
		{`{"root_index":0,"nodes":[]}`, "ValueError", "Invalid JSON Object Graph: invalid node index 0"},
		{`{"root_index":-1,"nodes":[]}`, "ValueError", "Invalid JSON Object Graph: invalid node index -1"},
		{one(`3`), "TypeError", "Cannot convert from type `int` to `Map<Any, Any>`"},
		{one(`{}`), "KeyError", "key is not in Map"},
		{one(`{"type":"int"}`), "KeyError", "key is not in Map"},
		{one(`{"type":5,"data":1}`), "TypeError", "Cannot convert from type `int` to `str`"},
		{one(`{"type":"int","data":"a"}`), "TypeError", "Cannot convert from type `ffi.SmallStr` to `int`"},
		{one(`{"type":"no.such","data":1}`), "InternalError", "Check failed: (it != type_key2index_.end()) is false: Cannot find type `no.such`"},
		{one(`{"type":"ffi.Map","data":[0]}`), "ValueError", "Invalid JSON Object Graph: Map/Dict data must contain an even number of [key, value] entries, got 1"},
		{one(`{"type":"Device","data":[1]}`), "ValueError", "Invalid JSON Object Graph: Device data must be an array of [device_type, device_id], got 1 element(s)"},
		{one(`{"type":"ffi.Bytes","data":"abc"}`), "InternalError", "Check failed: (bytes.size % 4 == 0) is false: invalid base64 encoding"},
		{one(`{"type":"ffi.Shape","data":["a"]}`), "TypeError", "Cannot convert from type `Array[index 0: ffi.SmallStr]` to `Array<int>`"},
		{one(`{"type":"ffi.Array","data":{}}`), "TypeError", "Cannot convert from type `ffi.Map` to `Array<Any>`"},
		{one(`{"type":"ffi.Array","data":[0]}`), "ValueError", "Invalid JSON Object Graph: node 0 needs itself"},
		{one(`{"type":"ffi.Object","data":{}}`), "RuntimeError", "Type `ffi.Object` does not support reflection creation (no native creator or __ffi_new__ type attr)"},
		{one(`{"type":"ffi.SmallStr","data":1}`), "RuntimeError", "Type `ffi.SmallStr` does not support reflection creation (no native creator or __ffi_new__ type attr)"},
		{one(`{"type":"ffi.reflection.AccessStep","data":{"kind":1}}`), "TypeError", "Required field `key` not set in type `ffi.reflection.AccessStep`"},
		{one(`{"type":"ffi.reflection.AccessStep","data":{"kind":"x","key":0}}`), "TypeError", "Cannot convert from type `ffi.SmallStr` to `int`"},
		{one(`{"type":"ffi.IntEnum","data":1}`), "ValueError", "Enum `ffi.IntEnum` has no instance with index 1"},
	} {
		v := testvalues.JSON(t, c.text)
		made, err := jsongraph.Decode(&v)
		var e *failure.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.Message != c.message {
			t.Errorf("%s: got %v, want %s: %s", c.text, err, c.kind, c.message)
		}
		graph.Release(made)
		graph.Release(v)
	}
}

func TestValuesThatHaveNoGraphAreRefused(t *testing.T) {
	defer leakcheck.Check(t)()
	list := testvalues.List(t)
	dict := testvalues.Map(t, abi.IndexDict)
	function := testenv.Value(graph.NewFunction(func([]abi.Any) (abi.Any, error) { return abi.None(), nil }))(t)
	testvalues.Append(t, list, testvalues.Array(t, graph.Retain(list)))
	testvalues.Set(t, dict, abi.Int(1), graph.Retain(dict))
	for _, c := range []struct {
		value   abi.Any
		message string
	}{
		{list, "ValueError: Cycle detected during serialization: a List contains itself"},
		{dict, "ValueError: Cycle detected during serialization: a Dict contains itself"},
		{abi.ObjectValue(function), "TypeError: Type `ffi.Function` does not support ToJSONGraph (no native creator or __ffi_new__ type attr)"},
		{abi.OpaquePtr(nil), "RuntimeError: Cannot serialize type `void*`"},
	} {
		none := abi.None()
		_, err := jsongraph.EncodeText(&c.value, &none)
		if err == nil || err.Error() != c.message {
			t.Errorf("got %v, want %s", err, c.message)
		}
		if _, err := jsongraph.Encode(&c.value, &none); err == nil || err.Error() != c.message {
			t.Errorf("got %v, want %s", err, c.message)
		}
	}
	testvalues.Clear(t, list)
	testvalues.Clear(t, dict)
	for _, v := range []abi.Any{list, dict, abi.ObjectValue(function)} {
		graph.Release(v)
	}
}

// Requirement: A11
func TestSharedObjectsStaySharedAndDeepValuesComeBack(t *testing.T) {
	defer leakcheck.Check(t)()
	shared := testvalues.List(t, abi.Int(1))
	v := testvalues.Array(t, graph.Retain(shared), shared)
	parsed := testvalues.JSON(t, encode(t, v, abi.None()))
	back := testenv.Value(jsongraph.Decode(&parsed))(t)
	if items := abi.SeqOf(back.Pointer()).Items(); items[0] != items[1] {
		t.Error("a shared object was decoded twice")
	}
	deep := testvalues.Nest(t, abi.Int(1), 50000)
	again := testvalues.JSON(t, encode(t, deep, abi.None()))
	made := testenv.Value(jsongraph.Decode(&again))(t)
	for _, v := range []abi.Any{v, parsed, back, deep, again, made} {
		graph.Release(v)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"root_index":2,"nodes":[{"type":"int","data":1},{"type":"ffi.String","data":"a"},{"type":"ffi.Array","data":[0,1,0]}]}`,
		`{"root_index":1,"nodes":[{"type":"None"},{"type":"ffi.reflection.AccessPath","data":{"parent":0,"step":0,"depth":0}}]}`,
		`{"root_index":1,"nodes":[{"type":"int","data":1},{"type":"ffi.Dict","data":[0,0]}]}`,
		`{"root_index":0,"nodes":[{"type":"ffi.StructuralKey","data":{"key":1,"hash_i64":5}},{"type":"ffi.Bytes","data":"YWJj"}]}`,
		`{"root_index":0,"nodes":[{"type":"ffi.VisitErrorContext","data":{"reverse_visit_pattern":1,"prev_error_context":2}},{"type":"ffi.List","data":[]},{"type":"None"}]}`,
		`{"root_index":0,"nodes":[{"type":"ffi.EnumState","data":{"entries":1,"indexes":2,"attrs":2}},{"type":"ffi.List","data":[]},{"type":"ffi.Dict","data":[]}]}`,
		`{"root_index":0,"nodes":[{"type":"DataType","data":"float32x4"}]}`,
		`{"root_index":0,"nodes":[{"type":"ffi.BigInt","data":"123456789012345678901234567890"}]}`,
	} {
		f.Add(seed)
	}
	for _, input := range testenv.Corpus(f, "testdata/FuzzDecode.corpus") {
		f.Add(string(input))
	}
	f.Fuzz(func(t *testing.T, text string) {
		runtime.LockOSThread() // a raised error belongs to the thread
		defer runtime.UnlockOSThread()
		defer leakcheck.Check(t)()
		parsed, err := jsontext.Parse([]byte(text))
		if err != nil {
			return
		}
		defer graph.Release(parsed)
		v, err := jsongraph.Decode(&parsed)
		if err != nil {
			drop()
			return
		}
		defer graph.Release(v)
		none := abi.None()
		once, err := jsongraph.EncodeText(&v, &none)
		if err != nil {
			drop()
			return
		}
		again := testvalues.JSON(t, string(once))
		defer graph.Release(again)
		back, err := jsongraph.Decode(&again)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		defer graph.Release(back)
		twice, err := jsongraph.EncodeText(&back, &none)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%s\n%s", once, twice)
		}
	})
}

// drop releases the error that a failed call may have raised.
func drop() {
	if handle := plane.TakeRaised(); handle != nil {
		plane.DecRef(handle)
	}
}
