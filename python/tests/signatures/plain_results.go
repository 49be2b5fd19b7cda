package signatures

import "github.com/selfsame-ffi/selfsame"

// Functions that return their argument with Python's own containers. Those of numbers, bools and text are made without a
// native container, the rest through one.
func init() {
	plain := selfsame.Plain()
	selfsame.MustRegisterFunc("signatures.plain_ints", func(v []int64) []int64 { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_floats", func(v []float64) []float64 { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_bools", func(v []bool) []bool { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_texts", func(v []string) []string { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_small_ints", func(v []int8) []int8 { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_lists", func(v [][]int64) [][]int64 { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_counts", func(m map[string]int64) map[string]int64 { return m }, plain)
	selfsame.MustRegisterFunc("signatures.plain_shares", func(m map[string]float64) map[string]float64 { return m }, plain)
	selfsame.MustRegisterFunc("signatures.plain_flags", func(m map[int64]bool) map[int64]bool { return m }, plain)
	selfsame.MustRegisterFunc("signatures.plain_names", func(m map[int64]string) map[int64]string { return m }, plain)
	selfsame.MustRegisterFunc("signatures.plain_groups", func(m map[string][]string) map[string][]string { return m }, plain)
	selfsame.MustRegisterFunc("signatures.plain_pair", func(v [2]int64) [2]int64 { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_words", func(v [3]string) [3]string { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_no_elements", func(v [0]float64) [0]float64 { return v }, plain)
	selfsame.MustRegisterFunc("signatures.plain_nothing", func() ([]int64, map[string]int64) { return nil, nil }, plain)
	selfsame.MustRegisterFunc("signatures.plain_broken", func() []string { return []string{"fine", "\xff not UTF-8 at all"} }, plain)
}
