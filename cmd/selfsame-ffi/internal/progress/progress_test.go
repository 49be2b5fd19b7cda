package progress

import (
	"bytes"
	"errors"
	"regexp"
	"testing"
	"time"
)

func TestSteps(t *testing.T) {
	for _, verbose := range []bool{false, true} {
		var out bytes.Buffer
		r := New(&out, verbose)
		wrong := errors.New("wrong")
		if err := r.Step("first", func() error { r.Detail("a detail\n"); return nil }); err != nil {
			t.Errorf("got error %v", err)
		}
		if err := r.Step("second", func() error { return wrong }); err != wrong {
			t.Errorf("got error %v, want the step's own", err)
		}
		detail := ""
		if verbose {
			detail = `a detail\n`
		}
		want := `^` + detail + `first: ok \(\d+\.\ds\)\nsecond: failed \(\d+\.\ds\)\n$`
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("got %q, want a match of %s", out.String(), want)
		}
	}
}

// Requirement: G1
func TestStepThatTakesLongSaysSoWhereThereIsNoTerminal(t *testing.T) {
	var out bytes.Buffer
	r := New(&out, false)
	ticks := make(chan time.Time)
	r.ticks = func() (<-chan time.Time, func()) { return ticks, func() {} }
	err := r.Step("compile", func() error {
		ticks <- time.Time{}
		ticks <- time.Time{} // the first has been written
		r.Package()
		r.Package()
		ticks <- time.Time{}
		ticks <- time.Time{}
		return nil
	})
	want := `^compile: still running \(\d+s\)\n(?s:.*)compile: still running \(\d+s, 2 packages\)\n(?s:.*)compile: ok \(\d+\.\ds\)\n$`
	if err != nil || !regexp.MustCompile(want).MatchString(out.String()) {
		t.Errorf("got %q, error %v, want a match of %s", out.String(), err, want)
	}
}
