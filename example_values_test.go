package selfsame_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/selfsame-ffi/selfsame"
)

// Journal writes to any io.Writer, which a class struct could not hold itself.
type Journal struct {
	selfsame.Object
	Lines int64
	To    selfsame.Value[io.Writer]
}

var JournalClass = selfsame.MustRegister[Journal]("example.Journal",
	selfsame.Method("write", func(j *Journal, line string) error {
		j.Lines++
		_, err := fmt.Fprintln(j.To.Get(), line)
		return err
	}, "Writes a line.", "line"),
	selfsame.OnDrop(func(j *Journal) error {
		_, err := fmt.Fprintf(j.To.Get(), "closed after %d lines", j.Lines)
		return err
	}))

func ExampleValue() {
	var text strings.Builder
	journal := selfsame.New(func(j *Journal) { j.To.Set(&text) })
	if _, err := selfsame.CallMethod(journal, "write", "one line"); err != nil {
		panic(err)
	}
	journal.Release()
	selfsame.Collect() // waits for OnDrop
	fmt.Println(text.String())
	// Output:
	// one line
	// closed after 1 lines
}

// A class that owns something closes it in OnDrop, whichever language drops the last reference.
func ExampleOnDrop() {
	var text strings.Builder
	selfsame.New(func(j *Journal) { j.To.Set(&text) }).Release()
	selfsame.Collect()
	fmt.Println(text.String())
	// Output:
	// closed after 0 lines
}
