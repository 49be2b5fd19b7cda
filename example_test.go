package selfsame_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/selfsame-ffi/selfsame"
)

// A class, its constructor and a method.
type Circle struct {
	selfsame.Object
	Radius float64         `doc:"in metres"`
	Name   selfsame.String `ffi:"default='circle'"`
}

func (c *Circle) Area() float64 { return math.Pi * c.Radius * c.Radius }

var CircleClass = selfsame.MustRegister[Circle]("example.Circle",
	selfsame.Doc("A circle."),
	selfsame.Init(func(c *Circle, radius float64) error {
		if radius < 0 {
			return selfsame.Errorf("ValueError", "negative radius %v", radius)
		}
		c.Radius = radius
		return nil
	}, "radius"),
	selfsame.Method("area", (*Circle).Area, "The area in square metres."))

func ExampleRegister() {
	c := CircleClass.New(func(c *Circle) { c.Radius = 2 })
	fmt.Printf("%s %.2f\n", c.Get().Name.Get(), c.Get().Area())

	// As others see it:
	other, err := selfsame.NewObject("example.Circle", 1.0)
	if err != nil {
		fmt.Println(err)
		return
	}
	area, _ := selfsame.CallMethod(other, "area")
	fmt.Printf("%.2f\n", area)
	_, err = selfsame.NewObject("example.Circle", -1.0)
	fmt.Println(err)
	// Output:
	// circle 12.57
	// 3.14
	// ValueError: negative radius -1
}

func ExampleRegisterFunc() {
	err := selfsame.RegisterFunc("example.greet",
		func(name string, times int) ([]string, error) {
			if times < 0 {
				return nil, selfsame.Errorf("ValueError", "times is %d", times)
			}
			greetings := make([]string, times)
			for i := range greetings {
				greetings[i] = "hello " + name
			}
			return greetings, nil
		},
		selfsame.Doc("Greets someone."), selfsame.ArgNames("name", "times"), selfsame.Override())
	if err != nil {
		fmt.Println(err)
		return
	}
	greet, _ := selfsame.GetFunc("example.greet")
	greetings, err := selfsame.CallAs[[]string](greet, "world", 2)
	fmt.Println(greetings, err)
	_, err = greet.Call("world", -1)
	var e *selfsame.Error
	fmt.Println(errors.As(err, &e), e.Kind, e.Message)
	// Output:
	// [hello world hello world] <nil>
	// true ValueError times is -1
}

func ExampleBind() {
	f, _ := selfsame.NewFunc(func(a, b int) int { return a * b })
	multiply, err := selfsame.Bind[func(a, b int) (int, error)](f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(multiply(6, 7))
	// Output: 42 <nil>
}
