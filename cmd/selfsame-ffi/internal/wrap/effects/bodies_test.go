package effects

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

const bodies = `package p

import "bytes"

type T struct{ kept []int; names map[string]int }

var last []int

func reads(m map[string]int, by []int) int { for k, v := range m { by := k; _ = by; _ = v }; return m["a"] + len(by) }
func deletes(m map[string]int) { delete(m, "a") }
func sets(m map[string]int) { m["a"]++ }
func through(m map[string]int) { if len(m) > 0 { sets(m) } }
func recurses(m map[string]int, n int) { if n > 0 { recurses(m, n-1) } else { clear(m) } }
func aliased(xs []int) { ys := xs[1:]; zs := ys; zs[0] = 1 }
func rows(grid [][]int) { for _, row := range grid { row[0] = 1 } }
func reverses(xs []int) { for i, j := 0, len(xs)-1; i < j; i, j = i+1, j-1 { xs[i], xs[j] = xs[j], xs[i] } }
func appends(xs []int) []int { return append(xs, 1) }
func moves(dst, src map[string]int) { for k, v := range src { dst[k] = v } }
func stores(p *int) { *p = 1 }
func fields(t *T) { t.names = nil }
func (t *T) keeps(xs []int) { t.kept = xs }
func (t *T) makes(xs []int) *T { return &T{kept: xs} }
func remembers(xs []int) { last = xs[:1] }
func starts(xs []int) { go func() { _ = xs[0] }() }
func calls(xs []int, f func([]int)) { f(xs) }
func elsewhere(b []byte) bool { return bytes.Equal(b, nil) }
func unnamed([]int) {}
func assembly(xs []int)

type day struct { n int; names [2]string; at *day }
func (d *day) shows() string { return bytes.Title(d.names[d.n]) }
func (d *day) next() day { return day{n: d.n + 1} }
func (d *day) over() bool { return d.n > d.next().n }
func (d *day) moves() { d.n++ }
func (d *day) late() { d.moves() }
func (d *day) hands() { bytes.Read(d.names[:]) }
func (d *day) asks() { d.at.moves() }
func (d *day) stays() { only = d }
func (*day) blind() {}
var only *day
`

func TestBodiesTellWhoWritesAndWhoKeeps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	testenv.OK(t, os.WriteFile(file, []byte(bodies), 0o600))
	b := NewBodies(func(path string) []string { return map[string][]string{"p": {file}}[path] })
	writes, keeps, unknown := Body{Writes: true}, Body{Keeps: true}, Body{Unknown: true}
	for _, c := range []struct {
		receiver, name string
		param          int
		want           Body
	}{
		{"", "reads", 0, Body{}}, {"", "reads", 1, Body{}}, {"", "deletes", 0, writes}, {"", "sets", 0, writes}, {"", "through", 0, writes},
		{"", "recurses", 0, writes}, {"", "aliased", 0, writes}, {"", "rows", 0, writes}, {"", "reverses", 0, writes},
		{"", "appends", 0, Body{}}, {"", "moves", 0, writes}, {"", "moves", 1, Body{}}, {"", "stores", 0, writes}, {"", "fields", 0, writes},
		{"T", "keeps", 0, keeps}, {"T", "makes", 0, keeps}, {"", "remembers", 0, keeps}, {"", "starts", 0, keeps}, {"", "calls", 0, unknown},
		{"", "elsewhere", 0, unknown}, {"", "unnamed", 0, Body{}}, {"", "assembly", 0, unknown}, {"", "missing", 0, unknown},
		{"day", "shows", Receiver, Body{}}, {"day", "next", Receiver, Body{}}, {"day", "over", Receiver, Body{}},
		{"day", "moves", Receiver, writes}, {"day", "late", Receiver, writes}, {"day", "hands", Receiver, unknown},
		{"day", "asks", Receiver, unknown}, {"day", "stays", Receiver, keeps}, {"day", "blind", Receiver, Body{}},
	} {
		if got := b.Of("p", c.receiver, c.name, c.param); got != c.want {
			t.Errorf("%s %s, parameter %d: got %+v, want %+v", c.receiver, c.name, c.param, got, c.want)
		}
	}
}

const waits = `package p

import "net"

type T struct{ quit chan int; l net.Listener }

func (t *T) Serve() error { for { c, err := t.l.Accept(); if err != nil { return err }; _ = c } }
func (t *T) Run() { t.run() }
func (t *T) run() { select { case <-t.quit: } }
func (t *T) Start() { go t.run() }
func (t *T) Later() func() { return func() { <-t.quit } }
func (t *T) Look() bool { select { case <-t.quit: return true; default: return false } }
func (t *T) Other(n int) { if n > 0 { t.Other(n-1) } }
`

func TestBodiesTellWhoWaits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	testenv.OK(t, os.WriteFile(file, []byte(waits), 0o600))
	b := NewBodies(func(path string) []string { return map[string][]string{"p": {file}}[path] })
	for name, want := range map[string]bool{
		"Serve": true, "Run": true, "run": true, "Start": false, "Later": false, "Look": false, "Other": false, "Missing": false,
	} {
		if got := b.Waits("p", "T", name); got != want {
			t.Errorf("%s waits: %v", name, got)
		}
	}
}

const needs = `package p

type T struct{ n int; next *T }

func (t *T) Safe() {}
func reads(t *T) int { return t.n }
func stars(t *T) { u := *t; _ = u }
func methods(t *T) { t.Safe() }
func checks(t *T) int { if t == nil { return 0 }; return t.n }
func guards(t *T) int { if t != nil && t.n > 0 { return 1 }; return 0 }
func later(t *T) func() int { return func() int { return t.n } }
func leaves(t *T, n int) int { if n == 0 { return 0 }; return t.n }
func loops(t *T, n int) { for i := 0; i < t.n; i++ {} }
func inside(t *T, n int) { for i := 0; i < n; i++ { t.n = i } }
func through(n int, t *T) int { return reads(t) + n }
func replaced(t *T) int { t = new(T); return t.n }
func calls(f func()) { x := 1; f(); _ = x }
func second(n int, t *T) { t.n = n }
`

func TestBodiesTellWhoNeedsAnArgument(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	testenv.OK(t, os.WriteFile(file, []byte(needs), 0o600))
	b := NewBodies(func(path string) []string { return map[string][]string{"p": {file}}[path] })
	isField := func(name string) bool { return name == "n" || name == "next" }
	for name, want := range map[string]bool{
		"reads": true, "stars": true, "methods": false, "checks": false, "guards": false, "later": false, "leaves": false, "loops": true,
		"inside": false, "replaced": false, "calls": true, "missing": false,
	} {
		if got := b.Needs("p", "", name, 0, isField); got != want {
			t.Errorf("%s needs its argument: %v", name, got)
		}
	}
	if !b.Needs("p", "", "through", 1, isField) || !b.Needs("p", "", "second", 1, isField) || b.Needs("p", "", "second", 0, isField) {
		t.Error("the second parameter")
	}
}

const looping = `package p

type T struct{ xs []int; next *T; c chan int }

func (t *T) Each(f func(int)) { for _, x := range t.xs { f(x) } }
func (t *T) Counted(f func(int) bool) { for i := 0; i < len(t.xs); i++ { if !f(t.xs[i]) { return } } }
func (t *T) Linked(f func(int) bool) { for n := t; n != nil; n = n.next { if more := f(1); !more { return } } }
func (t *T) Against(f func(int) bool) { for _, x := range t.xs { if f(x) { return } } }
func (t *T) Endless(f func(int)) { for { f(1) } }
func (t *T) Once(f func(int)) { f(1) }
func (t *T) Later(f func(int)) { go func() { for _, x := range t.xs { f(x) } }() }
`

func TestBodiesTellWhoCallsAFuncForEachElement(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	testenv.OK(t, os.WriteFile(file, []byte(looping), 0o600))
	b := NewBodies(func(path string) []string { return map[string][]string{"p": {file}}[path] })
	for name, want := range map[string]bool{"Each": true, "Endless": false, "Once": false, "Later": false, "Missing": false} {
		if got := b.Loops("p", "T", name, false); got != want {
			t.Errorf("%s loops: %v", name, got)
		}
	}
	for name, want := range map[string]bool{"Counted": true, "Against": false, "Linked": false} {
		if got := b.Loops("p", "T", name, true); got != want {
			t.Errorf("%s loops until the func says no: %v", name, got)
		}
	}
}

const stepping = `package p
import ("errors"; "io")
func (t *T) Next() (int, error) { if t.n == 0 { return 0, io.EOF }; return 1, nil }
func (t *T) NextItem() (*T, error) { if t.n == 0 { return nil, nil }; return t, nil }
func (t *T) NextPart() (int, error) { return t.Next() }
func (t *T) NextID() (int, error) { if t.n > 9 { return 0, errors.New("too many") }; t.n++; return t.n, nil }
`

func TestBodiesTellWhichStepsEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	testenv.OK(t, os.WriteFile(file, []byte(stepping), 0o600))
	b := NewBodies(func(path string) []string { return map[string][]string{"p": {file}}[path] })
	for name, want := range map[string]bool{"Next": true, "NextItem": true, "NextPart": true, "NextID": false, "Missing": false} {
		if got := b.Ends("p", "T", name); got != want {
			t.Errorf("%s ends: %v", name, got)
		}
	}
}
