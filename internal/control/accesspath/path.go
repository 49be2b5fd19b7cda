// Package accesspath makes and reads ffi.reflection.AccessPath objects. An AccessPath names a place inside a value: it
// is a linked list of AccessSteps, such as "attribute f" and "item 3", from the value at the root to that place.
package accesspath

import (
	"strconv"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Kind is the kind of an AccessStep.
type Kind int32

// The kinds of step, with the ABI's numbers. The key is an attribute name (Attr), an index (ArrayItem) or a key
// (MapItem); the Missing kinds name a place that does not exist.
const (
	Attr Kind = iota
	ArrayItem
	MapItem
	AttrMissing
	ArrayItemMissing
	MapItemMissing
)

// StepSize and PathSize are the sizes in bytes of an AccessStep and an AccessPath, with their headers.
const (
	StepSize = 48
	PathSize = 48
)

// StepType and PathType are the two classes. Package runtime sets them while it starts.
var StepType, PathType *abi.TypeInfo

// Step is the data of an AccessStep behind its header.
type Step struct {
	Kind Kind
	_    int32
	Key  abi.Any // owned
}

// Path is the data of an AccessPath behind its header.
type Path struct {
	Parent unsafe.Pointer // owned AccessPath, nil at the root
	Step   unsafe.Pointer // owned AccessStep, nil at the root
	Depth  int32
	_      int32
}

// StepOf returns the data of the AccessStep at h.
func StepOf(h unsafe.Pointer) *Step { return (*Step)(unsafe.Add(h, abi.BodyOffset)) }

// PathOf returns the data of the AccessPath at h.
func PathOf(h unsafe.Pointer) *Path { return (*Path)(unsafe.Add(h, abi.BodyOffset)) }

// NewStep makes an AccessStep and takes ownership of key, even if it fails. The result is a new reference; the error is
// failure.ErrRaised.
func NewStep(kind Kind, key abi.Any) (unsafe.Pointer, error) {
	h := plane.NewLayout(StepType, StepSize)
	if h == nil {
		graph.Release(key)
		return nil, failure.ErrRaised
	}
	*StepOf(h) = Step{Kind: kind, Key: key}
	return h, nil
}

// Root makes the AccessPath to the root. The result is a new reference; the error is failure.ErrRaised.
func Root() (unsafe.Pointer, error) {
	h := plane.NewLayout(PathType, PathSize)
	if h == nil {
		return nil, failure.ErrRaised
	}
	return h, nil
}

// Extend makes an AccessPath of parent and one more step. It takes a new reference to parent and takes ownership of
// step, even if it fails. The result is a new reference.
func Extend(parent, step unsafe.Pointer) (unsafe.Pointer, error) {
	depth := PathOf(parent).Depth
	if depth < 0 || depth == 1<<31-1 {
		plane.DecRef(step)
		return nil, failure.Value("an AccessPath of depth %d cannot be extended", depth)
	}
	h, err := Root()
	if err != nil {
		plane.DecRef(step)
		return nil, err
	}
	abi.IncRef(parent)
	*PathOf(h) = Path{Parent: parent, Step: step, Depth: depth + 1}
	return h, nil
}

// FromSteps makes an AccessPath of steps, the last step of the path first. It takes ownership of them, even if it
// fails. The result is a new reference.
func FromSteps(reversed []unsafe.Pointer) (unsafe.Pointer, error) {
	path, err := Root()
	for i := len(reversed) - 1; i >= 0; i-- {
		if err != nil {
			plane.DecRef(reversed[i])
			continue
		}
		var next unsafe.Pointer
		next, err = Extend(path, reversed[i])
		plane.DecRef(path)
		path = next
	}
	return path, err
}

// Steps returns the steps of the AccessPath at h, from the root on, borrowed from the path. Fields that were set
// through reflection can make a path invalid: a missing step, a parent of another class, or a cycle. Steps returns an
// error then.
func Steps(h unsafe.Pointer) ([]unsafe.Pointer, error) {
	var steps []unsafe.Pointer
	for at := PathOf(h); at.Parent != nil; at = PathOf(at.Parent) {
		if at.Step == nil {
			return nil, failure.Internal("Check failed: (current->step.has_value()) is false: ")
		}
		if abi.TypeIndexOf(at.Parent) != PathType.TypeIndex {
			return nil, failure.Internal("Check failed: (current != nullptr) is false: the parent of an AccessPath must be one, got `%s`",
				graph.TypeKey(abi.TypeIndexOf(at.Parent)))
		}
		if len(steps) == graph.MaxDepth*16 {
			return nil, graph.ErrDepth("AccessPath")
		}
		steps = append(steps, at.Step)
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return steps, nil
}

// StepEqual compares the kinds and keys of two steps. It fails if a key's own equality function fails.
func StepEqual(a, b unsafe.Pointer) (bool, error) {
	x, y := StepOf(a), StepOf(b)
	if x.Kind != y.Kind {
		return false, nil
	}
	return graph.Equal(&x.Key, &y.Key)
}

// IsPrefix reports whether the steps of the AccessPath at a are the first steps of the one at b, and, if whole is set,
// whether both have the same length.
func IsPrefix(a, b unsafe.Pointer, whole bool) (bool, error) {
	if a == b {
		return true, nil
	}
	x, err := Steps(a)
	if err != nil {
		return false, err
	}
	y, err := Steps(b)
	if err != nil {
		return false, err
	}
	if len(x) > len(y) || whole && len(x) != len(y) {
		return false, nil
	}
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if equal, err := StepEqual(x[i], y[i]); err != nil || !equal {
			return false, err
		}
	}
	return true, nil
}

// ToSteps makes an Array of the steps of an AccessPath. The result is a new reference.
func ToSteps(h unsafe.Pointer) (unsafe.Pointer, error) {
	steps, err := Steps(h)
	if err != nil {
		return nil, err
	}
	values := make([]abi.Any, len(steps))
	for i, step := range steps {
		values[i] = graph.Retain(abi.ObjectValue(step))
	}
	return graph.NewArray(values)
}

// Text formats an AccessPath, such as "<root>.name[3]"; repr formats a step.
func Text(h unsafe.Pointer, repr func(*abi.Any) (string, error)) (string, error) {
	steps, err := Steps(h)
	if err != nil {
		return "", err
	}
	text := []byte("<root>")
	for _, step := range steps {
		value := abi.ObjectValue(step)
		part, err := repr(&value)
		if err != nil {
			return "", err
		}
		text = append(text, part...)
	}
	return string(text), nil
}

// StepText formats a step, such as ".name" or "[3]"; repr formats a key.
func StepText(h unsafe.Pointer, repr func(*abi.Any) (string, error)) (string, error) {
	step := StepOf(h)
	quoted := func(before, after string) (string, error) {
		text, err := repr(&step.Key)
		return before + text + after, err
	}
	number := func(before, after string) (string, error) {
		if step.Key.TypeIndex != abi.IndexInt && step.Key.TypeIndex != abi.IndexBool {
			return "", failure.Type("Cannot convert from type `%s` to `int`", graph.Key(&step.Key))
		}
		return before + strconv.FormatInt(step.Key.Int64(), 10) + after, nil
	}
	switch step.Kind {
	case Attr:
		text, ok := step.Key.Text()
		if !ok {
			return "", failure.Type("Cannot convert from type `%s` to `str`", graph.Key(&step.Key))
		}
		return "." + text, nil
	case ArrayItem:
		return number("[", "]")
	case MapItem:
		return quoted("[", "]")
	case ArrayItemMissing:
		return number("[<missing:", ">]")
	case AttrMissing, MapItemMissing:
		return quoted("[<missing:", ">]")
	}
	return "", failure.Value("an AccessStep has no kind %d", step.Kind)
}
