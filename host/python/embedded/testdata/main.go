// Calls NumPy of a Python that it brings along; scripts/embedded.sh builds and runs it.
package main

import (
	"fmt"
	"log"

	"embeddedtest/pypackages"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/host/python/embedded"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatalf("%+v", err)
	}
	return value
}

func main() {
	py := must(embedded.Python{Packages: pypackages.Zip}.Start())
	numbers := []float64{1, 2, 6}
	array := must(python.NumPy(numbers))
	must(array.CallMethod("sort"))
	must(array.CallMethod("__imul__", 2))
	mean := must(python.As[float64](array.CallMethod("mean")))
	tensor := must(python.As[*selfsame.Tensor](array, nil))
	sys := must(py.Import("sys"))
	fmt.Println(mean, numbers, must(selfsame.Elements[float64](tensor)), must(sys.Attr("version_info")).String()[:46])
	for _, name := range []string{"ssl", "sqlite3", "multiprocessing"} {
		must(py.Import(name))
	}
	if err := py.Close(); err != nil {
		log.Fatal(err)
	}
}
