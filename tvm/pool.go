package tvm

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
)

// Pool is virtual machines of one executable for programs that serve requests: each machine has a goroutine that is locked to its
// thread, so that the threads of its parallel kernels are made once. T is what a call of the pool gets: a machine, or what prepare
// made of it. Any goroutine may use a Pool.
type Pool[T any] struct {
	jobs    chan func(T)
	closing chan struct{}
	once    sync.Once
	workers sync.WaitGroup
}

var _ io.Closer = (*Pool[*VM])(nil)

// ErrPoolClosed is the error of a call of a pool that was closed.
var ErrPoolClosed = errors.New("tvm: the pool is closed")

// NewPool makes a pool of size machines. prepare is called for each, on its own thread; what it returns goes to the calls:
//
//	pool, err := tvm.NewPool(executable, tvm.Config{}, 4, func(vm *tvm.VM) (*selfsame.Function, error) { return vm.Func("forward") })
//
// It fails when a machine cannot be made and when prepare fails; then it closes the pool.
func NewPool[T any](e *Executable, config Config, size int, prepare func(vm *VM) (T, error)) (*Pool[T], error) {
	p := &Pool[T]{jobs: make(chan func(T)), closing: make(chan struct{})}
	made := make(chan error)
	for range size {
		p.workers.Add(1)
		go p.work(e, config, prepare, made)
	}
	var failed error
	for range size {
		failed = errors.Join(failed, <-made)
	}
	if failed != nil {
		p.Close()
		return nil, failed
	}
	return p, nil
}

// work serves jobs with a machine of its own, which lives as long as the pool.
func (p *Pool[T]) work(e *Executable, config Config, prepare func(vm *VM) (T, error), made chan<- error) {
	defer p.workers.Done()
	runtime.LockOSThread()
	vm, err := e.NewVM(config)
	if err != nil {
		made <- err
		return
	}
	defer vm.Release()
	prepared, err := prepare(vm)
	made <- err
	for err == nil {
		select {
		case job := <-p.jobs:
			job(prepared)
		case <-p.closing:
			return
		}
	}
}

// Do calls f with a machine that is free, on the machine's thread, and returns its error. While it waits for one, the context ends the
// wait: Do then returns the context's error. A panic of f is one of Do's caller. It fails with [ErrPoolClosed] after Close.
func (p *Pool[T]) Do(ctx context.Context, f func(T) error) (err error) {
	done := make(chan any, 1)
	job := func(prepared T) {
		defer func() { done <- recover() }()
		err = f(prepared)
	}
	select {
	case <-p.closing:
		return ErrPoolClosed
	default:
	}
	select {
	case p.jobs <- job:
	case <-ctx.Done():
		return ctx.Err()
	case <-p.closing:
		return ErrPoolClosed
	}
	if panicked := <-done; panicked != nil {
		panic(panicked)
	}
	return err
}

// Close releases the machines when the calls that run have ended. It returns nil, and a second Close does nothing.
func (p *Pool[T]) Close() error {
	p.once.Do(func() { close(p.closing) })
	p.workers.Wait()
	return nil
}
