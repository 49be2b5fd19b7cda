package linediff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDifferencesAreShownWithTheirSurroundings(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n"
	after := "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\nl\nm\nn\n"
	want := "--- x\n+++ x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n@@ -11,3 +11,4 @@\n k\n l\n m\n+n\n"
	if got := Unified("x", before, after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Unified("x", before, before); got != "" {
		t.Errorf("of equal texts: %s", got)
	}
	if got := Unified("x", "", "a\n"); got != "--- x\n+++ x\n@@ -1,0 +1,1 @@\n+a\n" {
		t.Errorf("of a new file: %s", got)
	}
	if got := Unified("x", "a\n", ""); got != "--- x\n+++ x\n@@ -1,1 +1,0 @@\n-a\n" {
		t.Errorf("of a removed file: %s", got)
	}
}

// applied returns the text that a difference makes of another.
func applied(t *testing.T, before, difference string) string {
	t.Helper()
	old := lines(before)
	var out []string
	at := 0
	for line := range strings.Lines(difference) {
		line = strings.TrimSuffix(line, "\n")
		var start, count int
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "@@"):
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &start, &count); err != nil {
				t.Fatal(err)
			}
			out = append(out, old[at:start-1]...)
			at = start - 1
		case line[0] == '+':
			out = append(out, line[1:])
		default:
			if old[at] != line[1:] {
				t.Fatalf("line %d is %q, the difference says %q", at+1, old[at], line)
			}
			if line[0] == ' ' {
				out = append(out, old[at])
			}
			at++
		}
	}
	return strings.Join(append(out, old[at:]...), "\n")
}

// What is shown turns one text into the other, for texts of few different lines in any order.
func TestDifferencesLeadToTheOtherText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(40) {
			fmt.Fprintf(&b, "%c\n", 'a'+random.IntN(5))
		}
		return b.String()
	}
	for range 2000 {
		before, after := text(), text()
		if got := applied(t, before, Unified("x", before, after)); got != strings.TrimSuffix(after, "\n") {
			t.Fatalf("of\n%sgot\n%s\nwant\n%s", before, got, after)
		}
	}
}
