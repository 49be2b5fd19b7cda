package tvm

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// Trials is how often TVM's time_evaluator calls a function. The zero Trials are ten calls, measured once.
type Trials struct {
	Number     int           // calls of which a measurement is the mean; 0 is 10
	Repeat     int           // measurements; 0 is 1
	AtLeast    time.Duration // of a measurement: Number grows until it takes that long; whole milliseconds
	CacheFlush int           // bytes of the CPU's cache that are flushed before each measurement
}

// Time measures a function of a module on a device with TVM's time_evaluator: it calls the function once, which is not
// measured, then Number times for each of Repeat measurements. It returns the mean time of a call in each. A call that is
// not finished when it returns, on a device other than the CPU, is waited for.
func Time(m *selfsame.Module, name string, device selfsame.Device, trials Trials, args ...any) ([]time.Duration, error) {
	const zeroTimes, cooldown, untilCooldown, noPreparation = 100, 0, 1, ""
	number, repeat := trials.Number, trials.Repeat
	if number == 0 {
		number = 10
	}
	if repeat == 0 {
		repeat = 1
	}
	if number < 0 || repeat < 0 || trials.AtLeast < 0 || trials.CacheFlush < 0 {
		return nil, fmt.Errorf("tvm: Time: %+v has a negative number", trials)
	}
	evaluator, err := call[*selfsame.Function]("runtime.RPCTimeEvaluator", m, name, device.Type, device.ID, number, repeat,
		trials.AtLeast.Milliseconds(), zeroTimes, cooldown, untilCooldown, trials.CacheFlush, noPreparation)
	if err != nil {
		return nil, err
	}
	defer evaluator.Release()
	blob, err := selfsame.CallAs[[]byte](evaluator, args...)
	if err != nil {
		return nil, err
	}
	if len(blob) != 8*repeat {
		return nil, fmt.Errorf("tvm: Time: the time evaluator returned %d bytes for %d measurements", len(blob), repeat)
	}
	times := make([]time.Duration, repeat)
	for i := range times {
		seconds := math.Float64frombits(binary.NativeEndian.Uint64(blob[8*i:]))
		times[i] = time.Duration(seconds * float64(time.Second))
	}
	return times, nil
}

// Time measures a function of the program on the virtual machine's first device, as the function [Time] does.
func (vm *VM) Time(name string, trials Trials, args ...any) ([]time.Duration, error) {
	return Time(vm.module, name, vm.device, trials, args...)
}
