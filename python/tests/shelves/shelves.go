// Package shelves is what the Python tests of Go classes call: Go values in objects, OnDrop, operators, properties,
// pickles and errors.
package shelves

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	if err := wait(ix.heldBy(path)); err != nil {
		file.Close()
		return err
	}
	ix.Path.Set(path)
	ix.File.Set(file)
	return nil
}

func (ix *Index) heldBy(path string) string { return filepath.Join(path, "held") }

// wait makes a file that says that the folder is open, once there is none.
func wait(name string) error {
	for range 30_000 {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return file.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return context.DeadlineExceeded
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
	if err := ix.File.Get().Close(); err != nil {
		return err
	}
	return os.Remove(ix.heldBy(ix.Path.Get()))
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

// Version has operators, properties and special methods.
type Version struct {
	selfsame.Object
	Major int64 `ffi:"ro"`
	Minor int64
}

// VersionClass is shelves.Version.
var VersionClass = selfsame.MustRegister[Version]("shelves.Version",
	selfsame.Init(func(v *Version, major, minor int64) { v.Major, v.Minor = major, minor }, "major", "minor=0"),
	selfsame.Equality(func(a, b *Version) bool { return *number(a) == *number(b) }, func(v *Version) int64 { return v.Major*1000 + v.Minor }),
	selfsame.Order(func(a, b *Version) int { return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor)) }),
	selfsame.Property("text", func(v *Version) string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }, (*Version).parse, "As text."),
	selfsame.Property("stable", func(v *Version) bool { return v.Major > 0 }, nil, "Whether the major number is above 0."),
	selfsame.Method("__add__", func(v *Version, minor int64) *selfsame.Handle[Version] {
		return selfsame.New(func(sum *Version) { sum.Major, sum.Minor = v.Major, v.Minor+minor })
	}, "A later version.", "minor"))

func number(v *Version) *[2]int64 { return &[2]int64{v.Major, v.Minor} }

func (v *Version) parse(text string) error {
	major, minor, _ := strings.Cut(text, ".")
	var err, also error
	v.Major, err = strconv.ParseInt(major, 10, 64)
	v.Minor, also = strconv.ParseInt(minor, 10, 64)
	return errors.Join(err, also)
}

// Row is a sequence and a context manager.
type Row struct {
	selfsame.Object
	Items  selfsame.List[string]
	Closed bool
}

// RowClass is shelves.Row.
var RowClass = selfsame.MustRegister[Row]("shelves.Row",
	selfsame.Init(func(r *Row, items []string) { r.Items.Append(items...) }, "items"),
	selfsame.Method("__len__", func(r *Row) int { return r.Items.Len() }, "The number of items."),
	selfsame.Method("__getitem__", func(r *Row, i int) (string, error) {
		if i < 0 || i >= r.Items.Len() {
			return "", selfsame.Errorf("IndexError", "no item %d", i)
		}
		return r.Items.At(i), nil
	}, "An item.", "i"),
	selfsame.Method("__iter__", func(r *Row) []string { return r.Items.Slice() }, "The items."),
	selfsame.Method("__contains__", func(r *Row, item string) bool { return slices.Contains(r.Items.Slice(), item) }, "", "item"),
	selfsame.Method("__exit__", func(r *Row) { r.Closed = true }, "Closes the row."))

// sentinels are the errors that the tests raise and look for by name.
var sentinels = map[string]error{
	"ErrNotExist": fs.ErrNotExist, "ErrPermission": fs.ErrPermission, "ErrExist": fs.ErrExist, "Canceled": context.Canceled,
	"DeadlineExceeded": context.DeadlineExceeded, "ErrRange": strconv.ErrRange, "ErrSyntax": strconv.ErrSyntax, "EOF": io.EOF,
	"errFull": errFull, "errNoBook": errNoBook,
}

var (
	errFull   = errors.New("the shelf is full")
	errNoBook = errors.New("no such book")
)

func init() {
	selfsame.MustRegisterErrorKind(errFull, "shelves.Full")
	selfsame.MustRegisterErrorKind(errNoBook, "KeyError")
	selfsame.MustRegisterFunc("shelves.fail", func(name string) error {
		return fmt.Errorf("wrapped: %w", sentinels[name])
	}, selfsame.ArgNames("name"))
	selfsame.MustRegisterFunc("shelves.fails_with", func(function func() (any, error), name string) bool {
		_, err := function()
		return errors.Is(err, sentinels[name])
	}, selfsame.ArgNames("function", "name"))
}
