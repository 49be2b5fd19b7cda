package gen

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Types of an ordinary library, and the classes that stand for them.
type (
	ledger struct{ sum int }
	teller interface{ Tell() int }
	rank   int

	wrappedLedger struct {
		selfsame.Object
		Wrapped[*ledger]
	}
	wrappedTeller struct {
		selfsame.Object
		Wrapped[teller]
	}
	wrappedRank struct {
		selfsame.Object
		Wrapped[*rank]
	}
	notWrapping struct {
		selfsame.Object
		N int64
	}
)

func (l *ledger) Tell() int { return l.sum }

type fixedTeller int

func (f fixedTeller) Tell() int { return int(f) }

var (
	_ = Wrap[wrappedLedger, ledger]("wrapped.Ledger")
	_ = Wrap[wrappedRank, rank]("wrapped.Rank", ByValue(), Shared())
	_ = WrapInterface[wrappedTeller, teller]("wrapped.Teller", nil)

	wrappedLedgerClass = selfsame.MustRegister[wrappedLedger]("wrapped.Ledger", selfsame.Init(func(l *wrappedLedger, sum int) { l.Set(&ledger{sum}) }, "sum"),
		selfsame.Method("add", func(l *wrappedLedger, n int) int {
			defer l.Lock().Unlock()
			l.Go().sum += n
			return l.Go().sum
		}, ""))
	_ = selfsame.MustRegister[wrappedTeller]("wrapped.Teller", selfsame.Method("tell", func(t *wrappedTeller) int { return t.Go().Tell() }, ""))
	_ = selfsame.MustRegister[wrappedRank]("wrapped.Rank")
)

func function(t *testing.T, fn any) *selfsame.Function {
	t.Helper()
	f := testenv.Value(selfsame.NewFunc(fn))(t)
	t.Cleanup(f.Release)
	return f
}

// Requirement: D5
func TestAGoPointerIsOneObject(t *testing.T) {
	one := &ledger{sum: 3}
	give := function(t, func() *ledger { return one })
	first := testenv.Value(give.Call())(t)
	second, err := function(t, func() teller { return one }).Call()
	if err != nil || first != second || first != any(one) {
		t.Errorf("%v, %v, %v: want the pointer itself, as an any of Go", first, second, err)
	}
	handles := map[selfsame.AnyHandle]bool{}
	for range 2 {
		h := testenv.Value(selfsame.CallAs[*selfsame.Handle[wrappedLedger]](give))(t)
		handles[h] = true
	}
	if len(handles) != 1 {
		t.Errorf("one pointer has %d objects", len(handles))
	}
	for h := range handles {
		if sum, err := selfsame.CallMethod(h, "add", 4); err != nil || sum != int64(7) || one.sum != 7 {
			t.Errorf("add: %v, %v, %d", sum, err, one.sum)
		}
	}
}

// Requirement: D5
func TestWrappedValuesCrossAnywhereInASignature(t *testing.T) {
	a, b := &ledger{1}, &ledger{2}
	sum := function(t, func(all []*ledger, more map[string]*ledger, told teller, last *ledger) (int, *ledger) {
		n := told.Tell()
		for _, l := range append(all, more["x"]) {
			n += l.sum
		}
		return n, last
	})
	give := function(t, func(i int) *ledger { return []*ledger{a, b}[i] })
	x := testenv.Value(selfsame.CallAs[*selfsame.Handle[wrappedLedger]](give, 0))(t)
	y := testenv.Value(selfsame.CallAs[*selfsame.Handle[wrappedLedger]](give, 1))(t)
	got, err := selfsame.CallAs[selfsame.Tuple2[int, selfsame.Optional[*selfsame.Handle[wrappedLedger]]]](sum, []any{x, y}, map[string]any{"x": x}, y, nil)
	if err != nil || got.First != 6 || got.Second.OK {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := sum.Call([]any{3}, map[string]any{}, y, nil); err == nil || !strings.Contains(err.Error(), "wrapped.Ledger") {
		t.Errorf("an int as a ledger: %v", err)
	}
	if _, err := sum.Call([]any{}, map[string]any{}, 3, nil); err == nil || !strings.Contains(err.Error(), "wrapped.Teller") {
		t.Errorf("an int as a teller: %v", err)
	}
}

// Requirement: D5
func TestAnUnknownTypeBehindAnInterfaceHasItsMethods(t *testing.T) {
	h := testenv.Value(selfsame.CallAs[*selfsame.Handle[wrappedTeller]](function(t, func() teller { return fixedTeller(5) })))(t)
	if told, err := selfsame.CallMethod(h, "tell"); err != nil || told != int64(5) {
		t.Errorf("%v, %v", told, err)
	}
}

// Requirement: D5
func TestEqualBasicValuesAreOneObject(t *testing.T) {
	give := function(t, func() rank { return 2 })
	first := testenv.Value(selfsame.CallAs[*selfsame.Handle[wrappedRank]](give))(t)
	second, err := selfsame.CallAs[*selfsame.Handle[wrappedRank]](give)
	if err != nil || first != second {
		t.Errorf("%v, %v, %v", first, second, err)
	}
	take := function(t, func(r rank) int { return int(r) })
	for _, arg := range []any{first, 2} {
		if n, err := take.Call(arg); err != nil || n != int64(2) {
			t.Errorf("%v: %v, %v", arg, n, err)
		}
	}
}

func TestAClassMustHoldWhatItStandsFor(t *testing.T) {
	err := wrapping.Wrap[strings.Builder](reflect.TypeFor[notWrapping](), reflect.TypeFor[Wrapped[*strings.Builder]](), "wrapped.Not",
		wrapping.Options{})
	if err == nil || !strings.Contains(err.Error(), "expected a class of selfsame.Object and gen.Wrapped") {
		t.Errorf("got %v", err)
	}
}

func TestAnObjectOfAGoValueIsMadeInOneCallIntoC(t *testing.T) {
	var before int64
	give := function(t, func() *ledger { // the calls from here on are those of the result
		before = runtime.NumCgoCall()
		return &ledger{}
	})
	least := int64(100)
	for range 100 { // now and then a collection or a full list adds some
		object, err := selfsame.CallAs[*selfsame.Handle[wrappedLedger]](give)
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, runtime.NumCgoCall()-before)
		object.Release()
	}
	if least > 3 {
		t.Errorf("%d calls into C for a result and its handle", least)
	}
}

// otherLedger is the class of another wrapped package for the same type.
type otherLedger struct {
	selfsame.Object
	Wrapped[*ledger]
}

// Requirement: D5
func TestATypeOfTwoPackagesHasOneClassWithTheMethodsOfBoth(t *testing.T) {
	Wrap[otherLedger, ledger]("other.Ledger")
	class := selfsame.MustRegister[otherLedger]("other.Ledger", selfsame.Init(func(l *otherLedger, sum int) { l.Set(&ledger{sum}) }, "sum"),
		selfsame.Method("add", func(*otherLedger, int) int { return -1 }, ""),
		selfsame.Method("twice", func(l *otherLedger) int { return 2 * l.Go().sum }, ""))
	if class.Key() != "wrapped.Ledger" || class.TypeIndex() != wrappedLedgerClass.TypeIndex() {
		t.Errorf("the class is %s", class.Key())
	}
	value := &ledger{4}
	object, err := selfsame.CallAs[*selfsame.Handle[wrappedLedger]](function(t, func() *ledger { return value }))
	if err != nil {
		t.Fatal(err)
	}
	add := MethodOf[func(*selfsame.Handle[wrappedLedger], int) (int, error)]("wrapped.Ledger", "add")
	if got, err := Invoke2(add, object, 1); err != nil || got != 5 {
		t.Errorf("the method of both: got %v, %v", got, err)
	}
	twice := MethodOf[func(*selfsame.Handle[wrappedLedger]) (int, error)]("wrapped.Ledger", "twice")
	if got, err := Invoke1(twice, object); err != nil || got != 10 {
		t.Errorf("the method of the second: got %v, %v", got, err)
	}
	made := class.New(func(l *otherLedger) { l.Set(value) })
	defer made.Release()
	read := function(t, func(l *otherLedger) int { return l.Go().sum })
	if got, err := read.Call(object); err != nil || got != int64(5) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestAConstructorMayReturnAValueThatHasAnObject(t *testing.T) {
	value := &ledger{}
	first := wrappedLedgerClass.New(func(l *wrappedLedger) { l.Set(value) })
	defer first.Release()
	second := wrappedLedgerClass.New(func(l *wrappedLedger) { l.Set(value) })
	defer second.Release()
	if second.Get().Go() != value || first.UseCount() != 1 || second.UseCount() != 1 {
		t.Errorf("use counts %d and %d, want 1 and 1", first.UseCount(), second.UseCount())
	}
}

// Requirement: D5
func TestAGateAdmitsOneGoroutineAndThatAgain(t *testing.T) {
	h := wrappedLedgerClass.New(func(l *wrappedLedger) { l.Set(&ledger{}) })
	defer h.Release()
	const goroutines, rounds = 8, 500
	var all sync.WaitGroup
	for range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			g := wrapping.GateOf(h.Get().Go())
			for range rounds {
				if err := g.Wait(goroutine.Current(), nil); err != nil {
					t.Error(err)
					return
				}
				again := h.Get().Lock()
				h.Get().Go().sum++
				again.Unlock()
				g.Leave()
			}
		}()
	}
	all.Wait()
	if sum := h.Get().Go().sum; sum != goroutines*rounds {
		t.Errorf("sum %d, want %d", sum, goroutines*rounds)
	}
}

func TestAContextEndsTheWait(t *testing.T) {
	g := new(wrapping.Gate)
	if in, err := g.Enter(goroutine.Current(), nil); !in || err != nil {
		t.Fatal(in, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := make(chan error)
	go func() { failed <- g.Wait(goroutine.Current(), ctx) }()
	enough := errors.New("enough")
	cancel(enough)
	if err := <-failed; !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	g.Leave()
	if err := g.Wait(goroutine.Current(), nil); err != nil {
		t.Error(err)
	}
}
