package selfsame_test

import (
	"errors"
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// Temperature has an attribute that is computed, compares by its value, and is written as a number in JSON and pickles.
type Temperature struct {
	selfsame.Object
	Kelvin float64
}

var TemperatureClass = selfsame.MustRegister[Temperature]("example.Temperature",
	selfsame.Property("celsius",
		func(t *Temperature) float64 { return t.Kelvin - 273.15 },
		func(t *Temperature, c float64) { t.Kelvin = c + 273.15 },
		"degrees above the freezing point of water"),
	selfsame.Equality(
		func(a, b *Temperature) bool { return a.Kelvin == b.Kelvin },
		func(t *Temperature) int64 { return int64(t.Kelvin) }),
	selfsame.JSON(
		func(t *Temperature) any { return t.Kelvin },
		func(kelvin any) (*selfsame.Handle[Temperature], error) {
			return selfsame.New(func(t *Temperature) { t.Kelvin = kelvin.(float64) }), nil
		}))

// In Python this is an attribute: temperature.celsius = 20.
func ExampleProperty() {
	h := selfsame.New[Temperature](nil)
	if _, err := selfsame.CallMethod(h, "set_celsius", 20.0); err != nil {
		panic(err)
	}
	fmt.Println(h.Get().Kelvin)
	// Output: 293.15
}

// Equal objects are one key, in containers of every language.
func ExampleEquality() {
	cold := func() *selfsame.Handle[Temperature] { return selfsame.New(func(t *Temperature) { t.Kelvin = 4 }) }
	notes, err := selfsame.NewDict(map[*selfsame.Handle[Temperature]]string{cold(): "helium"})
	if err != nil {
		panic(err)
	}
	note, found := notes.Get(cold())
	fmt.Println(note, found)
	// Output: helium true
}

// An object with a JSON form goes to other processes as that form, also one that keeps a Go value.
func ExampleJSON() {
	write, err := selfsame.GetFunc("ffi.ToJSONGraphString")
	if err != nil {
		panic(err)
	}
	read, err := selfsame.GetFunc("ffi.FromJSONGraphString")
	if err != nil {
		panic(err)
	}
	text, err := write.Call(selfsame.New(func(t *Temperature) { t.Kelvin = 300 }), nil)
	if err != nil {
		panic(err)
	}
	back, err := selfsame.CallAs[*selfsame.Handle[Temperature]](read, text)
	fmt.Println(back.Get().Kelvin, err)
	// Output: 300 <nil>
}

var errNoTea = errors.New("no tea")

// Python code catches the error of a Go package as an exception of a fitting class: here as a LookupError.
func ExampleRegisterErrorKind() {
	if err := selfsame.RegisterErrorKind(errNoTea, "LookupError"); err != nil {
		panic(err)
	}
	buy, err := selfsame.NewFunc(func(what string) error { return fmt.Errorf("%s: %w", what, errNoTea) })
	if err != nil {
		panic(err)
	}
	_, err = buy.Call("tea")
	var failure *selfsame.Error
	fmt.Println(errors.As(err, &failure), failure.Kind, errors.Is(err, errNoTea))
	// Output: true LookupError true
}
