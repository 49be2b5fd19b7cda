// Package librarybin decodes the import tree of modules that a shared library carries in its symbol
// __tvm_ffi__library_bin. The payload is
//
//	begins    a list of n+1 integers
//	children  a list of module indices; module i imports children[begins[i]:begins[i+1]]
//	modules   n times: a string, the module's kind; and, unless the kind is "_lib", a string, the module's bytes
//
// Integers are 64 bits, little endian. A list or string is its length followed by its items.
package librarybin

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// OfLibrary is the kind of the module that is the library which carries the tree.
const OfLibrary = "_lib"

// Module is one module of the tree.
type Module struct {
	Kind     string
	Bytes    []byte // a view of the input; nil for OfLibrary
	Children []int  // indices of the modules that it imports
}

// Decode decodes a payload. The first module of the result is the root. Decode returns an error for a payload that is
// malformed, has no module, or in which modules import each other in a cycle.
func Decode(payload []byte) ([]Module, error) {
	r := reader{payload}
	begins, err := r.integers()
	if err != nil {
		return nil, fmt.Errorf("the list of child lists: %w", err)
	}
	children, err := r.integers()
	if err != nil {
		return nil, fmt.Errorf("the list of children: %w", err)
	}
	if len(begins) < 2 {
		return nil, errors.New("there is no module in it")
	}
	modules := make([]Module, len(begins)-1)
	for i := range modules {
		if err := r.module(&modules[i]); err != nil {
			return nil, fmt.Errorf("module %d: %w", i, err)
		}
		if modules[i].Children, err = childrenOf(i, begins, children, len(modules)); err != nil {
			return nil, fmt.Errorf("module %d: %w", i, err)
		}
	}
	if i := findCycle(modules); i >= 0 {
		return nil, fmt.Errorf("module %d imports itself", i)
	}
	return modules, nil
}

var errTruncated = errors.New("the data ends too early")

type reader struct{ rest []byte }

func (r *reader) integer() (uint64, error) {
	if len(r.rest) < 8 {
		return 0, errTruncated
	}
	v := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return v, nil
}

func (r *reader) integers() ([]uint64, error) {
	n, err := r.integer()
	if err != nil {
		return nil, err
	}
	if n > uint64(len(r.rest))/8 {
		return nil, errTruncated
	}
	list := make([]uint64, n)
	for i := range list {
		list[i], _ = r.integer()
	}
	return list, nil
}

func (r *reader) bytes() ([]byte, error) {
	n, err := r.integer()
	if err != nil {
		return nil, err
	}
	if n > uint64(len(r.rest)) {
		return nil, errTruncated
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b, nil
}

func (r *reader) module(m *Module) error {
	kind, err := r.bytes()
	if err != nil {
		return err
	}
	m.Kind = string(kind)
	if m.Kind != OfLibrary {
		m.Bytes, err = r.bytes()
	}
	return err
}

func childrenOf(i int, begins, children []uint64, modules int) ([]int, error) {
	from, to := begins[i], begins[i+1]
	if from > to || to > uint64(len(children)) {
		return nil, fmt.Errorf("children %d to %d of %d", from, to, len(children))
	}
	list := make([]int, 0, to-from)
	for _, child := range children[from:to] {
		if child >= uint64(modules) {
			return nil, fmt.Errorf("child %d of %d modules", child, modules)
		}
		list = append(list, int(child))
	}
	return list, nil
}

// findCycle returns the index of a module that imports itself, directly or through others, or -1.
func findCycle(modules []Module) int {
	const (
		unseen = iota
		onPath
		done
	)
	type step struct{ module, next int }
	state := make([]uint8, len(modules))
	for start := range modules {
		if state[start] != unseen {
			continue
		}
		state[start] = onPath
		for path := []step{{start, 0}}; len(path) > 0; {
			at := &path[len(path)-1]
			if at.next == len(modules[at.module].Children) {
				state[at.module] = done
				path = path[:len(path)-1]
				continue
			}
			child := modules[at.module].Children[at.next]
			at.next++
			switch state[child] {
			case onPath:
				return child
			case unseen:
				state[child] = onPath
				path = append(path, step{child, 0})
			}
		}
	}
	return -1
}
