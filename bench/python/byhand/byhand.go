// Package byhand registers by hand what `selfsame-ffi wrap` makes of the package tally: Locked holds the library's value, with calls
// that take turns, as wrap.md says; Free is a class of Go's own, whose calls take no lock.
package byhand

import (
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/bench/python/tally"
	"github.com/selfsame-ffi/selfsame/gen"
)

// Locked is a tally of the library.
type Locked struct {
	selfsame.Object
	gen.Wrapped[*tally.Tally]
}

func (l *Locked) add(n int) int {
	defer l.Lock().Unlock()
	return l.Go().Add(n)
}

func (l *Locked) plus(other *tally.Tally) int {
	defer l.Lock(other).Unlock()
	return l.Go().Plus(other)
}

func (l *Locked) tagged(text string) string {
	defer l.Lock().Unlock()
	return l.Go().Tagged(text)
}

// Free is a tally that a person would write for one thread.
type Free struct {
	selfsame.Object
	total int64
}

func (f *Free) add(n int) int {
	f.total += int64(n)
	return int(f.total)
}

func (f *Free) plus(other *Free) int {
	f.total += other.total
	return int(f.total)
}

func (f *Free) tagged(text string) string { return text + " " + text }

var _ = gen.Wrap[Locked, tally.Tally]("byhand.Locked")

func init() {
	selfsame.MustRegister[Locked]("byhand.Locked", selfsame.Doc("A tally whose calls take turns."),
		selfsame.Init(func(l *Locked) { l.Set(tally.NewTally()) }),
		selfsame.Method("add", (*Locked).add, "Adds a number.", "n"),
		selfsame.Method("plus", (*Locked).plus, "Adds another tally.", "other"),
		selfsame.Method("tagged", (*Locked).tagged, "Returns a text twice.", "text"))
	selfsame.MustRegister[Free]("byhand.Free", selfsame.Doc("A tally without a lock."),
		selfsame.Init(func(*Free) {}),
		selfsame.Method("add", (*Free).add, "Adds a number.", "n"),
		selfsame.Method("plus", (*Free).plus, "Adds another tally.", "other"),
		selfsame.Method("tagged", (*Free).tagged, "Returns a text twice.", "text"))
}
