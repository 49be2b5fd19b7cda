// Package shelves is what the Python tests of Go classes call: Go values in objects, OnDrop, operators, properties,
// pickles and errors.
package shelves

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// Index is a folder that one Index at a time has open: the next waits until it is closed, as those of search engines do.
type Index struct {
	selfsame.Object
	Path selfsame.String             `ffi:"ro"`
	File selfsame.Value[*os.File]    `doc:"the lock"`
	Told selfsame.Value[func() bool] // what OnDrop calls, if it is set
}

// IndexClass is shelves.Index.
var IndexClass = selfsame.MustRegister[Index]("shelves.Index",
	selfsame.Doc("A folder with a lock."),
	selfsame.Init((*Index).open, "path"),
	selfsame.Method("add", (*Index).add, "Writes a line.", "text"),
	selfsame.Method("on_drop", (*Index).onDrop, "Sets what is called when the index is dropped.", "tell"),
	selfsame.Method("hang", func(ix *Index) { ix.Told.Set(func() bool { select {} }) }, "Has OnDrop never return."),
	selfsame.OnDrop((*Index).close))

func (ix *Index) open(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(path, "lock"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	ix.Path.Set(path)
	ix.File.Set(file)
	return nil
}

func (ix *Index) add(text string) error {
	_, err := ix.File.Get().WriteString(text + "\n")
	return err
}

func (ix *Index) onDrop(tell func() (bool, error)) {
	ix.Told.Set(func() bool { stop, err := tell(); return stop && err == nil })
}

func (ix *Index) close() error {
	if tell := ix.Told.Get(); tell != nil && tell() {
		return nil
	}
	if !ix.File.IsSet() {
		return nil
	}
	time.Sleep(20 * time.Millisecond) // a program that does not wait is found out
	if _, err := ix.File.Get().WriteString("closed\n"); err != nil {
		return err
	}
	return ix.File.Get().Close()
}

// Bag holds any number of Go values.
type Bag struct {
	selfsame.Object
	Name  selfsame.String
	Words selfsame.Value[map[string]int]
}

// BagClass is shelves.Bag.
var BagClass = selfsame.MustRegister[Bag]("shelves.Bag",
	selfsame.Init(func(b *Bag, name string) { b.Name.Set(name); b.Words.Set(map[string]int{}) }, "name='bag'"),
	selfsame.Method("put", func(b *Bag, word string) int { b.Words.Get()[word]++; return len(b.Words.Get()) }, "Counts a word.", "word"),
	selfsame.Method("count", func(b *Bag, word string) int { return b.Words.Get()[word] }, "How often a word was put in.", "word"))

// sentinels are the errors that the tests raise and look for by name.
var sentinels = map[string]error{
	"ErrNotExist": fs.ErrNotExist, "ErrPermission": fs.ErrPermission, "ErrExist": fs.ErrExist, "Canceled": context.Canceled,
	"DeadlineExceeded": context.DeadlineExceeded, "ErrRange": strconv.ErrRange, "ErrSyntax": strconv.ErrSyntax, "EOF": io.EOF,
}

func init() {
	selfsame.MustRegisterFunc("shelves.fail", func(name string) error {
		return fmt.Errorf("wrapped: %w", sentinels[name])
	}, selfsame.ArgNames("name"))
	selfsame.MustRegisterFunc("shelves.fails_with", func(function func() (any, error), name string) bool {
		_, err := function()
		return errors.Is(err, sentinels[name])
	}, selfsame.ArgNames("function", "name"))
}
