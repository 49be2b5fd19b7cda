package live

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/arrow"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// elements returns where the elements of a slice or an array lie, and how many there are.
func (c *Container) elements() (first unsafe.Pointer, n int) {
	if c.t.Kind() == reflect.Array {
		return c.at, c.t.Len()
	}
	header := (*convert.SliceHeader)(c.at)
	return header.First, header.Len
}

func (c *Container) len() (n int, err error) {
	in, err := c.enter()
	if err != nil {
		return 0, err
	}
	defer leave(in)
	return c.value().Len(), nil
}

// index returns where an element lies. A negative index counts from the end.
func (c *Container) index(i int) (unsafe.Pointer, error) {
	first, n := c.elements()
	at := i
	if at < 0 {
		at += n
	}
	if uint(at) >= uint(n) {
		return nil, fault.New("IndexError", "index %d is out of range of %d elements", i, n)
	}
	return unsafe.Add(first, uintptr(at)*c.element.t.Size()), nil
}

// atIndex enters the container, and calls do with where an element lies.
func (c *Container) atIndex(i int, do func(p unsafe.Pointer) error) error {
	in, err := c.enter()
	if err != nil {
		return err
	}
	defer leave(in)
	p, err := c.index(i)
	if err != nil {
		return err
	}
	return do(p)
}

func (c *Container) get(i int, v *abi.Any) error {
	return c.atIndex(i, func(p unsafe.Pointer) error { return c.element.to(c, p, v) })
}

func (c *Container) set(i int, given convert.Given) error {
	value := reflect.New(c.element.t)
	if err := c.element.from(given, value.UnsafePointer()); err != nil {
		return err
	}
	return c.atIndex(i, func(p unsafe.Pointer) error {
		reflect.NewAt(c.element.t, p).Elem().Set(value.Elem())
		c.Store()
		return nil
	})
}

// list returns a list of the elements from start on, as far as stop, step by step: of all of them for the step 0.
func (c *Container) list(start, stop, step int) (made convert.Owned, err error) {
	in, err := c.enter()
	if err != nil {
		return made, err
	}
	defer leave(in)
	first, n := c.elements()
	if step == 0 {
		start, stop, step = 0, n, 1
	}
	count := 0
	if step > 0 && start < stop {
		count = (stop - start + step - 1) / step
	} else if step < 0 && start > stop {
		count = (start - stop - step - 1) / -step
	}
	if last := start + (count-1)*step; count > 0 && (uint(start) >= uint(n) || uint(last) >= uint(n)) {
		return made, fault.New("IndexError", "[%d:%d:%d] is out of range of %d elements", start, stop, step, n)
	}
	size := c.element.t.Size()
	if c.whole != nil && (step == 1 || count < 2) {
		part := convert.SliceHeader{First: first, Len: count, Cap: count}
		if count > 0 {
			part.First = unsafe.Add(first, uintptr(start)*size)
		}
		return made, c.whole.To(unsafe.Pointer(&part), &made.Any)
	}
	owned := make([]abi.Any, count)
	defer func() { values.ReleaseAll(owned) }()
	for i := range owned {
		if err := c.element.to(c, unsafe.Add(first, uintptr(start+i*step)*size), &owned[i]); err != nil {
			return made, err
		}
	}
	made.Any, err = convert.PlainContainer(abi.IndexArray, owned)
	return made, err
}

// arrow fills an Arrow struct, as [convert.FillArrow] does; asked for "rows" it returns whether the elements are structs: 1 or 0.
func (c *Container) arrow(what string, address, first int) (n int, err error) {
	if what == "rows" {
		if convert.HasRows(c.slice) {
			n = 1
		}
		return n, nil
	}
	form, err := arrow.Of(c.element.t)
	if err != nil {
		return 0, err
	}
	in, err := c.enter()
	if err != nil {
		return 0, err
	}
	defer leave(in)
	rows := c.value()
	if rows.Kind() == reflect.Array {
		rows = rows.Slice(0, rows.Len())
	}
	word, _ := abi.SmallStr(what)
	return convert.FillArrow(form, rows, []abi.Any{word, abi.Int(int64(address)), abi.Int(int64(first))})
}

// splice puts elements in the place of those from start to stop.
func (c *Container) splice(start, stop int, given convert.Given) error {
	taken := reflect.New(c.slice)
	if err := convertGiven(c.taken, given, taken.UnsafePointer()); err != nil {
		return err
	}
	return c.replace(start, stop, taken.Elem())
}

func (c *Container) append(given convert.Given) error {
	one := reflect.MakeSlice(c.slice, 1, 1)
	if err := c.element.from(given, one.UnsafePointer()); err != nil {
		return err
	}
	return c.replace(-1, -1, one)
}

// replace puts elements in the place of those from start to stop, -1 for the end.
func (c *Container) replace(start, stop int, with reflect.Value) error {
	in, err := c.enter()
	if err != nil {
		return err
	}
	defer leave(in)
	first, n := c.elements()
	if start < 0 {
		start, stop = n, n
	}
	if start > stop || stop > n {
		return fault.New("IndexError", "[%d:%d] is out of range of %d elements", start, stop, n)
	}
	v, count := c.value(), with.Len()
	switch {
	case count == stop-start:
		reflect.Copy(v.Slice(start, stop), with)
	case c.fixed || v.Kind() == reflect.Array:
		return c.refuseFixed()
	case start == n:
		v.Set(reflect.AppendSlice(v, with))
	case stop == n && count == 0 && !c.element.isObject():
		v.SetLen(start)
	case stop == n && count == 0:
		v.Set(v.Slice3(0, start, start)) // what is appended must not change an element that somebody still has
	default:
		// A slice of its own: another one of Go's may share the memory.
		made := reflect.MakeSlice(v.Type(), 0, n-(stop-start)+count)
		made = reflect.AppendSlice(reflect.AppendSlice(reflect.AppendSlice(made, v.Slice(0, start)), with), v.Slice(stop, n))
		v.Set(made)
	}
	c.moved(first, n, start, stop, count)
	c.Store()
	return nil
}

// moved makes the objects of elements follow them to other memory, from that of n elements at first of which those from start to
// stop gave way to count others. The objects of those keep what they stood for.
func (c *Container) moved(first unsafe.Pointer, n, start, stop, count int) {
	now, _ := c.elements()
	if now == first || !c.element.isObject() {
		return
	}
	size := c.element.t.Size()
	from := func(i int) unsafe.Pointer { return unsafe.Add(first, uintptr(i)*size) }
	to := func(i int) unsafe.Pointer {
		switch {
		case i < start:
			return unsafe.Add(now, uintptr(i)*size)
		case i >= stop:
			return unsafe.Add(now, uintptr(i-(stop-start)+count)*size)
		}
		return nil
	}
	if c.element.inPlace != nil {
		c.element.inPlace.Move(n, from, to)
		return
	}
	place := func(p unsafe.Pointer) wrapping.Place { return placeOf(c.element.t, p) }
	wrapping.Move(classes[ShapeOf(c.element.t)], n, func(i int) wrapping.Place { return place(from(i)) },
		func(i int) (wrapping.Place, bool) { return place(to(i)), to(i) != nil },
		func(value any, i int) any {
			within := value.(*Container)
			within.at, within.place = to(i), place(to(i))
			return within
		})
}
