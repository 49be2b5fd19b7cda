package tvm

import (
	"cmp"
	"slices"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// Cost is what the calls of one kernel or builtin function took while a program ran.
type Cost struct {
	Symbol string // the function's name
	Calls  int
	Total  time.Duration
}

// Profile calls a function of the program on a virtual machine of its own, once to warm up and then once more, and returns
// what each kernel and builtin function that it called took, the slowest first. After each of them it waits for the device,
// so that the sum is more than the time of a call without Profile.
func (vm *VM) Profile(name string, args ...any) ([]Cost, error) {
	other, err := vm.executable.NewVM(vm.config)
	if err != nil {
		return nil, err
	}
	defer other.Release()
	if _, err := callIn[any](other.module, name, args...); err != nil {
		return nil, err
	}
	costs := map[string]*Cost{}
	var begun []time.Time // of the calls that run, the outermost first
	err = other.Instrument(func(symbol string, before bool) {
		if before {
			begun = append(begun, time.Now())
			return
		}
		if other.device.Type != selfsame.CPU.Type {
			_ = Sync(other.device) // what is wrong with the device, the call below says
		}
		last := len(begun) - 1
		cost := costs[symbol]
		if cost == nil {
			cost = &Cost{Symbol: symbol}
			costs[symbol] = cost
		}
		cost.Calls++
		cost.Total += time.Since(begun[last])
		begun = begun[:last]
	})
	if err != nil {
		return nil, err
	}
	if _, err := callIn[any](other.module, name, args...); err != nil {
		return nil, err
	}
	var sorted []Cost
	for _, cost := range costs {
		sorted = append(sorted, *cost)
	}
	slices.SortFunc(sorted, func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Symbol, b.Symbol))
	})
	return sorted, nil
}

// Instrument has seen called before and after each kernel and builtin function that the virtual machine calls, with the
// function's name, on the goroutine that called the program. It holds for the life of the virtual machine; a later one takes
// its place.
func (vm *VM) Instrument(seen func(symbol string, before bool)) error {
	const goOn = 0
	f, err := selfsame.NewFunc(func(_ any, symbol string, before bool, _ any, _ ...any) int {
		seen(symbol, before)
		return goOn
	})
	if err != nil {
		return err
	}
	defer f.Release()
	_, err = callIn[any](vm.module, "set_instrument", f)
	return err
}
