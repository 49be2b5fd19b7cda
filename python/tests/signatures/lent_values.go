package signatures

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// Box is a class with a method that copies a list and a dict.
type Box struct{ selfsame.Object }

// fill returns what it gets, as text.
func (*Box) fill(texts []string, counts map[string]int64) string {
	return fmt.Sprintf("%q %v", texts, counts)
}

// Functions that copy their lists and dicts, so that Python lends them.
func init() {
	selfsame.MustRegister[Box]("signatures.Box", selfsame.Init(func(*Box) {}),
		selfsame.Method("fill", (*Box).fill, "", "texts", "counts"))
	selfsame.MustRegisterFunc("signatures.show_ints", func(values []int64, next int64) string {
		return fmt.Sprint(values, next)
	}, selfsame.ArgNames("values", "next=0"))
	selfsame.MustRegisterFunc("signatures.show_floats", func(values []float64) string { return fmt.Sprint(values) })
	selfsame.MustRegisterFunc("signatures.show_bools", func(values []bool) string { return fmt.Sprint(values) })
	selfsame.MustRegisterFunc("signatures.show_texts", func(values []string, next int64) string {
		return fmt.Sprintf("%q %d", values, next)
	}, selfsame.ArgNames("values", "next=0"))
	selfsame.MustRegisterFunc("signatures.show_counts", func(m map[string]int64) string { return fmt.Sprint(m) })
	selfsame.MustRegisterFunc("signatures.show_names", func(m map[int64]string) string { return fmt.Sprint(m) })
	selfsame.MustRegisterFunc("signatures.show_mixed", func(m map[string]any) string { return fmt.Sprint(m) })
	selfsame.MustRegisterFunc("signatures.show_pair", func(pair [2]int64) string { return fmt.Sprint(pair) })
}
