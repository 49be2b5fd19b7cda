// Command first is the first program of docs/python-from-go.md.
package main

import (
	"fmt"
	"log"

	"github.com/selfsame-ffi/selfsame/host/python"
)

func main() {
	py, err := python.Start(python.Venv(".venv"))
	if err != nil {
		log.Fatal(err)
	}
	defer py.Close()
	statistics, err := py.Import("statistics")
	if err != nil {
		log.Fatal(err)
	}
	mean, err := python.As[float64](statistics.CallMethod("fmean", []float64{1, 2, 6}))
	fmt.Println(mean, err) // 3 <nil>
}
