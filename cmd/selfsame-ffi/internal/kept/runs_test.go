package kept

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Each func says in its comment whether it comes by handles and keeps none of them.
const handled = `package cases

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"sync"

	"github.com/selfsame-ffi/selfsame"
)

type Node struct {
	selfsame.Object
	Next selfsame.Opt[Node]
	Kids selfsame.List[*selfsame.Handle[Node]]
	More selfsame.Dict[string, any]
	Any  selfsame.Field[any]
}

var NodeClass = selfsame.MustRegister[Node]("cases.Node")

type handle = *selfsame.Handle[Node]

type box struct{ content handle }

type keeper interface{ Keep(h handle) }

type tree struct {
	part *branch
	h    handle
}

type branch struct{ whole *tree }

var branches *branch

var (
	global  handle
	globals []handle
	byName  = map[string]handle{}
	anys    []any
	lastErr error
	out     = make(chan handle, 1)
	pool    sync.Pool
	hook    = func(h handle) {}
	boxed   = &box{}
)

func number(n int) int { return n + 1 } // no handles

func borrows(n *Node) *Node { return n } // no handles

func returns(h handle) handle { return h } // keeps none

func callsBack(f func(*Node) handle, n *Node) handle { return f(n) } // keeps none

func givesToCallback(f func(handle), h handle) { f(h) } // keeps none

func fromField(n *Node) handle { return n.Next.Get() } // keeps none

func makes() handle { return NodeClass.New(nil) } // keeps none

func fillsWith(h handle) handle { return NodeClass.New(func(n *Node) { n.Next.Set(h) }) } // keeps none

func intoField(n *Node, v any) { n.Any.Set(v) } // keeps none

func intoList(n *Node, h handle) { n.Kids.Append(h, selfsame.HandleOf(n)) } // keeps none

func intoDict(n *Node, k string, v any) { n.More.Set(k, v) } // keeps none

func loops(n *Node) (most handle) { // keeps none
	for k := range n.Kids.Values() {
		if most == nil || k.Get().Kids.Len() > most.Get().Kids.Len() {
			most = k
		}
	}
	return most
}

func counts(xs iter.Seq[handle]) (n int) { // keeps none
	for range xs {
		n++
	}
	return n
}

func gathers(xs iter.Seq[handle]) []handle { // keeps none
	var all []handle
	for x := range xs {
		all = append(all, x)
	}
	return all
}

func inLocals(hs []handle) map[string]box { // keeps none
	m := map[string]box{}
	last := new(box)
	for i, h := range hs {
		last.content = h
		m[fmt.Sprint(i)] = *last
	}
	hs[0] = last.content
	return m
}

func sorts(hs []handle) { // keeps none
	slices.SortFunc(hs, func(a, b handle) int { return a.Get().Kids.Len() - b.Get().Kids.Len() })
}

func walks(n *Node) int { // keeps none
	if h := n.Next.Get(); h != nil {
		return 1 + walks(h.Get())
	}
	return 0
}

func fails(h handle) error { // keeps none
	if h == nil {
		return errors.New("nil")
	}
	return fmt.Errorf("%v: %w", h, errors.ErrUnsupported)
}

func yields(hs []handle) iter.Seq[handle] { // keeps none
	return func(yield func(handle) bool) {
		for _, h := range hs {
			if !yield(h) {
				return
			}
		}
	}
}

func channel(hs []handle) <-chan handle { // keeps none
	c := make(chan handle, len(hs))
	for _, h := range hs {
		c <- h
	}
	close(c)
	return c
}

func helps(h handle) handle { return same(h) } // keeps none

func same(h handle) handle { return h } // keeps none

func helper(h handle, to *box) handle { // keeps
	if to != nil {
		to.content = h
	}
	return h
}

func waits(ctx context.Context, h handle) error { return ctx.Err() } // keeps none

func calls(f *selfsame.Function, v any) (any, error) { return f.Call(v) } // keeps none

func locks(mu *sync.Mutex, h handle) { // keeps none
	mu.Lock()
	defer mu.Unlock()
}

func inGlobal(h handle) { global = h } // keeps

func fieldInGlobal(n *Node) { global = n.Next.Get() } // keeps

func inGlobals(h handle) { globals = append(globals, h) } // keeps

func inMap(h handle) { byName["h"] = h } // keeps

func asAny(h handle) { anys = append(anys, h) } // keeps

func inError(f func(*Node) error, n *Node) { lastErr = f(n) } // keeps

func sent(h handle) { out <- h } // keeps

func pooled(h handle) { pool.Put(h) } // keeps

func hooked(h handle) { hook(h) } // keeps

func inBox(h handle) { boxed.content = h } // keeps

func inBranches(t *tree) { branches = t.part } // keeps

func inBoxOf(h handle, b *box) { b.content = h } // keeps

func toKeeper(k keeper, h handle) { k.Keep(h) } // keeps

func inClosure(f func(*Node) handle, n *Node) { // keeps
	func() { global = f(n) }()
}

func nested(xs iter.Seq[handle]) { // keeps
	for x := range xs {
		func(h handle) { byName["x"] = h }(x)
	}
}

func inGoroutine(h handle) { // keeps
	go func() { fmt.Println(h) }()
}

func through(h handle, other bool) { // keeps
	f := hook
	g := func(h handle) { f(h) }
	if other {
		f = func(handle) {}
	}
	g(h)
}

func throughGiven(f func(handle), h handle) { // keeps none
	g := func(h handle) { f(h) }
	f = func(handle) {}
	g(h)
}

func looped(n *Node) iter.Seq[handle] { // keeps none
	return func(yield func(handle) bool) {
		for h := range n.Kids.Values() {
			if !yield(h) {
				return
			}
		}
	}
}

func loopKeeps(n *Node) iter.Seq[handle] { // keeps
	return func(yield func(handle) bool) {
		for h := range n.Kids.Values() {
			global = h
			if !yield(h) {
				return
			}
		}
	}
}

func loopOfAny(n *Node) iter.Seq[handle] { return loopsByName["n"] } // keeps

var loopsByName map[string]iter.Seq[handle]

func toOthers(h handle) *http.Request { // keeps
	r, _ := http.NewRequestWithContext(context.WithValue(context.Background(), "h", h), "GET", "/", nil)
	return r
}

func toHelper(h handle) handle { return helper(h, boxed) } // keeps

func panics(h handle) { panic(h) } // keeps

func forks(h handle) { selfsame.AfterFork(func() { fmt.Println(h) }) } // keeps

func generic[T any](x T, h handle) { anys = append(anys, x) } // keeps

func usesGeneric(h handle) { generic(h, nil) } // keeps

func (n *Node) Tail() handle { // keeps none
	tail := selfsame.HandleOf(n)
	for next := tail; next != nil; next = next.Get().Next.Get() {
		tail = next
	}
	return tail
}
`

// Requirement: C8
func TestFuncsThatKeepNoHandle(t *testing.T) {
	expectLetters(t, handled, keepsNothing, "keeps none", 30, nil)
}

// expectLetters compares whether each func of a package that uses the frontend has a letter with its comment, which is said if it has.
// There must be a least number of them. others are further files of the module.
func expectLetters(t *testing.T, source, letter, said string, least int, others map[string]string) {
	t.Helper()
	root := testenv.Value(filepath.Abs("../../../.."))(t)
	p, dir := packageOf(t, source)
	for name, text := range others {
		testenv.OK(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	mod := "module example.org/cases.v2\n\ngo 1.24.0\n\nrequire " + gosource.FrontendPath + " v0.0.0\n\nreplace " +
		gosource.FrontendPath + " => " + root + "\n"
	testenv.OK(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	a := Analyse(t.Context(), []*gosource.Package{p}, Build{Env: append(os.Environ(), "GOWORK=off"), Dir: dir, Log: func(text string) { t.Log(text) }})
	checked := 0
	for number, line := range strings.Split(source, "\n") {
		declared, want, ok := strings.Cut(line, " // ")
		if !ok {
			continue
		}
		symbol := " " + symbolIn(declared, number+1) + "="
		_, found, _ := strings.Cut(a.Linker, symbol)
		letters, _, _ := strings.Cut(found, " ")
		if got := strings.Contains(letters, letter); got != (want == said) {
			t.Errorf("%s: expected %q, got %q", strings.TrimSpace(symbol), want, letters)
		}
		checked++
	}
	if checked < least {
		t.Errorf("only %d funcs were checked", checked)
	}
}
