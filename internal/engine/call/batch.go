package call

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// A batch is one call from Python that stands for many: the func is called for each item, with a value of each column.
// The conversions are those of single calls; funcs of few numbers have loops without any (batch_loops.go).
//
// Why a batch of calls has columns. A call from Python costs two crossings, a change of the GIL and two conversions,
// whatever the func does; f.map(xs) pays the crossings and the GIL once. What crosses is one column of values for each
// argument and one for the results: numbers as they lie in an array, or packed from a list, and for everything else the
// views that single calls have. So there is one way to convert a value, and messages, defaults and lent arguments are
// those of single calls. A func of one to three numbers of the same type has a loop that reads and writes the columns
// (batch_loops.go); any other is called through its adapter, with one row of values at a time. Loops that the build
// writes for each func type would save the row, and would add a loop to the binary for each of a library's thousands of
// func types.
//
// A batch is an argument of an index of its own, not another entry of the Function: the C ABI has one entry, and a
// Function of another language must never get it. The metadata of a Go function lists the types of its columns, so
// Python knows both that it takes batches and which memory to make for the results.
//
// Blocks of items go to the goroutines in order, and a goroutine takes none beyond an item that failed. So the error is
// that of the first item that fails, as it is in turn. A batch in turn stays on the caller's thread: another would cost
// two switches of threads for each batch, which is as much as a hundred numbers. There a timer sets a word that the
// loop reads before each item, and the loop asks Python whether an exception waits. Elsewhere the caller's thread asks,
// while goroutines work.

// batch is the run of one batch.
type batch struct {
	closure *Closure
	args    []abi.Column
	result  *abi.Column
	invoke  Invoker
	loop    batchLoop   // instead of invoke; nil: none fits the columns
	stop    atomic.Bool // the loops must return before their next item
}

// runBatch calls the func for each item. It fails with the error of the first item that fails, and b.Failed is its number;
// or with the exception of Python that ends the calling thread's call, and b.Failed is -1. The results of the items before
// b.Failed stay.
func (c *Closure) runBatch(b *abi.Batch, result *abi.Any) error {
	r := &batch{closure: c, invoke: c.Invoke}
	r.args, r.result = b.Columns()
	if c.typedLoop != nil {
		r.loop = c.typedLoop(r.args, r.result)
	}
	n := int(b.Count)
	run := r.inTurn
	if b.Parallel != 0 && !c.KeepsGIL && n > 1 {
		run = r.atOnce
	}
	at, err := 0, error(nil)
	if c.inContext == nil {
		at, err = run(n)
	} else {
		ctx := newCallContext()
		defer func() { ctx.end(&c.Sig.results, err) }()
		err = ctx.withContext(c.Sig.name, func() (err error) {
			r.invoke = func(args []abi.Any, result *abi.Any) error { return c.inContext(ctx, args, result) }
			end := context.AfterFunc(ctx, func() { r.stop.Store(true) })
			defer end()
			at, err = run(n)
			return err
		})
	}
	*result = abi.None()
	if err == nil {
		return nil
	}
	b.Failed = int64(at)
	r.release(max(at, 0), n)
	return err
}

// noItem is the number of the failed item when the batch was ended from outside.
const noItem = -1

// release releases the results of the items from one number to another.
func (r *batch) release(from, to int) {
	for i := from; r.result.DType.Bits == 0 && i < to; i++ {
		v := (*abi.Any)(r.result.At(i))
		values.Release(*v)
		*v = abi.None()
	}
}

// inTurn calls the func for each item on this goroutine. From time to time it asks Python whether the call must end. It returns
// the number of the item that failed, or noItem, with the error.
func (r *batch) inTurn(n int) (at int, err error) {
	poll := convert.PythonPoll.Function()
	if poll == nil || r.closure.inContext != nil {
		return r.span(0, n)
	}
	timer := time.AfterFunc(pollEvery, func() { r.stop.Store(true) })
	defer timer.Stop()
	for {
		if at, err = r.span(at, n); at == n || err != nil {
			return at, err
		}
		r.stop.Store(false)
		again, err := values.CallValues(poll, nil)
		if err != nil {
			return noItem, err
		}
		if !never(again) {
			timer.Reset(pollEvery)
		}
	}
}

// atOnce calls the func for the items on as many goroutines as Go runs at once. Each takes blocks of items in order, so that
// every item before one that fails is called, as in inTurn.
func (r *batch) atOnce(n int) (at int, err error) {
	workers := min(runtime.GOMAXPROCS(0), n)
	const blocksPerWorker, most = 16, 4096
	block := min(max(n/(workers*blocksPerWorker), 1), most)
	var next atomic.Int64
	call := handles.InCall()
	var failures []*handles.Call // parts of the call to which errors may lead; guarded by mu as well
	var mu sync.Mutex            // guards at and err until all goroutines have ended
	at = n
	var ended sync.WaitGroup
	done := make(chan struct{})
	for range workers {
		ended.Add(1)
		go func() {
			defer ended.Done()
			for {
				from := int(next.Add(int64(block))) - block
				mu.Lock()
				over := from >= at
				mu.Unlock()
				if over || r.stop.Load() {
					return
				}
				part := call.Branch()
				failed, failure := r.span(from, min(from+block, n))
				if failure == nil {
					part.Leave()
					continue
				}
				part.Detach()
				mu.Lock()
				failures = append(failures, part)
				if failed < at {
					at, err = failed, failure
				}
				mu.Unlock()
			}
		}()
	}
	go func() { ended.Wait(); close(done) }()
	defer func() {
		for _, part := range failures {
			call.Join(part)
		}
	}()
	wait := func(tick <-chan time.Time) bool {
		select {
		case <-done:
			return true
		case <-tick:
			return false
		}
	}
	if r.closure.inContext != nil { // withContext asks Python, and stops the items
		wait(nil)
		return at, err
	}
	if interrupted := WaitInterruptibly(wait); interrupted != nil {
		r.stop.Store(true)
		<-done
		return noItem, interrupted
	}
	return at, err
}

// span calls the func for the items from one number to another, until it has to stop. It returns the number of the first item
// that it has not called, or of the one that failed, with the error. A panic of the func is an error.
func (r *batch) span(from, to int) (at int, err error) {
	at = from
	ended := false
	defer func() {
		if ended {
			return
		}
		if p := recover(); p != nil {
			err = fault.OfPanic(p)
		} else {
			err = fault.New("RuntimeError", "selfsame: runtime.Goexit in `%s`", r.closure.Sig)
		}
	}()
	if r.loop != nil {
		if err = r.loop(&at, to, &r.stop); err != nil {
			err = r.closure.Sig.returned(err)
		}
	}
	if err == nil && at < to {
		err = r.general(&at, to)
	}
	ended = true
	return at, err
}

// general does span's work with conversions, for a func of any type.
func (r *batch) general(at *int, to int) error {
	c := r.closure
	row := make([]abi.Any, len(r.args))
	number := new(abi.Any)
	fits := len(row) == len(c.Sig.Params) && c.Sig.byName == 0
	store := storers[r.result.DType]
	for ; *at < to && !r.stop.Load(); *at++ {
		for j := range row {
			if err := load(&r.args[j], *at, &row[j]); err != nil {
				return c.Sig.argumentError(j, err)
			}
		}
		result := number
		if r.result.DType.Bits == 0 {
			result = (*abi.Any)(r.result.At(*at))
		}
		var err error
		if fits && !unusual(row) {
			err = r.invoke(row, result)
		} else {
			err = c.callBy(r.invoke, row, result)
		}
		if err != nil {
			return err
		}
		if result == number {
			store(number, r.result.At(*at))
			*number = abi.Any{}
		}
	}
	return nil
}

// load makes *v a borrowed value of item i of a column.
func load(c *abi.Column, i int, v *abi.Any) error {
	at := c.At(i)
	switch c.DType {
	case abi.DataType{}:
		*v = *(*abi.Any)(at)
		return nil
	case int64Type:
		*v = abi.Int(*(*int64)(at))
		return nil
	case float64Type:
		*v = abi.Float(*(*float64)(at))
		return nil
	}
	return loadOtherNumber(c.DType, at, v)
}
