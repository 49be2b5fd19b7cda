package control

import (
	"fmt"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

func mustType(t *testing.T, r typeRequest) int32 {
	t.Helper()
	index, err := typeIndex(r)
	if err != nil {
		t.Fatalf("%s: %s", r.key, errorText(err))
	}
	return index
}

func child(key string, parent, slots int32, overflow bool) typeRequest {
	return typeRequest{key: key, static: -1, depth: plane.TypeAt(parent).Info().Depth + 1, childSlots: slots, canOverflow: overflow, parent: parent}
}

// Derived types get their parent's child slots first, then indices behind them: the example of the ABI's documents.
// Requirement: A4
func TestDerivedTypesTakeChildSlotsFirst(t *testing.T) {
	onThread(t)
	base := mustType(t, child("slots.Base", abi.IndexObject, 2, true))
	for i, want := range []int32{base + 1, base + 2, base + 3} {
		if got := mustType(t, child(fmt.Sprintf("slots.Child%d", i), base, 0, true)); got != want {
			t.Errorf("child %d has index %d, want %d", i, got, want)
		}
	}
	if got := mustType(t, child("slots.Unrelated", abi.IndexObject, 0, true)); got != base+4 {
		t.Errorf("the next type has index %d, want %d", got, base+4)
	}
	if got := mustType(t, typeRequest{key: "slots.Base", static: 3, depth: 9, childSlots: -1, parent: -1}); got != base {
		t.Errorf("asking again gives %d, want %d", got, base)
	}
	info := plane.TypeAt(base + 3).Info()
	if info.Depth != 2 || info.Ancestor(0).TypeIndex != abi.IndexObject || info.Parent() != plane.TypeAt(base).Info() {
		t.Errorf("ancestors of slots.Child2: %+v", info)
	}
	if !info.IsA(plane.TypeAt(base).Info()) || plane.TypeAt(base).Info().IsA(info) {
		t.Error("IsA is wrong about slots.Child2 and slots.Base")
	}
}

// A type without overflow gets only as many descendants as it has child slots, and so do its descendants.
// Requirement: A4
func TestTypeWithoutOverflowRunsOutOfChildSlots(t *testing.T) {
	onThread(t)
	closed := mustType(t, child("closed.Base", abi.IndexObject, 3, false))
	inner := mustType(t, child("closed.Inner", closed, 1, true))
	if inner != closed+1 {
		t.Errorf("inner is %d, want %d", inner, closed+1)
	}
	if got := mustType(t, child("closed.Innermost", inner, 0, true)); got != closed+2 {
		t.Errorf("innermost is %d, want %d", got, closed+2)
	}
	before := nextIndex
	_, err := typeIndex(child("closed.TooMany", inner, 0, true))
	wantError(t, errorText(err), "InternalError: Check failed: (parent->child_slots_can_overflow) is false: Reach maximum number of sub-classes for closed.Inner")
	// The type needs two indices, and one child slot is left.
	_, err = typeIndex(child("closed.TooWide", closed, 1, true))
	wantError(t, errorText(err), "InternalError: Check failed: (parent->child_slots_can_overflow) is false: Reach maximum")
	if got := mustType(t, child("closed.Last", closed, 0, true)); got != closed+3 {
		t.Errorf("last is %d, want %d", got, closed+3)
	}
	if nextIndex != before || plane.TypeByKey("closed.TooMany") != -1 {
		t.Error("a refused type left something behind")
	}
}

// A request that is invalid is an error and registers nothing.
// Requirement: A4
func TestInvalidTypeRequestsRegisterNothing(t *testing.T) {
	onThread(t)
	before := nextIndex
	good := child("refused.Type", abi.IndexObject, 0, true)
	for _, c := range []struct {
		change func(r *typeRequest)
		want   string
	}{
		{func(r *typeRequest) { r.key = "" }, "ValueError: TVMFFITypeGetOrAllocIndex: type_key must not be empty"},
		{func(r *typeRequest) { r.childSlots = -1 }, "ValueError: TVMFFITypeGetOrAllocIndex: num_child_slots of `refused.Type`"},
		{func(r *typeRequest) { r.childSlots = plane.TypeLimit }, "ValueError: TVMFFITypeGetOrAllocIndex: num_child_slots"},
		{func(r *typeRequest) { r.childSlots = plane.TypeLimit - 10 }, "RuntimeError: TVMFFITypeGetOrAllocIndex: no type index is left"},
		{func(r *typeRequest) { r.parent = 1 << 20 }, "InternalError: Check failed: parent_type_index < type_table_.size() (1048576 vs. "},
		{func(r *typeRequest) { r.parent = 100 }, "InternalError: Check not null: parent of `refused.Type`: no type has index 100"},
		{func(r *typeRequest) { r.parent = -1; r.depth = 0 }, "InternalError: Check not null: parent of `refused.Type`: a type without"},
		{func(r *typeRequest) { r.depth = 2 }, "InternalError: Check failed: type_depth == parent->type_depth + 1 (2 vs. 1)"},
		{func(r *typeRequest) { r.static = abi.IndexArray }, "InternalError: Check failed: (type_table_[71] == nullptr) is false: Conflicting static index 71 between ffi.Array and refused.Type"},
		{func(r *typeRequest) { r.static = 1 << 20 }, "InternalError: Check failed: static_type_index < type_table_.size() (1048576 vs. "},
		{func(r *typeRequest) { r.static = 20 }, "InternalError: Check failed: allocated_tindex > parent->type_index (20 vs. 64)"},
	} {
		r := good
		c.change(&r)
		_, err := typeIndex(r)
		wantError(t, errorText(err), c.want)
	}
	if nextIndex != before || plane.TypeByKey("refused.Type") != -1 {
		t.Error("a refused type left something behind")
	}
}

// A type can ask for an index that is still free.
// Requirement: A4
func TestFreeStaticIndexIsGiven(t *testing.T) {
	onThread(t)
	r := child("static.Type", abi.IndexObject, 0, true)
	r.static = 101
	if got := mustType(t, r); got != 101 {
		t.Errorf("index %d, want 101", got)
	}
}

// 16 threads register the same types, attributes and functions while they read them, and all get the same type indices.
// Requirements: A4, A6
func TestConcurrentRegistrationsAgree(t *testing.T) {
	onThread(t)
	before := liveObjects()
	const threads, types = 16, 60
	indices := make([][]int32, threads)
	var group sync.WaitGroup
	for i := range threads {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := range types {
				key := fmt.Sprintf("concurrent.T%d", n)
				index, err := typeIndex(child(key, abi.IndexObject, int32(n%3), true))
				if err != nil {
					t.Error(err)
					return
				}
				indices[i] = append(indices[i], index)
				_ = registerAttr(index, "__concurrent__", abi.Int(int64(index)))
				if got := plane.FindColumn("__concurrent__").Lookup(index); got != abi.Int(int64(index)) {
					t.Errorf("attribute of %d is %+v", index, got)
				}
				registerAndRemove(t, fmt.Sprintf("concurrent.f%d", n%7))
			}
		}()
	}
	group.Wait()
	for i := 1; i < threads; i++ {
		for n := range indices[i] {
			if indices[i][n] != indices[0][n] {
				t.Fatalf("thread %d got %d for type %d, thread 0 got %d", i, indices[i][n], n, indices[0][n])
			}
		}
	}
	for index, count := range liveObjects() {
		if count != before[index] {
			t.Errorf("live objects of type %d: %d, before %d", index, count, before[index])
		}
	}
}

func registerAndRemove(t *testing.T, name string) {
	handle, err := newFunction(func([]abi.Any) (abi.Any, error) { return abi.Int(int64(len(name))), nil })
	if err != nil {
		t.Error(err)
		return
	}
	defer plane.DecRef(handle)
	if err := setGlobal(name, handle, &abi.MethodInfo{}, true, ""); err != nil {
		t.Error(err)
	}
	if found := plane.Global(name); found != nil {
		result, ok := plane.Call(found, nil)
		if !ok || result != abi.Int(int64(len(name))) {
			t.Errorf("%s gives %+v", name, result)
		}
		plane.DecRef(found)
	}
	removeGlobal(name)
}
