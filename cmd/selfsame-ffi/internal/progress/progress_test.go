package progress

import (
	"bytes"
	"errors"
	"regexp"
	"testing"
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
