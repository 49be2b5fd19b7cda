package gen

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// A copy within a process has the funcs of the value that is copied, as a deep copy in Python has its functions. The bytes of such a
// value are the number of a pending copy, which waits for its only reader.

const sharingForm = "sharing"

// pendingCopy is what a value was written as.
type pendingCopy struct {
	of     reflect.Type
	tree   []byte
	forms  []form
	shared []reflect.Value
}

var (
	pendingCopies sync.Map // number -> pendingCopy
	copyNumbers   atomic.Uint64
)

// dumpSharing does the work of Dump, for one reader in this process.
func dumpSharing(pointer any) (form string, data []byte, err error) {
	t, failed := reflect.TypeOf(pointer).Elem(), error(nil)
	for _, forms := range fieldForms {
		copied := pendingCopy{of: t, forms: forms}
		if failed = copied.write(pointer); failed == nil {
			number := strconv.FormatUint(copyNumbers.Add(1), 10)
			pendingCopies.Store(number, copied)
			return sharingForm, []byte(number), nil
		}
	}
	return "", nil, fault.New("TypeError", "cannot copy a value of the Go type %s: %v", t, failed)
}

// write writes a value. What is read of it must be written alike: Go compares no funcs. The methods of parts may panic.
func (c *pendingCopy) write(pointer any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	if c.tree, err = writeTree(pointer, c.forms, &c.shared); err != nil {
		return err
	}
	again := reflect.New(c.of).Interface()
	if err := readTree(c.tree, again, c.forms, c.shared); err != nil {
		return err
	}
	tree, err := writeTree(again, c.forms, new([]reflect.Value))
	if err == nil && !bytes.Equal(tree, c.tree) {
		err = fmt.Errorf("the value that is read is another one")
	}
	return err
}

// loadSharing stores a pending copy in the variable behind a pointer.
func loadSharing(pointer any, number string) error {
	pending, known := pendingCopies.LoadAndDelete(number)
	copied, _ := pending.(pendingCopy)
	if t := reflect.TypeOf(pointer).Elem(); !known || copied.of != t {
		return fault.New("ValueError", "no value of the Go type %s waits to be copied", t)
	}
	return readTree(copied.tree, pointer, copied.forms, copied.shared)
}
