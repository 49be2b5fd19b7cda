package selfsame_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Door counts in its OnDrop.
type Door struct {
	selfsame.Object
	Name selfsame.String
	Lock selfsame.Value[*doorLog]
}

// doorLog is what the funcs of OnDrop have seen.
type doorLog struct {
	mu    sync.Mutex
	names []string
	block chan struct{}
}

func (l *doorLog) seen() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.names, " ")
}

func (d *Door) close() error {
	log := d.Lock.Get()
	if log == nil {
		return nil
	}
	if log.block != nil {
		<-log.block
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	log.names = append(log.names, "Door:"+d.Name.Get())
	switch d.Name.Get() {
	case "panics":
		panic("the door is stuck")
	case "fails":
		return errors.New("the door is jammed")
	}
	return nil
}

var DoorClass = selfsame.MustRegister[Door]("test.Door",
	selfsame.Init(func(d *Door, name string) error {
		if name == "" {
			return errors.New("a door without a name")
		}
		d.Name.Set(name)
		return nil
	}),
	selfsame.OnDrop((*Door).close))

// Gate is derived, and has its own OnDrop.
type Gate struct {
	Door
	Width int64
}

var GateClass = selfsame.MustRegister[Gate]("test.Gate", selfsame.OnDrop(func(g *Gate) {
	log := g.Lock.Get()
	log.mu.Lock()
	defer log.mu.Unlock()
	log.names = append(log.names, fmt.Sprintf("Gate:%s:%d", g.Name.Get(), g.Width))
}))

// Counted counts its deaths.
type Counted struct {
	selfsame.Object
	Count selfsame.Value[*atomic.Int64]
}

var CountedClass = selfsame.MustRegister[Counted]("test.CountedDrops", selfsame.OnDrop(func(c *Counted) { c.Count.Get().Add(1) }))

// Phoenix survives its death once.
type Phoenix struct {
	selfsame.Object
	Lives int64
}

var reborn = make(chan *selfsame.Handle[Phoenix], 2)

var PhoenixClass = selfsame.MustRegister[Phoenix]("test.Phoenix", selfsame.OnDrop(func(p *Phoenix) error {
	p.Lives++
	list, err := selfsame.NewList([]any{p})
	if err == nil {
		reborn <- list.At(0).(*selfsame.Handle[Phoenix])
	}
	return err
}))

func door(name string, log *doorLog) *selfsame.Handle[Door] {
	return selfsame.New(func(d *Door) { d.Name.Set(name); d.Lock.Set(log) })
}

// Requirement: D9
func TestOnDropRunsOnceAtTheLastRelease(t *testing.T) {
	balanced(t)
	log := &doorLog{}
	d := door("a", log)
	list := must(selfsame.NewList([]*selfsame.Handle[Door]{d, d}))(t)
	d.Release()
	selfsame.Collect()
	if log.seen() != "" {
		t.Fatal("ran before the last reference was gone")
	}
	list.Release()
	selfsame.New(func(g *Gate) { g.Name.Set("b"); g.Width = 7; g.Lock.Set(log) }).Release()
	selfsame.Collect()
	if got := log.seen(); got != "Door:a Gate:b:7 Door:b" && got != "Gate:b:7 Door:b Door:a" && got != "Gate:b:7 Door:a Door:b" {
		t.Errorf("ran: %s", got)
	}
	selfsame.Collect()
	if n, ok := selfsame.LiveObjects("test.Door"); ok && n != 0 {
		t.Errorf("%d doors are left", n)
	}
}

// Requirement: D9
func TestOnDropMayBlockAndReleaseDoesNot(t *testing.T) {
	balanced(t)
	log := &doorLog{block: make(chan struct{})}
	for i := range 200 { // more than run at a time
		door(fmt.Sprint(i), log).Release()
	}
	if log.seen() != "" {
		t.Error("a func has run that must still be blocked")
	}
	close(log.block)
	selfsame.Collect()
	if n := len(strings.Fields(log.seen())); n != 200 {
		t.Errorf("%d of 200 ran", n)
	}
}

// Requirement: D9
func TestOnDropRunsOncePerObjectOnManyGoroutines(t *testing.T) {
	var ran atomic.Int64
	balanced(t)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 200 {
				selfsame.New(func(c *Counted) { c.Count.Set(&ran) }).Release()
			}
		}()
	}
	group.Wait()
	selfsame.Collect()
	if n := ran.Load(); n != 8*200 {
		t.Errorf("ran %d times for %d objects", n, 8*200)
	}
}

// Requirement: D9
func TestOnDropMayKeepTheObject(t *testing.T) {
	balanced(t)
	selfsame.New[Phoenix](nil).Release()
	again := <-reborn
	selfsame.Collect()
	if again.Get().Lives != 1 {
		t.Errorf("lives = %d", again.Get().Lives)
	}
	again.Release()
	selfsame.Collect()
	if len(reborn) != 0 {
		t.Error("ran a second time")
	}
	if n, ok := selfsame.LiveObjects("test.Phoenix"); ok && n != 0 {
		t.Errorf("%d are left", n)
	}
}

// Requirement: D9
func TestOnDropDoesNotRunForFailedConstructors(t *testing.T) {
	balanced(t)
	log := &doorLog{}
	_, err := selfsame.NewObject("test.Door", "")
	wantError(t, err, "RuntimeError", "a door without a name")
	_, err = DoorClass.TryNew(func(d *Door) error { d.Lock.Set(log); return errors.New("no") })
	if err == nil {
		t.Error("no error")
	}
	func() {
		defer func() { _ = recover() }()
		DoorClass.New(func(d *Door) { d.Lock.Set(log); panic("no") })
	}()
	selfsame.Collect()
	if log.seen() != "" {
		t.Errorf("ran: %s", log.seen())
	}
	if n, ok := selfsame.LiveObjects("test.Door"); ok && n != 0 {
		t.Errorf("%d doors are left", n)
	}
}

// Requirement: D9
func TestErrorsInOnDropAreReported(t *testing.T) {
	balanced(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = write
	log := &doorLog{}
	door("panics", log).Release()
	door("fails", log).Release()
	selfsame.Collect()
	os.Stderr = stderr
	write.Close()
	text := string(must(io.ReadAll(read))(t))
	testenv.Contains(t, text, "selfsame: OnDrop of class test.Door failed: RuntimeError: the door is stuck\n", "drop_test.go",
		"selfsame: OnDrop of class test.Door failed: the door is jammed\n")
	if log.seen() != "Door:panics Door:fails" && log.seen() != "Door:fails Door:panics" {
		t.Errorf("ran: %s", log.seen())
	}
}

// Requirement: D9
func TestOnDropIsRefusedForAnotherFunc(t *testing.T) {
	type fine struct{ selfsame.Object }
	wantError(t, reg[fine]("t.D", selfsame.OnDrop(func(*Door) {})), "TypeError",
		"selfsame: OnDrop: class `t.D`: expected a func(*selfsame_test.fine) or func(*selfsame_test.fine) error, got func(*selfsame_test.Door)")
	wantError(t, reg[fine]("t.D", selfsame.OnDrop(3)), "TypeError", "got int")
	d := door("copied", nil)
	_, err := must(selfsame.GetFunc("ffi.DeepCopy"))(t).Call(d)
	wantError(t, err, "TypeError", "test.Door: objects cannot be copied, because the class has OnDrop")
	d.Release()
	selfsame.Collect()
}

func BenchmarkMakeAndReleaseWithOnDrop(b *testing.B) {
	var ran atomic.Int64
	for b.Loop() {
		selfsame.New(func(c *Counted) { c.Count.Set(&ran) }).Release()
	}
	selfsame.Collect()
}
