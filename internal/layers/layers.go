// Package layers lists the packages of this module in layers. A package imports packages of lower layers only, and the test
// of this package fails where one imports upward.
//
// Go refuses import cycles by itself. The layers say more: which way uses run, so that a reader of one package need not know
// those above it.
package layers

// Table has the layers from the ground up, with the packages of each, as paths below the module's own path.
var Table = []Layer{
	{"facts that need nothing", []string{
		"abi/include", "internal/naming", "internal/shown", "internal/engine/sourcetext", "internal/initstack", "internal/control/failure",
		"internal/control/librarybin", "internal/testenv", "internal/layers", "internal/goroutine",
		"internal/spin",
	}},
	{"layouts and constants of the C ABI, and C code that stands alone", []string{
		"abi", "internal/stubs", "internal/tie", "internal/selfcopy", "internal/gomemory", "internal/guest", "internal/testenv/clayout",
		"internal/testenv/nativethread", "internal/testenv/native", "internal/libload",
	}},
	{"the table of kinds; what reflection data says of the memory of objects", []string{"internal/kinds", "internal/nativememory"}},
	{"the ground of the data plane", []string{"internal/plane/core"}},
	{"its values and tensors", []string{"internal/plane/scalars", "internal/plane/tensors"}},
	{"its containers", []string{"internal/plane/collections"}},
	{"its calls, and its walks over values", []string{"internal/plane/calls", "internal/plane/walks"}},
	{"the Go side of the data plane, the rules of containers, what writes copies of the table of kinds, and the frontend's way into C", []string{
		"internal/plane", "internal/cxx", "internal/container", "internal/bridge", "internal/kinds/copies",
	}},
	{"handles; object graphs and what tests of the runtime count", []string{
		"internal/handles", "internal/control/graph", "internal/control/bigint", "internal/testenv/leakcheck",
	}},
	{"errors of the frontend; operations of the runtime", []string{
		"internal/fault", "internal/control/jsontext", "internal/control/accesspath", "internal/control/recursive",
		"internal/testenv/failalloc",
	}},
	{"operations that use those", []string{
		"internal/control/jsongraph", "internal/control/structural", "internal/testenv/testvalues",
	}},
	{"the control plane", []string{"internal/control"}},
	{"which runtime the frontend is linked with; calls of the runtime that is in the program", []string{
		"internal/link", "internal/reflection",
	}},
	{"owned values; the classes that Go knows; columns of Arrow", []string{
		"internal/engine/values", "internal/engine/typetable", "internal/engine/arrow",
	}},
	{"conversion between Go types and values", []string{"internal/engine/convert"}},
	{"calls into Go and out of it; entries and loops of containers", []string{
		"internal/engine/call", "internal/engine/containers",
	}},
	{"registration of classes and functions", []string{"internal/engine/registry"}},
	{"objects that stand for Go values of other packages", []string{"internal/engine/wrapping"}},
	{"objects that show containers of Go", []string{"internal/engine/live"}},
	{"the entrance of an extension; what the files call that a build adds to a package", []string{"internal/extension", "gen/overlay"}},
	{"the public package", []string{""}},
	{"what generated code calls", []string{"gen"}},
	{"packages for users above it", []string{"tvm", "host/python"}},
}

// Layer is a row of Table.
type Layer struct {
	Holds    string
	Packages []string
}

// Public lists the packages that other modules can import.
var Public = []string{"", "abi", "abi/include", "gen", "gen/overlay", "host/python", "tvm"}

// Generated lists the packages that generated code imports of this module.
var Generated = []string{"", "gen", "gen/overlay", "host/python"}

// Upward returns the imports of one package by another of the same or a higher layer, as "importer -> imported", and the
// packages that no layer lists. imports has the imports of each package below the module, as Table writes them.
func Upward(imports map[string][]string) []string {
	at := map[string]int{}
	for i, layer := range Table {
		for _, p := range layer.Packages {
			at[p] = i
		}
	}
	var wrong []string
	for importer, all := range imports {
		above, listed := at[importer]
		if !listed {
			wrong = append(wrong, importer+": no layer lists it")
			continue
		}
		for _, imported := range all {
			if below, listed := at[imported]; !listed || below >= above {
				wrong = append(wrong, importer+" -> "+imported)
			}
		}
	}
	return wrong
}
