// Package forking is what the tests of forked children call: classes, functions, callbacks, errors, and everything that a
// child cannot have from its parent's Go.
package forking

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame"
)

// Shape is an enum whose members are package variables.
type Shape struct {
	selfsame.IntEnum
	Sides int32
}

// Node is a tree.
type Node struct {
	selfsame.Object
	Name     selfsame.String                       `ffi:"rw,default='unnamed'"`
	Weight   float64                               `ffi:"rw,default=1.5"`
	Left     selfsame.Opt[Node]                    `ffi:"rw"`
	Children selfsame.List[*selfsame.Handle[Node]] `ffi:"rw"`
	Shape    selfsame.Opt[Shape]                   `ffi:"rw"`
}

// Leaf is derived from Node and compares by its number.
type Leaf struct {
	Node
	Number int64 `ffi:"rw"`
}

// Pair gets its constructor from its fields.
type Pair struct {
	selfsame.Object
	First  int64 `ffi:"rw"`
	Second int64 `ffi:"rw,default=7"`
}

// The classes.
var (
	ShapeClass = selfsame.MustRegister[Shape]("forking.Shape")
	NodeClass  = selfsame.MustRegister[Node]("forking.Node",
		selfsame.Init(func(n *Node, name string) error {
			if name == "" {
				return selfsame.Errorf("ValueError", "a node needs a name")
			}
			n.Name.Set(name)
			return nil
		}, "name"),
		selfsame.Method("total", (*Node).total, "The weights of the tree."),
		selfsame.Method("visit", visit, "Call a function with each node.", "function"),
		selfsame.Method("add", add, "Append a child.", "child"),
		selfsame.Method("grow", (*Node).grow, "A new node with this one at its left."))
	LeafClass = selfsame.MustRegister[Leaf]("forking.Leaf",
		selfsame.Init(func(l *Leaf, number int64) { l.Number = number }, "number"),
		selfsame.Equality(func(a, b *Leaf) bool { return a.Number == b.Number }, func(l *Leaf) int64 { return l.Number }))
	PairClass = selfsame.MustRegister[Pair]("forking.Pair", selfsame.AutoInit(),
		selfsame.Static("of", func(n int64) *selfsame.Handle[Pair] {
			return selfsame.New(func(p *Pair) { p.First, p.Second = n, n })
		}, "Both numbers the same.", "n"))

	Square   = selfsame.MustMember(ShapeClass, "square", 1, func(s *Shape) { s.Sides = 4 })
	Triangle = selfsame.MustMember(ShapeClass, "triangle", 2, func(s *Shape) { s.Sides = 3 })
)

func (n *Node) total() float64 {
	sum := n.Weight
	if left := n.Left.Ptr(); left != nil {
		sum += left.total()
	}
	for child := range n.Children.Values() {
		sum += child.Get().total()
		child.Release()
	}
	return sum
}

func visit(n *selfsame.Handle[Node], function func(n *selfsame.Handle[Node]) (bool, error)) error {
	more, err := function(n)
	if err != nil || !more {
		return err
	}
	if left := n.Get().Left.Get(); left != nil {
		return visit(left, function)
	}
	return nil
}

func add(n, child *selfsame.Handle[Node]) { n.Get().Children.Append(child) }

func (n *Node) grow() *selfsame.Handle[Node] {
	left := selfsame.HandleOf(n)
	return selfsame.New(func(grown *Node) {
		grown.Name.Set("grown")
		grown.Left.Set(left)
	})
}

// What a new Go starts without.
var (
	count   atomic.Int64
	kept    selfsame.AnyHandle
	keptMu  sync.Mutex
	errMine = errors.New("an error of this package")
	ticks   = make(chan int)
	// doubledAtStart is computed by an init function through the function `twice`, which calls back into this package.
	doubledAtStart int64
	// restarts is what the func of AfterFork has seen.
	restarts []string
	// atStart is made before the package is loaded.
	atStart *selfsame.Function
)

func init() {
	register := selfsame.MustRegisterFunc
	register("forking.twice", func(n int64) int64 { return 2 * n })
	doubledAtStart = call("forking.twice", 21)
	register("forking.doubled_at_start", func() int64 { return doubledAtStart })
	register("forking.square", func() *selfsame.Handle[Shape] { return Square })
	register("forking.shapes", func() []*selfsame.Handle[Shape] { return ShapeClass.Members() })
	register("forking.new_node", func(name string) *selfsame.Handle[Node] {
		return NodeClass.New(func(n *Node) { n.Name.Set(name) })
	})
	register("forking.same", func(a *selfsame.Handle[selfsame.Object]) *selfsame.Handle[selfsame.Object] { return a })
	register("forking.count", func() int64 { return count.Add(1) })
	register("forking.keep", func(h *selfsame.Handle[Node]) { keep(h) })
	register("forking.forget", func() { keep(nil) })
	register("forking.kept", func() any { keptMu.Lock(); defer keptMu.Unlock(); return kept })
	register("forking.adder", adder, selfsame.ArgNames("n"))
	register("forking.register_adder", func(name string, n int64) error {
		return selfsame.RegisterFunc(name, adder(n))
	})
	register("forking.at_start", func() *selfsame.Function { return atStart })
	register("forking.apply", func(f func(x any) (any, error), x any) (any, error) { return f(x) })
	register("forking.on_goroutines", onGoroutines)
	register("forking.fail", func(kind, text string) error { return selfsame.Errorf(kind, "%s", text) })
	register("forking.panic", func() { panic("a panic") })
	register("forking.mine", func() any { return fmt.Errorf("wrapped: %w", errMine) })
	register("forking.is_mine", func(err error) bool { return errors.Is(err, errMine) })
	register("forking.isolated", func() { runtime.Goexit() }, selfsame.Isolated())
	register("forking.numbers", func(n int64) (*selfsame.Tensor, error) {
		elems := make([]float64, n)
		for i := range elems {
			elems[i] = float64(i)
		}
		return selfsame.NewTensor(elems)
	})
	register("forking.sum", func(t *selfsame.Tensor) (float64, error) {
		elems, err := selfsame.Elements[float64](t)
		sum := 0.0
		for _, e := range elems {
			sum += e
		}
		runtime.KeepAlive(t)
		return sum, err
	})
	register("forking.index", func(words []string) (map[string]int64, error) {
		found := map[string]int64{}
		for i, word := range words {
			found[word] = int64(i)
		}
		return found, nil
	})
	register("forking.garbage", garbage)
	register("forking.collect", func() { selfsame.Collect() })
	register("forking.live_handles", func() int64 { return int64(len(selfsame.LiveHandles())) })
	register("forking.next_tick", func() int64 { return int64(<-ticks) })
	register("forking.restarts", func() []string { return restarts })
	selfsame.AfterFork(func() {
		// Through the C functions and back, on this thread and on another one.
		done := make(chan int64)
		go func() { done <- call("forking.twice", 5) }()
		restarts = append(restarts, fmt.Sprintf("first %d %d", call("forking.twice", 4), <-done))
	})
	selfsame.AfterFork(func() { restarts = append(restarts, "second") })
	selfsame.AfterFork(func() {
		if _, err := os.Stat(os.Getenv("FORKING_FAILS")); err == nil {
			panic("the state cannot be set up")
		}
	})
	go func() {
		for i := 0; ; i++ {
			ticks <- i
		}
	}()
	var err error
	if atStart, err = selfsame.NewFunc(func() string { return "made at the start" }); err != nil {
		panic(err)
	}
}

func call(name string, n int64) int64 {
	f, err := selfsame.GetFunc(name)
	if err != nil {
		panic(err)
	}
	result, err := selfsame.CallAs[int64](f, n)
	if err != nil {
		panic(err)
	}
	return result
}

func keep(h selfsame.AnyHandle) {
	keptMu.Lock()
	defer keptMu.Unlock()
	kept = h
}

func adder(n int64) func(int64) int64 { return func(m int64) int64 { return n + m } }

// onGoroutines calls f on n goroutines at once.
func onGoroutines(f func(i int64) (int64, error), n int64) (int64, error) {
	var sum atomic.Int64
	failed := make(chan error, n)
	for i := range n {
		go func() {
			got, err := f(i)
			sum.Add(got)
			failed <- err
		}()
	}
	for range n {
		if err := <-failed; err != nil {
			return 0, err
		}
	}
	return sum.Load(), nil
}

// garbage makes n nodes and drops them.
func garbage(n int64) {
	for range n {
		NodeClass.New(func(n *Node) {
			n.Name.Set("a name that needs memory of its own")
			n.Left.Set(NodeClass.New(nil))
		})
	}
}
