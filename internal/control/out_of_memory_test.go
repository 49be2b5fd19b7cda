package control

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsongraph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/failalloc"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

// The operations over whole values raise a MemoryError and leak nothing, whichever of their allocations fails.
// Requirement: B3
func TestEveryFailedAllocationIsAMemoryError(t *testing.T) {
	const text = `[{"a long name":[1,"a string on the heap"],"b":{},"c":1,"d":2,"e":[[]]},{"a long name":"escaped \n on the heap"}]`
	value := testvalues.JSON(t, text)
	list := testvalues.List(t, graph.Retain(value), testvalues.Map(t, abi.IndexDict, abi.Int(1), graph.Retain(value)))
	other := testvalues.JSON(t, `[{"a long name":[1,"another string"],"b":{},"c":1,"d":2,"e":[[]]},2]`)
	none := abi.None()
	encoded := testenv.Value(jsongraph.Encode(&list, &none))(t)
	// The callback replaces each int, and lets a walk continue.
	links := testvalues.Array(t, testvalues.Array(t, abi.Int(int64(abi.IndexInt)), function(t, func(args []abi.Any) (abi.Any, error) {
		return abi.Int(args[0].Int64() + 10), nil
	})))
	defer graph.ReleaseAll([]abi.Any{value, list, other, encoded, links})
	keep := func(v abi.Any, err error) error {
		plane.Reset(&v)
		return err
	}
	for name, work := range map[string]func() error{
		"parse":    func() error { return keep(jsontext.Parse([]byte(text))) },
		"encode":   func() error { return keep(jsongraph.Encode(&list, &none)) },
		"decode":   func() error { return keep(jsongraph.Decode(&encoded)) },
		"copy":     func() error { return keep(testvalues.DeepCopy(&list)) },
		"mismatch": func() error { return keep(testvalues.FirstMismatch(&value, &other, false, false)) },
		"key":      func() error { return keep(testvalues.CallGlobal("ffi.StructuralKey", value)) },
		"map":      func() error { return keep(testvalues.CallGlobal("ffi.StructuralMap", list, links, links, abi.Int(1))) },
		"walk":     func() error { return keep(testvalues.CallGlobal("ffi.StructuralWalk", list, links, links, abi.Int(0))) },
	} {
		t.Run(name, func(t *testing.T) { failalloc.Each(t, work) })
	}
}
