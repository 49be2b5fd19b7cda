package selfsame_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/selfsame-ffi/selfsame"
)

func ExampleArray() {
	primes, err := selfsame.NewArray([]int64{2, 3, 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range primes.All() {
		fmt.Println(i, p)
	}
	fmt.Println(primes.Len(), primes.At(2), primes.Slice())
	// Output:
	// 0 2
	// 1 3
	// 2 5
	// 3 5 [2 3 5]
}

func ExampleList() {
	names, err := selfsame.NewList([]string{"ada", "grace"})
	if err != nil {
		fmt.Println(err)
		return
	}
	// A function, in whatever language, gets the list itself.
	rename, _ := selfsame.NewFunc(func(l *selfsame.List[string]) { l.SetAt(1, "barbara") })
	if _, err := rename.Call(names); err != nil {
		fmt.Println(err)
		return
	}
	names.Append("frances")
	names.Insert(0, "emmy")
	fmt.Println(slices.Collect(names.Values()))
	for i, name := range names.Backward() {
		if name == "ada" {
			names.Delete(i, i+1)
		}
	}
	fmt.Println(names.Slice())
	// Output:
	// [emmy ada barbara frances]
	// [emmy barbara frances]
}

func ExampleMap() {
	ages, err := selfsame.NewMap(map[string]int64{"ada": 36, "grace": 85})
	if err != nil {
		fmt.Println(err)
		return
	}
	age, ok := ages.Get("grace")
	fmt.Println(age, ok)
	fmt.Println(slices.Sorted(ages.Keys()))
	// Output:
	// 85 true
	// [ada grace]
}

func ExampleDict() {
	stock, err := selfsame.NewDict(map[string]int64{"cup": 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	stock.Set("lamp", 1)
	stock.Set("cup", 2)
	for name, n := range stock.All() { // in order of insertion
		stock.Set(name, n+10)
	}
	fmt.Println(maps.Collect(stock.All()), stock.Delete("chair"))
	// Output: map[cup:12 lamp:11] false
}

// A container that comes from elsewhere is checked where it enters Go.
func ExampleDict_wrongType() {
	total, _ := selfsame.NewFunc(func(prices *selfsame.Dict[string, float64]) (sum float64) {
		for price := range prices.Values() {
			sum += price
		}
		return sum
	})
	fmt.Println(total.Call(map[string]float64{"cup": 4, "lamp": 30}))
	_, err := total.Call(map[string]any{"cup": "cheap"})
	fmt.Println(err)
	// Output:
	// 34 <nil>
	// TypeError: Mismatched type on argument #0 when calling: `(0: Dict<str, float>) -> float`. Expected `Dict<str, float>` but got `Dict[value at "cup": ffi.SmallStr]`
}

func ExampleTuple2() {
	divide, _ := selfsame.NewFunc(func(a, b int64) (selfsame.Tuple2[int64, int64], error) {
		if b == 0 {
			return selfsame.Tuple2[int64, int64]{}, selfsame.Errorf("ZeroDivisionError", "%d divided by zero", a)
		}
		return selfsame.Tuple2[int64, int64]{First: a / b, Second: a % b}, nil
	})
	result, err := selfsame.CallAs[selfsame.Tuple2[int64, int64]](divide, 17, 5)
	fmt.Println(result.First, result.Second, err)
	// Output: 3 2 <nil>
}

func ExampleOptional() {
	half, _ := selfsame.NewFunc(func(n int64) selfsame.Optional[int64] {
		if n%2 != 0 {
			return selfsame.Optional[int64]{} // None
		}
		return selfsame.Some(n / 2)
	})
	for _, n := range []int64{8, 7} {
		h, err := selfsame.CallAs[selfsame.Optional[int64]](half, n)
		fmt.Println(h.Value, h.OK, err)
	}
	// Output:
	// 4 true <nil>
	// 0 false <nil>
}

func ExampleNewTensor() {
	elems := []float32{1, 2, 3, 4, 5, 6}
	x, err := selfsame.NewTensor(elems, 2, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Release()
	fmt.Println(x, x.Strides())
	elems[0] = 10 // the tensor shows the slice; nothing was copied
	same, _ := selfsame.Elements[float32](x)
	fmt.Println(same[0], &same[0] == &elems[0])
	// Output:
	// Tensor([2, 3], float32, cpu:0) [3 1]
	// 10 true
}

func ExampleElements() {
	x, err := selfsame.NewTensor([]int32{1, 2, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = selfsame.Elements[float64](x)
	fmt.Println(err)
	// Output: TypeError: selfsame: Elements: expected a tensor of float64, got one of int32
}

func ExampleParseDataType() {
	d, err := selfsame.ParseDataType("float8_e4m3fn")
	fmt.Println(d, d.Bits, err)
	fmt.Println(selfsame.DataTypeOf[complex64]())
	// Output:
	// float8_e4m3fn 8 <nil>
	// complex64
}
