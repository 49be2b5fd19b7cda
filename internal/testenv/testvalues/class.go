package testvalues

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// classIndex is where the type indices of Class begin: beyond all that the runtime and its tests register.
const classIndex = 20000

var classes int32

// Class registers a class without fields that is compared as a tree node, unless the key is registered already. hooks
// are its hooks, by type attribute. They stay for the life of the process, so a test must call Class before it counts
// live objects. The result makes an object of the class, which its caller owns. Class may not run on two threads.
func Class(t testing.TB, key string, hooks map[string]graph.Body) func() abi.Any {
	t.Helper()
	return ClassOfKind(t, key, abi.SEqHashTreeNode, hooks)
}

// ClassOfKind does Class's work for a class of another structural kind (abi.SEqHash...).
func ClassOfKind(t testing.TB, key string, kind int32, hooks map[string]graph.Body) func() abi.Any {
	t.Helper()
	if index := plane.TypeByKey(key); index >= 0 {
		return maker(t, plane.TypeAt(index).Info())
	}
	index := classIndex + classes
	classes++
	class := plane.AddType(key, index, 1, plane.TypeAt(abi.IndexObject), 1, false)
	if class == nil {
		t.Fatalf("type %s was not registered", key)
	}
	class.SetMetadata(&abi.TypeMetadata{StructuralEqHashKind: kind})
	for name, body := range hooks {
		function, err := graph.NewFunction(body)
		if err != nil {
			t.Fatal(err)
		}
		column := plane.FindColumn(name)
		if column == nil || !column.Fill(index, abi.ObjectValue(function)) {
			t.Fatalf("type attribute %s of %s was not set", name, key)
		}
	}
	return maker(t, class.Info())
}

// maker returns a function that makes an object of a class without fields.
func maker(t testing.TB, class *abi.TypeInfo) func() abi.Any {
	return func() abi.Any {
		t.Helper()
		h := plane.NewLayout(class, abi.BodyOffset)
		if h == nil {
			t.Fatal("out of memory")
		}
		return abi.ObjectValue(h)
	}
}
