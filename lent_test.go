package selfsame_test

import (
	"bytes"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
)

// A parameter of type Lent has the caller's own memory, whatever its size; in containers too.
//
// Requirement: D10
func TestLentBytesAreTheCallersMemory(t *testing.T) {
	balanced(t)
	for _, content := range []string{"", "small", "bytes that lie in an object"} {
		var at *byte
		f := must(selfsame.NewFunc(func(b selfsame.Lent, list []selfsame.Lent, byName map[string]selfsame.Lent) bool {
			at = unsafe.SliceData(b)
			grown := append(b, '!')
			return string(b) == content && string(grown) == content+"!" && cap(b) == len(b) &&
				bytes.Equal(list[0], b) && bytes.Equal(byName["k"], b)
		}))(t)
		list := [][]byte{[]byte(content)}
		ok, err := selfsame.CallAs[bool](f, []byte(content), list, map[string][]byte{"k": []byte(content)})
		if err != nil || !ok {
			t.Errorf("%q: %v, %v", content, ok, err)
		}
		if len(content) > 7 && at == nil {
			t.Errorf("%q: no memory", content)
		}
		f.Release()
	}
}

// Lent bytes are no result, no field and nothing that a bound func passes on.
//
// Requirement: D10
func TestLentBytesAreRefusedElsewhere(t *testing.T) {
	_, err := selfsame.NewFunc(func() selfsame.Lent { return nil })
	if err == nil || !strings.Contains(err.Error(), "lent to parameters only") {
		t.Errorf("as a result: %v", err)
	}
	type holder struct {
		selfsame.Object
		B selfsame.Lent `ffi:"rw"`
	}
	if _, err := selfsame.Register[holder]("lent.Holder"); err == nil {
		t.Error("as a field: no error")
	}
	f := must(selfsame.NewFunc(func(b []byte) int { return len(b) }))(t)
	if _, err := selfsame.Bind[func(selfsame.Lent) (int, error)](f); err == nil {
		t.Error("bound: no error")
	}
	if _, err := must(selfsame.NewFunc(func(b selfsame.Lent) {}))(t).Call("text"); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("text: %v", err)
	}
	f.Release()
}
