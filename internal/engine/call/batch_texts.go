package call

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Loops over a column of texts. Short texts share memory, as those of a list do, and the texts that the func returns are
// made in one call into C for many items.

func init() {
	addOfText[int]()
	addOfText[int64]()
	addOfText[float64]()
	addOfText[bool]()
	addTextOfText()
}

func addOfText[R any]() {
	loopMakers[reflect.TypeFor[func(string) R]()] = func(fn any) loopMaker {
		call := fn.(func(string) R)
		return func(args []abi.Column, result *abi.Column) batchLoop {
			if len(args) != 1 || hasNumbers(&args[0]) || result.DType != convert.DataTypeOf(reflect.TypeFor[R]()) {
				return nil
			}
			texts, to := args[0], *result
			return func(at *int, end int, stop *atomic.Bool) error {
				read := convert.Texts(end - *at)
				for ; *at < end && !stop.Load(); *at++ {
					text, ok := read(valueIn(&texts, *at))
					if !ok {
						break
					}
					*numberIn[R](&to, *at) = call(text)
				}
				return nil
			}
		}
	}
}

func addTextOfText() {
	loopMakers[reflect.TypeFor[func(string) string]()] = func(fn any) loopMaker {
		call := fn.(func(string) string)
		return func(args []abi.Column, result *abi.Column) batchLoop {
			if len(args) != 1 || hasNumbers(&args[0]) || hasNumbers(result) {
				return nil
			}
			texts, to := args[0], *result
			return func(at *int, end int, stop *atomic.Bool) (err error) {
				made := madeTexts{&to, *at, make([]string, 0, min(end-*at, storedAtOnce))}
				defer func() { // also when the func panics
					if failed := made.store(at); failed != nil {
						err = failed
					}
				}()
				read := convert.Texts(end - *at)
				for ; *at < end && !stop.Load(); *at++ {
					text, ok := read(valueIn(&texts, *at))
					if !ok {
						break
					}
					if err := made.add(call(text), at); err != nil {
						return err
					}
				}
				return nil
			}
		}
	}
}

func hasNumbers(c *abi.Column) bool { return c.DType.Bits != 0 }

// valueIn returns the value of item i of a column without numbers.
func valueIn(c *abi.Column, i int) *abi.Any {
	return (*abi.Any)(unsafe.Add(c.Data, uintptr(i)*unsafe.Sizeof(abi.Any{})))
}

// madeTexts are texts that a func has returned for items one after another, on their way into the column of its results.
type madeTexts struct {
	column *abi.Column
	from   int // the item of the first one
	texts  []string
}

// storedAtOnce is how many texts are stored together. More would leave the processor's nearest cache between Go and C.
const storedAtOnce = 256

// add takes the text of item *at. If it fails, *at is the item that has failed.
func (m *madeTexts) add(text string, at *int) error {
	if err := values.CheckUTF8(text); err != nil {
		return err
	}
	if m.texts = append(m.texts, text); len(m.texts) < storedAtOnce {
		return nil
	}
	return m.store(at)
}

// store makes the values of the texts. If it fails, *at becomes the item of the text that it has not made.
func (m *madeTexts) store(at *int) error {
	if len(m.texts) == 0 {
		return nil
	}
	made, failed := bridge.Texts(m.texts, unsafe.Slice(valueIn(m.column, m.from), len(m.texts)))
	m.from += made
	m.texts = m.texts[:0]
	if failed != nil {
		*at = m.from
	}
	return fault.Take(failed)
}
