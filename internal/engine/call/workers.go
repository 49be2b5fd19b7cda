package call

import (
	"slices"
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/spin"
)

// part is a part of a call that runs on another goroutine than the call.
type part struct {
	run func()
	// ended tells the caller, who waits, that run has ended: it has returned, or runtime.Goexit has ended its goroutine. It is called
	// when the worker is ready for the next part. Otherwise a caller with one would often come too early, find no worker and start
	// another, for which there may be no processor.
	ended func()
}

// do runs the part. It does not return after a runtime.Goexit.
func (p *part) do() {
	returned := false
	defer func() {
		if !returned {
			p.ended()
		}
	}()
	p.run()
	returned = true
}

// worker is a goroutine that runs parts of calls, one after another: funcs with a context, loops of iterators. When a part is done
// it looks for the next one for some microseconds, then it ends: calls in a loop need no thread to be woken for each.
type worker struct{ parts *spin.Channel[part] }

// idle has the workers that look for a part.
var idle struct {
	sync.Mutex
	workers []*worker
}

// onWorker runs a part on an idle worker, or on a new one. runtime.Goexit in the part ends the worker. Panics in it end the program.
func onWorker(p part) {
	idle.Lock()
	last := len(idle.workers) - 1
	if last < 0 {
		idle.Unlock()
		w := &worker{spin.NewChannel[part]()}
		go w.run(p)
		return
	}
	w := idle.workers[last]
	idle.workers = idle.workers[:last]
	idle.Unlock()
	w.parts.Send(p)
}

func (w *worker) run(p part) {
	for more := true; more; {
		p.do()
		seen := w.parts.Sent()
		idle.Lock()
		idle.workers = append(idle.workers, w)
		idle.Unlock()
		p.ended()
		p, more = w.next(seen)
	}
}

// next returns the part that comes after the first `seen` ones; more is false when none comes.
func (w *worker) next(seen uint32) (p part, more bool) {
	if p, found := w.parts.Look(seen); found {
		return p, true
	}
	idle.Lock()
	at := slices.Index(idle.workers, w)
	if at >= 0 {
		idle.workers = slices.Delete(idle.workers, at, at+1)
	}
	idle.Unlock()
	if at >= 0 {
		return part{}, false
	}
	return <-w.parts.Values(), true // somebody has just taken the worker
}
