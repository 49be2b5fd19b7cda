package call

import (
	"slices"
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/spin"
)

// worker is a goroutine that runs parts of calls, one after another: funcs with a context, loops of iterators. When a part is done
// it looks for the next one for some microseconds, then it ends: calls in a loop need no thread to be woken for each.
type worker struct{ parts *spin.Channel[func()] }

// idle has the workers that look for a part.
var idle struct {
	sync.Mutex
	workers []*worker
}

// onWorker runs part on an idle worker, or on a new one. runtime.Goexit in part ends the worker.
func onWorker(part func()) {
	idle.Lock()
	last := len(idle.workers) - 1
	if last < 0 {
		idle.Unlock()
		w := &worker{spin.NewChannel[func()]()}
		go w.run(part)
		return
	}
	w := idle.workers[last]
	idle.workers = idle.workers[:last]
	idle.Unlock()
	w.parts.Send(part)
}

func (w *worker) run(part func()) {
	for part != nil {
		part()
		part = w.next()
	}
}

// next returns the next part, or nil when none comes.
func (w *worker) next() func() {
	seen := w.parts.Sent()
	idle.Lock()
	idle.workers = append(idle.workers, w)
	idle.Unlock()
	if part, found := w.parts.Look(seen); found {
		return part
	}
	idle.Lock()
	at := slices.Index(idle.workers, w)
	if at >= 0 {
		idle.workers = slices.Delete(idle.workers, at, at+1)
	}
	idle.Unlock()
	if at >= 0 {
		return nil
	}
	return <-w.parts.Values() // somebody has just taken the worker
}
