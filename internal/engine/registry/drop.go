package registry

import (
	"fmt"
	"os"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/shown"
)

func init() { handles.RunOnDrop = runOnDrop }

// dropFuncs checks the func of OnDrop, which may be nil, and returns it with those of the class's ancestors behind it.
func (c Registration) dropFuncs(key string, fn any) ([]func(unsafe.Pointer), error) {
	inherited := c.Parent.Drops
	if fn == nil {
		if len(inherited) > 0 {
			handles.PrepareDrops()
		}
		return inherited, nil
	}
	v := reflect.ValueOf(fn)
	t := v.Type()
	if v.Kind() != reflect.Func || v.IsNil() || t.IsVariadic() || t.NumIn() != 1 || t.In(0) != reflect.PointerTo(c.GoType) ||
		t.NumOut() > 1 || t.NumOut() == 1 && t.Out(0) != convert.ErrorType {
		return nil, fault.New("TypeError", "selfsame: OnDrop: class `%s`: expected a func(*%s) or func(*%s) error, got %T",
			key, c.GoType, c.GoType, fn)
	}
	handles.PrepareDrops()
	run := func(object unsafe.Pointer) {
		defer func() {
			if r := recover(); r != nil {
				reportDrop(key, fault.OfPanic(r))
			}
		}()
		if out := v.Call([]reflect.Value{reflect.NewAt(c.GoType, object)}); len(out) == 1 && !out[0].IsNil() {
			reportDrop(key, out[0].Interface().(error))
		}
	}
	return append([]func(unsafe.Pointer){run}, inherited...), nil
}

// reportDrop writes the error of a func of OnDrop, which nobody waits for.
func reportDrop(key string, err error) {
	text := fmt.Sprintf("selfsame: OnDrop of class %s failed: %v\n", key, err)
	if e, ok := err.(*fault.Error); ok {
		text += e.Backtrace
	}
	fmt.Fprint(os.Stderr, shown.Text(text))
}

// runOnDrop runs the funcs of a dropped object's classes, the most derived one's first.
func runOnDrop(object unsafe.Pointer) {
	for _, run := range typetable.Nearest(abi.TypeIndexOf(object)).Drops {
		run(object)
	}
}
