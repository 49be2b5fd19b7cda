package librarybin

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func u64(values ...uint64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func str(s string) []byte { return append(u64(uint64(len(s))), s...) }

func join(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// tree returns the payload of a library that imports two modules, of which the second imports the first.
func tree() []byte {
	return join(u64(4, 0, 2, 2, 3), u64(3, 1, 2, 1), str("_lib"), str("one"), str("first bytes"), str("two"), str(""))
}

// Requirement: A9
func TestDecodeReturnsTheTree(t *testing.T) {
	got := testenv.Value(Decode(tree()))(t)
	want := []Module{
		{Kind: "_lib", Children: []int{1, 2}},
		{Kind: "one", Bytes: []byte("first bytes"), Children: []int{}},
		{Kind: "two", Bytes: []byte{}, Children: []int{1}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Requirement: A9
func TestEveryTruncationIsAnError(t *testing.T) {
	whole := tree()
	for n := range whole {
		if _, err := Decode(whole[:n]); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", n, len(whole))
		}
	}
}

func TestMalformedPayloadsAreErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		payload    []byte
	}{
		{"no module", "no module", u64(1, 0, 0)},
		{"nothing at all", "no module", u64(0, 0)},
		{"huge count", "too early", u64(1 << 61)},
		{"huge count that overflows", "too early", u64(^uint64(0), 0)},
		{"child lists run backwards", "children 1 to 0", join(u64(2, 1, 0), u64(1, 0), str("_lib"))},
		{"child lists run out", "children 0 to 2", join(u64(2, 0, 2), u64(1, 0), str("_lib"))},
		{"child of nobody", "child 7", join(u64(2, 0, 1), u64(1, 7), str("_lib"))},
		{"imports itself", "imports itself", join(u64(2, 0, 1), u64(1, 0), str("_lib"))},
		{"a circle", "imports itself", join(u64(3, 0, 1, 2), u64(2, 1, 0), str("_lib"), str("x"), str(""))},
	} {
		if _, err := Decode(c.payload); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// FuzzDecode decodes arbitrary payloads: each is an error, or a tree whose children are other modules of the tree.
func FuzzDecode(f *testing.F) {
	f.Add(tree())
	f.Add(u64(1<<61, 0))
	f.Add(join(u64(3, 0, 1, 2), u64(2, 1, 0), str("_lib"), str("x"), str("")))
	for _, input := range testenv.Corpus(f, "testdata/FuzzDecode.corpus") {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		modules, err := Decode(payload)
		if err != nil {
			return
		}
		if len(modules) == 0 {
			t.Fatal("no modules and no error")
		}
		for i, m := range modules {
			for _, child := range m.Children {
				if child < 0 || child >= len(modules) || child == i {
					t.Fatalf("module %d has child %d of %d", i, child, len(modules))
				}
			}
		}
	})
}
