package kept

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Each func has, in its comment, the letters that the table should have for it. "none" stands for a func that is not in it.
const cases = `package cases

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

type Handle struct{ address uintptr }

func (h *Handle) Get() uintptr { return h.address } // -

type keeper interface{ Keep(h *Handle) }

var (
	global  *Handle
	globals []*Handle
	byName  = map[string]*Handle{}
)

type Box struct{ content *Handle }

type Outer struct{ Box }

func reads(hs []*Handle, n int) uintptr { // r+
	if n < len(hs) {
		return hs[n].Get()
	}
	return 0
}

func sums(b []byte, xs []float64) (sum float64) { // rr
	for _, c := range b {
		sum += float64(c)
	}
	for _, x := range xs {
		sum += x
	}
	return sum
}

func reverses(b []byte) { slices.Reverse(b) } // -

func appends(b []byte) int { return len(append(b, 1)) } // -

func writesField(bs []Box) { bs[0].content = nil } // -

func overwrites(b []byte) int { // -
	part := b[1:]
	part[0] = 0
	return len(b)
}

func copies(to, from []int) int { return copy(to, from) } // -r

func looksUp(m map[string]int, key []byte) int { return m[string(key)] } // -r

func returnsPart(b []byte) []byte { return b[1:] } // 0

func givesBytesToCallback(f func([]byte) int, b []byte) int { return f(b) } // -+

func returns(hs []*Handle, h *Handle) (*Handle, error) { // 0-
	if len(hs) == 0 {
		return nil, errors.New("empty")
	}
	return hs[0], nil
}

func returnsNamed(n int, h *Handle) (count int, same *Handle) { return n, h } // +1

func returnsEither(h *Handle, first bool) (a, b *Handle) { // none
	if first {
		return h, nil
	}
	return nil, h
}

func returnsOne(hs ...*Handle) *Handle { return hs[len(hs)-1] } // 0

func ignores(_ *Handle, _ int) {} // --

func inGlobal(h, other *Handle) bool { // +-
	global = h
	return h == other
}

func elementInGlobal(hs []*Handle) { global = hs[0] } // none

func sliceInGlobal(hs []*Handle) { globals = append(globals, hs...) } // none

func inMap(h *Handle) { byName["h"] = h } // none

func inStruct(b *Box, h *Handle) { b.content = h } // -+

func (b *Box) inReceiver(h *Handle) { b.content = h } // -+

func (b *Box) Holds(h *Handle) bool { return b.content == h } // --

func (b Box) Same(h *Handle) bool { return b.content == h } // --

func inGoroutine(h *Handle, n int) { // none
	go func() { fmt.Println(h.Get() + uintptr(n)) }()
}

func inDeferred(h *Handle) (n uintptr) { // -
	defer func() { n += h.Get() }()
	return 1
}

func inError(h *Handle) error { return fmt.Errorf("bad: %v", h) } // none

type failure struct{ h *Handle }

func (f *failure) Error() string { return "bad" }

func inOwnError(h *Handle) error { return &failure{h} } // none

func inIterator(h *Handle) iter.Seq[uintptr] { // none
	return func(yield func(uintptr) bool) { yield(h.Get()) }
}

func inClosure(h *Handle) func() uintptr { return func() uintptr { return h.Get() } } // none

func inInterface(k keeper, h *Handle) { k.Keep(h) } // none

func inAny(h *Handle) any { return h } // 0

func inPanic(h *Handle) { panic(h) } // none

func inChannel(c chan *Handle, h *Handle) { c <- h } // -+

func callsBack(f func(uintptr) int, h *Handle) int { return f(h.Get()) } // --

func givesToCallback(f func(*Handle) int, h *Handle) int { return f(h) } // -+

func escapingAddress(h *Handle) **Handle { return &h } // none

func generic[T any](h *Handle, x T) uintptr { return h.Get() } // none

var literal = func(h *Handle) uintptr { return h.Get() } // -

var keeping = func(h *Handle) { global = h } // none

var one, two = func(h *Handle) {}, func(h *Handle) { global = h } // none
`

func packageOf(t *testing.T, source string) (p *gosource.Package, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/cases.v2\n\ngo 1.24.0\n", "cases.go": source} {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	p = &gosource.Package{Dir: dir, ImportPath: "example.org/cases.v2", Name: "cases", GoFiles: []string{"cases.go"}}
	return p, dir
}

// Requirement: C8
func TestWhatTheCompilerSaysOfParameters(t *testing.T) {
	p, dir := packageOf(t, cases)
	a := Analyse(t.Context(), []*gosource.Package{p}, Build{Env: os.Environ(), Dir: dir, Log: func(text string) { t.Log(text) }})
	head := " '-X=" + variable + "=example.org/cases.v2 "
	funcs, ok := strings.CutPrefix(a.Linker, head)
	if !ok || !strings.HasSuffix(funcs, ";'") {
		t.Fatalf("expected one section, got %s", a.Linker)
	}
	got := map[string]string{}
	for _, f := range strings.Fields(strings.TrimSuffix(funcs, ";'")) {
		symbol, letters, _ := strings.Cut(f, "=")
		if letters = strings.TrimRight(letters, keepsNothing+short); strings.Trim(letters, mayBeKept) != "" { // runs_test.go checks the rest
			got[symbol] = letters
		}
	}
	// A method of an embedded type comes under the outer type too.
	for symbol, letters := range map[string]string{".(*Outer).Holds": "--", ".(*Box).Same": "--"} {
		if got[symbol] != letters {
			t.Errorf("%s: expected %s, got %q", symbol, letters, got[symbol])
		}
	}
	checked := 0
	for number, line := range strings.Split(cases, "\n") {
		text, want, ok := strings.Cut(line, " // ")
		if !ok {
			continue
		}
		if want == "none" {
			want = ""
		}
		symbol := symbolIn(text, number+1)
		if got[symbol] != want {
			t.Errorf("%s: expected %q, got %q", symbol, want, got[symbol])
		}
		checked++
	}
	if checked < 30 {
		t.Errorf("only %d funcs were checked", checked)
	}
	// The build that follows hides what the compiler said, and nothing else.
	if len(a.Flags) != 1 || a.Flags[0] != "-gcflags=example.org/cases.v2=-m -d=escapemutationscalls=1" {
		t.Errorf("got the flags %q", a.Flags)
	}
}

// symbolIn returns the symbol of the func that a line declares.
func symbolIn(line string, number int) string {
	if strings.HasPrefix(line, "var ") {
		return "/cases.go:" + strconv.Itoa(number)
	}
	rest := strings.TrimPrefix(line, "func ")
	typ := ""
	if strings.HasPrefix(rest, "(") {
		receiver, after, _ := strings.Cut(rest, ") ")
		typ, rest = "."+strings.Fields(receiver)[1], after
		if strings.HasPrefix(typ, ".*") {
			typ = ".(" + typ[1:] + ")"
		}
	}
	name := rest[:strings.IndexAny(rest, "([")]
	return typ + "." + name
}

// Requirement: C8
func TestPackageThatDoesNotCompileHasNoTable(t *testing.T) {
	p, dir := packageOf(t, "package cases\n\nfunc f(h *int) int { return *h + missing }\n")
	if a := Analyse(t.Context(), []*gosource.Package{p}, Build{Env: os.Environ(), Dir: dir, Log: func(string) {}}); a.Linker != "" {
		t.Errorf("got %s", a.Linker)
	}
}

// Requirement: C8
func TestOtherFlagsForTheCompilerAreLeftAlone(t *testing.T) {
	p, dir := packageOf(t, "package cases\n\nfunc f(h *int) int { return *h }\n")
	env := append(os.Environ(), "GOFLAGS=-gcflags=-N")
	if a := Analyse(t.Context(), []*gosource.Package{p}, Build{Env: env, Dir: dir, Log: func(string) {}}); a.Linker != "" || a.Flags != nil {
		t.Errorf("got %v", a)
	}
}

// A slice is lent only where the compiler says that it is not written.
//
// Requirement: C8
func TestSlicesThatAreOnlyRead(t *testing.T) {
	p, _ := packageOf(t, "package cases\n\nfunc f(h []int) int { return h[0] }\n")
	const at = "./cases.go:3:8: "
	const reads, stays, writes, calls = at + "h does not escape, mutate, or call\n", at + "h does not escape\n",
		at + "mutates param: h derefs=0\n", at + "calls param: h derefs=1\n"
	for said, letter := range map[string]string{
		reads: onlyRead, stays: notKept, reads + stays: notKept, writes: notKept, calls: notKept, writes + calls: notKept,
		writes + at + "leaking param: h\n": mayBeKept, writes + at + "h is lent\n": mayBeKept, reads + at + "h is lent\n": mayBeKept,
	} {
		want := "example.org/cases.v2 .f=" + letter + ";"
		if letter == mayBeKept {
			want = ""
		}
		if got := Table([]*gosource.Package{p}, nil, "# example.org/cases.v2\n"+said, nil); got != want {
			t.Errorf("%q: expected %q, got %q", said, want, got)
		}
	}
}

// Of words that this version of the tool does not know, nothing is concluded.
//
// Requirement: C8
func TestUnknownWordsOfTheCompiler(t *testing.T) {
	p, _ := packageOf(t, "package cases\n\nfunc f(h *int, k *int) int { return *h + *k }\n")
	const here = "# example.org/cases.v2\n"
	for said, want := range map[string]string{
		"":                                   "",
		here:                                 "",
		here + "./cases.go:3:8: h is lent\n": "",
		here + "./cases.go:3:8: h does not escape\n":                                                  "-+",
		here + "./cases.go:3:8: h does not escape\n./cases.go:3:8: leaking param content: h\n":        "",
		here + "./cases.go:3:8: other does not escape\n":                                              "",
		here + "./cases.go:3:8: leaking param: h to result ~r7 level=0\n":                             "7+",
		here + "./cases.go:3:8: leaking param: h to result unknown level=0\n":                         "",
		"# example.org/other\n./cases.go:3:8: h does not escape\n":                                    "",
		here + "./cases.go:3:16: k does not escape\n./cases.go:3:16: leaking param: k in a new way\n": "",
	} {
		if want != "" {
			want = "example.org/cases.v2 .f=" + want + ";"
		}
		if got := Table([]*gosource.Package{p}, nil, said, nil); got != want {
			t.Errorf("%q: expected %q, got %q", said, want, got)
		}
	}
}

// Requirement: C8
func TestDiagnosticsAreRemovedFromTheOutput(t *testing.T) {
	const output = `# example.org/geo
./geo.go:7:6: can inline f
./geo.go:7:8: h does not escape
<autogenerated>:1: "text" escapes to heap
./geo.go:9:8: leaking param: h
./geo.go:9:8: moved to heap: h
/go/src/slices/zsortanyfunc.go:33:39: slices.siftDownCmpFunc[go.shape.*uint8] ignoring self-assignment in slices.data[slices.a] = slices.data[slices.b]
./geo.go:10:3: inlining call to f
/go/map.go:435:22: index bounds check elided
# example.org/other
./other.go:3:5: unknown escape sequence
./other.go:4:5: undefined: inlining
ld: warning
`
	const want = "# example.org/other\n./other.go:3:5: unknown escape sequence\n./other.go:4:5: undefined: inlining\nld: warning\n"
	if got := WithoutDiagnostics(output); got != want {
		t.Errorf("expected\n%s\ngot\n%s", want, got)
	}
}
