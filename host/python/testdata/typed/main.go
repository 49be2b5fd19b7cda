// Uses packages that selfsame-ffi bind --go --python wrote; scripts/host.sh runs it. The first argument is the program of Python.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/selfsame-ffi/selfsame/build/gen/pydatetime"
	"github.com/selfsame-ffi/selfsame/build/gen/pyjson"
	"github.com/selfsame-ffi/selfsame/build/gen/pypathlib"
	"github.com/selfsame-ffi/selfsame/build/gen/pystatistics"
	"github.com/selfsame-ffi/selfsame/host/python"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatalf("%+v", err)
	}
	return value
}

func main() {
	py := must(python.Start(python.Executable(os.Args[1])))
	datetime := must(pydatetime.Import(py)) // must ends the program at an error
	day := must(datetime.NewDate(2026, 1, 31))
	march := 3
	later := must(day.Replace(pydatetime.DateReplaceOptions{Month: &march}))
	fmt.Println(must(later.Isoformat()), must(later.Year()), must(datetime.DateFromisoformat("2026-01-31")).String())
	json := must(pyjson.Import(py))
	fmt.Println(must(json.Dumps(map[string]any{"a": []int{1}}, pyjson.DumpsOptions{Indent: 1})))
	statistics := must(pystatistics.Import(py))
	fmt.Println(must(statistics.Fmean([]float64{1, 2, 6})))
	pathlib := must(pypathlib.Import(py))
	fmt.Println(must(must(pathlib.NewPurePath([]any{"a", "b.txt"})).Suffix()))
	if _, err := json.Loads("{"); !python.Is(err, "ValueError") {
		log.Fatal(err)
	}
	if err := py.Close(); err != nil {
		log.Fatal(err)
	}
}
