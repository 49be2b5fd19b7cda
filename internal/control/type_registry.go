package control

import (
	"sync"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// registry guards every write to the tables of package plane; reads take no lock. A holder must not release an object
// or call a hook, because these may run any code: it releases a replaced object after unlocking. Under it, the C code
// takes the lock of a name (global_functions.c), never the other way round.
// RATIONALE.md, "Why look-ups take no lock, and what is outgrown is kept".
var registry sync.Mutex

// nextIndex is the next type index for a type that gets none of its parent's child slots. All types have smaller
// indices. registry guards it.
var nextIndex = abi.IndexDynObjectBegin

// recoverIndices sets nextIndex, and the child slots in use, from the types that exist. There are some if this is the
// start in a forked child; the process may have forked while a type was registered.
func recoverIndices() error {
	for index, end := int32(0), plane.TypeEnd(); index < end; index++ {
		t := plane.TypeAt(index)
		if t == nil {
			continue
		}
		total, _ := t.Slots()
		if index >= abi.IndexDynObjectBegin {
			nextIndex = max(nextIndex, index+total)
		}
		if depth := t.Info().Depth; depth > 0 {
			plane.TypeAt(t.Info().Ancestor(depth - 1).TypeIndex).ReachSlots(index + total)
		}
	}
	return nil
}

// typeRequest has the arguments of TVMFFITypeGetOrAllocIndex.
type typeRequest struct {
	key         string
	static      int32 // the wanted index, -1 for any
	depth       int32
	childSlots  int32
	canOverflow bool
	parent      int32 // -1 for none
}

// typeIndex returns the type index of a key, and registers the type if it is new.
func typeIndex(r typeRequest) (int32, error) {
	registry.Lock()
	defer registry.Unlock()
	if index := plane.TypeByKey(r.key); index >= 0 {
		return index, nil
	}
	parent, err := r.check()
	if err != nil {
		return 0, err
	}
	numIndices := r.childSlots + 1
	index, err := r.chooseIndex(parent, numIndices)
	if err != nil {
		return 0, err
	}
	if parent != nil && !parent.CanOverflow() {
		r.canOverflow = false
	}
	if plane.AddType(r.key, index, r.depth, parent, numIndices, r.canOverflow) == nil {
		return 0, errRaised
	}
	// Nothing can fail from here on: take the index.
	switch {
	case r.static >= 0:
	case index >= nextIndex:
		nextIndex = index + numIndices
	default:
		parent.TakeSlots(numIndices)
	}
	return index, nil
}

// check returns the parent (nil if there is none), or an error if the request is invalid. The caller must hold
// registry.
func (r *typeRequest) check() (parent *plane.Type, err error) {
	if r.key == "" {
		return nil, errorf("ValueError", "TVMFFITypeGetOrAllocIndex: type_key must not be empty")
	}
	if r.childSlots < 0 || r.childSlots >= plane.TypeLimit {
		return nil, errorf("ValueError", "TVMFFITypeGetOrAllocIndex: num_child_slots of `%s` must be between 0 and %d, got %d",
			r.key, plane.TypeLimit-1, r.childSlots)
	}
	if r.parent >= 0 {
		if r.parent >= nextIndex {
			return nil, errorf("InternalError", "Check failed: parent_type_index < type_table_.size() (%d vs. %d) : type_key=%s, static_index=%d",
				r.parent, nextIndex, r.key, r.static)
		}
		parent = plane.TypeAt(r.parent)
	}
	if parent == nil && r.depth != 0 {
		return nil, errorf("InternalError", "Check not null: parent of `%s`: no type has index %d", r.key, r.parent)
	}
	if r.depth != 0 && r.depth != parent.Info().Depth+1 {
		return nil, errorf("InternalError", "Check failed: type_depth == parent->type_depth + 1 (%d vs. %d) : type_key=%s",
			r.depth, parent.Info().Depth+1, r.key)
	}
	return parent, nil
}

// chooseIndex returns the first of numIndices free indices, without taking them. The caller must hold registry.
func (r *typeRequest) chooseIndex(parent *plane.Type, numIndices int32) (int32, error) {
	index := r.static
	switch {
	case index >= nextIndex:
		return 0, errorf("InternalError", "Check failed: static_type_index < type_table_.size() (%d vs. %d) : type_key=%s",
			index, nextIndex, r.key)
	case index >= 0:
	case parent == nil:
		return 0, errorf("InternalError", "Check not null: parent of `%s`: a type without a static index needs one", r.key)
	default:
		total, allocated := parent.Slots()
		if numIndices <= total-allocated {
			index = parent.Info().TypeIndex + allocated
			break
		}
		if !parent.CanOverflow() {
			return 0, errorf("InternalError", "Check failed: (parent->child_slots_can_overflow) is false: Reach maximum number of sub-classes for %s",
				parent.Key())
		}
		index = nextIndex
		if numIndices > plane.TypeLimit-index {
			return 0, errorf("RuntimeError", "TVMFFITypeGetOrAllocIndex: no type index is left for `%s`", r.key)
		}
	}
	if taken := plane.TypeAt(index); taken != nil {
		return 0, errorf("InternalError", "Check failed: (type_table_[%d] == nullptr) is false: Conflicting static index %d between %s and %s",
			index, index, taken.Key(), r.key)
	}
	if parent != nil && index <= parent.Info().TypeIndex {
		return 0, errorf("InternalError", "Check failed: allocated_tindex > parent->type_index (%d vs. %d) : type_key=%s",
			index, parent.Info().TypeIndex, r.key)
	}
	return index, nil
}

// typeAt returns the type of an index, or an error.
func typeAt(index int32) (*plane.Type, error) {
	if t := plane.TypeAt(index); t != nil {
		return t, nil
	}
	return nil, errorf("InternalError", "Check failed: (entry != nullptr) is false: Cannot find type info for type_index=%d", index)
}

// typeKeyOf returns the type key of an index, for error messages.
func typeKeyOf(index int32) string {
	if t := plane.TypeAt(index); t != nil {
		return t.Key()
	}
	if index == abi.IndexAny {
		return "Any"
	}
	return "unregistered type"
}
