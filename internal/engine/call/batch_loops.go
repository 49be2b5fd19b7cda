package call

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// Loops over columns of numbers that call funcs of frequent types without converting anything. Loops over texts are in
// batch_texts.go.

// batchLoop calls a func for the items from *at to another number, in memory of the columns that it was made for, until
// *stop is true, an item fails, or one has a value of another type. *at is the number of the item that is being called, and
// at the end that of the next one, or of the one that failed.
type batchLoop func(at *int, to int, stop *atomic.Bool) error

// loopMaker makes the loop over columns; nil where one has numbers of another type.
type loopMaker func(args []abi.Column, result *abi.Column) batchLoop

// loopMakers has by a func's type what makes the maker of its loops.
var loopMakers = map[reflect.Type]func(fn any) loopMaker{}

func init() {
	addUnary[float64, float64]()
	addUnary[float64, int]()
	addUnary[float64, int64]()
	addUnary[float64, bool]()
	addUnary[float32, float32]()
	addUnary[int, int]()
	addUnary[int, float64]()
	addUnary[int, bool]()
	addUnary[int64, int64]()
	addUnary[int64, float64]()
	addUnary[int64, bool]()
	addUnary[int32, int32]()
	addUnary[uint8, uint8]()
	addBinary[float64, float64]()
	addBinary[float64, bool]()
	addBinary[float32, float32]()
	addBinary[int, int]()
	addBinary[int, bool]()
	addBinary[int64, int64]()
	addBinary[int64, bool]()
	addTernary[float64, float64]()
}

// typedLoopOf returns what makes the loops of a func, nil for a func of another type.
func typedLoopOf(v reflect.Value) loopMaker {
	if make := loopMakers[v.Type()]; make != nil {
		return make(v.Interface())
	}
	return nil
}

// areNumbers says whether the columns have as many arguments as wanted, of type A, and a result of type R.
func areNumbers[A, R any](args []abi.Column, result *abi.Column, wanted int) bool {
	if len(args) != wanted || result.DType != convert.DataTypeOf(reflect.TypeFor[R]()) {
		return false
	}
	of := convert.DataTypeOf(reflect.TypeFor[A]())
	for i := range args {
		if args[i].DType != of {
			return false
		}
	}
	return true
}

func addUnary[A, R any]() {
	loopMakers[reflect.TypeFor[func(A) R]()] = func(fn any) loopMaker {
		call := fn.(func(A) R)
		return func(args []abi.Column, result *abi.Column) batchLoop {
			if !areNumbers[A, R](args, result, 1) {
				return nil
			}
			x, to := args[0], *result
			return func(at *int, end int, stop *atomic.Bool) error {
				for ; *at < end && !stop.Load(); *at++ {
					*numberIn[R](&to, *at) = call(*numberIn[A](&x, *at))
				}
				return nil
			}
		}
	}
}

func addBinary[A, R any]() {
	loopMakers[reflect.TypeFor[func(A, A) R]()] = func(fn any) loopMaker {
		call := fn.(func(A, A) R)
		return func(args []abi.Column, result *abi.Column) batchLoop {
			if !areNumbers[A, R](args, result, 2) {
				return nil
			}
			x, y, to := args[0], args[1], *result
			return func(at *int, end int, stop *atomic.Bool) error {
				for ; *at < end && !stop.Load(); *at++ {
					*numberIn[R](&to, *at) = call(*numberIn[A](&x, *at), *numberIn[A](&y, *at))
				}
				return nil
			}
		}
	}
}

func addTernary[A, R any]() {
	loopMakers[reflect.TypeFor[func(A, A, A) R]()] = func(fn any) loopMaker {
		call := fn.(func(A, A, A) R)
		return func(args []abi.Column, result *abi.Column) batchLoop {
			if !areNumbers[A, R](args, result, 3) {
				return nil
			}
			x, y, z, to := args[0], args[1], args[2], *result
			return func(at *int, end int, stop *atomic.Bool) error {
				for ; *at < end && !stop.Load(); *at++ {
					*numberIn[R](&to, *at) = call(*numberIn[A](&x, *at), *numberIn[A](&y, *at), *numberIn[A](&z, *at))
				}
				return nil
			}
		}
	}
}

// numberIn returns the address of item i of a column of numbers of type E.
func numberIn[E any](c *abi.Column, i int) *E {
	return (*E)(unsafe.Add(c.Data, uintptr(i)*uintptr(c.Step)))
}
