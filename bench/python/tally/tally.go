// Package tally is a Go library that knows nothing of Python. `make bench-wrap` wraps it.
package tally

// Tally adds numbers.
type Tally struct{ total int }

// NewTally makes a tally of nothing.
func NewTally() *Tally { return &Tally{} }

// Add adds a number and returns the sum.
func (t *Tally) Add(n int) int {
	t.total += n
	return t.total
}

// Plus adds the sum of another tally and returns the sum.
func (t *Tally) Plus(other *Tally) int {
	t.total += other.total
	return t.total
}

// Tagged returns a text behind another.
func (t *Tally) Tagged(text string) string { return text + " " + text }
