package effects

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

const nils = `package p

type T [2]int

func asks(xs []int) bool { return xs == nil }
func answers(n int, xs []int) bool { return n > 0 && nil != xs }
func through(xs []int) bool { return answers(1, xs) }
func counts(xs []int) bool { return len(xs) == 0 }
func other(xs, ys []int) bool { return ys == nil }
func again(xs []int, n int) { again(xs, n-1) }
func (t T) method(xs []int) bool { return t.only(xs) }
func (t T) only(xs []int) bool { if xs != nil { return true }; return false }
func (t T) Equal(u T) bool { return t == u }
func (t T) Same(u T) bool { return u == t }
func (t T) Near(u T) bool { return t[0] == u[0] }
func (t T) Parts(u T) bool { return t[0] == u[0] && u[1] == t[1] }
func (t T) Field(u T) bool { return t.x == u.x }
func (t T) Mixed(u T) bool { return t[0] == u[1] }
func (t T) Or(u T) bool { return t[0] == u[0] || t[1] == u[1] }
func (t T) Own(u T) bool { return t[0] == t[0] }
func (t T) Not(u T) bool { return t != u }
func (t T) Often(u T) bool { u[0] = 1; return t == u }
`

func bodiesOf(t *testing.T, text string) *Bodies {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.go")
	testenv.OK(t, os.WriteFile(file, []byte(text), 0o600))
	return NewBodies(func(path string) []string { return map[string][]string{"p": {file}}[path] })
}

func TestBodiesTellWhoAsksForNil(t *testing.T) {
	b := bodiesOf(t, nils)
	for _, c := range []struct {
		receiver, name string
		param          int
		want           bool
	}{
		{"", "asks", 0, true}, {"", "answers", 1, true}, {"", "answers", 0, false}, {"", "through", 0, true}, {"", "counts", 0, false},
		{"", "other", 0, false}, {"", "other", 1, true}, {"", "again", 0, false}, {"T", "method", 0, true}, {"", "missing", 0, false},
	} {
		if got := b.AsksNil("p", c.receiver, c.name, c.param); got != c.want {
			t.Errorf("%s %s, parameter %d: got %v", c.receiver, c.name, c.param, got)
		}
	}
}

func TestBodiesTellWhichPartsAreCompared(t *testing.T) {
	b := bodiesOf(t, nils)
	for name, want := range map[string][]string{
		"Equal": {Whole}, "Same": {Whole}, "Near": {"0"}, "Parts": {"0", "1"}, "Field": {"x"},
		"Mixed": nil, "Or": nil, "Own": nil, "Not": nil, "Often": nil, "Missing": nil,
	} {
		if got := b.Compared("p", "T", name); !slices.Equal(got, want) {
			t.Errorf("%s compares %q, want %q", name, got, want)
		}
	}
}
