// Package steps has what examples/geo lacks: static methods, and funcs as arguments and results.
package steps

import "github.com/selfsame-ffi/selfsame"

// Counter counts.
type Counter struct {
	selfsame.Object
	Count int64 `ffi:"rw"`
}

var counterClass *selfsame.Class[Counter]

// Each calls visit with 0, 1 and so on, and returns how often it said yes.
func (c *Counter) Each(visit func(i int64) (bool, error)) (int64, error) {
	var yes int64
	for i := range c.Count {
		said, err := visit(i)
		if err != nil {
			return 0, err
		}
		if said {
			yes++
		}
	}
	return yes, nil
}

func init() {
	counterClass = selfsame.MustRegister[Counter]("steps.Counter",
		selfsame.Init(func(c *Counter, count int64) { c.Count = count }, "count"),
		selfsame.Static("of_text", func(text string) *selfsame.Handle[Counter] {
			return counterClass.New(func(c *Counter) { c.Count = int64(len(text)) })
		}, "Counts the bytes of a text.", "text"),
		selfsame.Method("each", (*Counter).Each, "Calls visit with 0, 1 and so on, and returns how often it said yes.", "visit"))
	selfsame.MustRegisterFunc("steps.adder", func(n int64) func(int64) int64 {
		return func(x int64) int64 { return x + n }
	}, selfsame.ArgNames("n"))
}
