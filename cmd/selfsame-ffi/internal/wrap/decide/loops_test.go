package decide

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// The only method that returns an iterator of Go is what a loop goes over, whatever its name.
func TestTheOnlyIteratorOfATypeIsItsLoop(t *testing.T) {
	const set = "import \"iter\"\ntype Set struct{ hidden int }\nfunc (s *Set) Lines() iter.Seq[string] { return nil }\n"
	if o := operationOf(planOf(t, set), "__iter__"); o == nil || o.Op != form.Calls || o.Go != "Lines" {
		t.Errorf("the loop is %+v", o)
	}
	for _, text := range []string{
		set + "func (s *Set) Words() iter.Seq[string] { return nil }\n", // which ones?
		"import \"iter\"\ntype Set struct{ hidden int }\nfunc (s *Set) Backward() iter.Seq[string] { return nil }\n",
		"import \"iter\"\ntype Set struct{ hidden int }\nfunc (s *Set) Of(n int) iter.Seq[string] { return nil }\n",
	} {
		if o := operationOf(planOf(t, text), "__iter__"); o != nil {
			t.Errorf("%s: the loop is %+v", text, o)
		}
	}
}
