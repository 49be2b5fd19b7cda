package reason

import (
	"strings"
	"testing"
)

func TestEachReasonHasATextThatNamesWhatItIsAbout(t *testing.T) {
	for kind, row := range rows {
		if row.text == "" {
			t.Errorf("the reason %d has no text", kind)
		}
		if strings.Count(row.text, "%") > 1 || strings.Contains(row.advice, "%") {
			t.Errorf("%q, %q: expected at most one %%s, in the text", row.text, row.advice)
		}
	}
	r := New(NotExported, "tree.node").In("in a callback, ").In("parameter %s: ", "'n'")
	if got, want := r.String(), "parameter 'n': in a callback, the type tree.node is not exported"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if New(DoesNotCompile, "100% of it").String() != "its code does not compile: 100% of it" {
		t.Error("what a compiler says is no format")
	}
}

// What to write follows from the kind of a reason, never from the words of it: those of a compiler may be any.
func TestAdviceFollowsFromTheKind(t *testing.T) {
	if advice := New(DoesNotCompile, "x is not exported; channels have constraints").Advice(); advice != "" {
		t.Errorf("got %q", advice)
	}
	if advice := New(Channel, "").In("parameter 'c': ").Advice(); !strings.Contains(advice, "iter.Seq") {
		t.Errorf("got %q", advice)
	}
}
