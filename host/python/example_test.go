package python_test

import (
	"context"
	"fmt"
	"log"

	"github.com/selfsame-ffi/selfsame/host/python"
)

// Requirement: D18

func ExampleObject_CallMethod() {
	statistics, err := py.Import("statistics")
	if err != nil {
		log.Fatal(err)
	}
	mean, err := python.As[float64](statistics.CallMethod("fmean", []float64{1, 2, 6}, python.Kw{"weights": []int{1, 1, 2}}))
	fmt.Println(mean, err)
	// Output: 3.75 <nil>
}

func ExampleObject_All() {
	letters, err := py.Eval("reversed('abc')", nil)
	if err != nil {
		log.Fatal(err)
	}
	for letter, err := range letters.All() {
		fmt.Println(letter, err)
	}
	// Output:
	// c <nil>
	// b <nil>
	// a <nil>
}

func ExampleIs() {
	_, err := py.Eval("{}['key']", nil)
	fmt.Println(err, python.Is(err, "LookupError"))
	// Output: KeyError: 'key' true
}

func ExampleObject_Await() {
	asyncio, err := py.Import("asyncio")
	if err != nil {
		log.Fatal(err)
	}
	coroutine, err := asyncio.CallMethod("sleep", 0, "awake")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(coroutine.Await(context.Background()))
	// Output: awake <nil>
}
