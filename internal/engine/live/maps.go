package live

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// givenKey converts a key. A value that cannot be a key is an error.
func (c *Container) givenKey(given convert.Given) (key reflect.Value, err error) {
	key = reflect.New(c.t.Key()).Elem()
	if err := convertGiven(c.keyConv, given, key.Addr().UnsafePointer()); err != nil {
		return key, err
	}
	if !key.Comparable() {
		return key, fault.New("TypeError", "the key is not comparable, so it cannot be a key of a %s", c.t)
	}
	return key, nil
}

func missing(given convert.Given) error {
	return fault.New("KeyError", "%s", convert.KeyText(given.Any))
}

// atKey converts a key, before it enters the container, and calls do with it.
func (c *Container) atKey(given convert.Given, do func(key reflect.Value) error) error {
	key, err := c.givenKey(given)
	if err != nil {
		return err
	}
	in, err := c.enter()
	if err != nil {
		return err
	}
	defer leave(in)
	return do(key)
}

func (c *Container) has(given convert.Given) (found bool, err error) {
	err = c.atKey(given, func(key reflect.Value) error {
		found = c.value().MapIndex(key).IsValid()
		return nil
	})
	return found, err
}

func (c *Container) getKey(given convert.Given) (made convert.Owned, err error) {
	err = c.atKey(given, func(key reflect.Value) error {
		found := c.value().MapIndex(key)
		if !found.IsValid() {
			return missing(given)
		}
		value := reflect.New(c.element.t)
		value.Elem().Set(found)
		return c.element.ofMap(c, key, value.UnsafePointer(), &made.Any)
	})
	return made, err
}

func (c *Container) setKey(given, to convert.Given) error {
	value := reflect.New(c.element.t)
	if err := c.element.from(to, value.UnsafePointer()); err != nil {
		return err
	}
	return c.atKey(given, func(key reflect.Value) error {
		if err := c.makeMap(); err != nil {
			return err
		}
		c.value().SetMapIndex(key, value.Elem())
		c.Store()
		return nil
	})
}

// makeMap makes a map where there is nil.
func (c *Container) makeMap() error {
	if v := c.value(); v.IsNil() {
		if c.fixed {
			return c.refuseFixed()
		}
		v.Set(reflect.MakeMap(c.t))
	}
	return nil
}

func (c *Container) deleteKey(given convert.Given) error {
	return c.atKey(given, func(key reflect.Value) error {
		v := c.value()
		if !v.MapIndex(key).IsValid() {
			return missing(given)
		}
		v.SetMapIndex(key, reflect.Value{})
		return nil
	})
}

// update sets the keys of another map, after it has emptied the map if clear is true.
func (c *Container) update(clear bool, given convert.Given) error {
	taken := reflect.New(c.t)
	if err := convertGiven(c.taken, given, taken.UnsafePointer()); err != nil {
		return err
	}
	entries := make([][2]reflect.Value, 0, taken.Elem().Len()) // it may be the map itself
	for e := taken.Elem().MapRange(); e.Next(); {
		entries = append(entries, [2]reflect.Value{e.Key(), e.Value()})
	}
	in, err := c.enter()
	if err != nil {
		return err
	}
	defer leave(in)
	if clear {
		c.value().Clear()
	}
	if len(entries) > 0 {
		if err := c.makeMap(); err != nil {
			return err
		}
	}
	for _, e := range entries {
		c.value().SetMapIndex(e[0], e[1])
	}
	c.Store()
	return nil
}

// keyList returns a list of the keys.
func (c *Container) keyList() (made convert.Owned, err error) {
	in, err := c.enter()
	if err != nil {
		return made, err
	}
	defer leave(in)
	v := c.value()
	keys := reflect.New(reflect.SliceOf(c.t.Key()))
	keys.Elem().Set(reflect.MakeSlice(keys.Elem().Type(), 0, v.Len()))
	for e := v.MapRange(); e.Next(); {
		keys.Elem().Set(reflect.Append(keys.Elem(), e.Key()))
	}
	err = c.keys.To(keys.UnsafePointer(), &made.Any)
	if err == nil && c.t.Key().Kind() == reflect.Array {
		err = convert.Repack(&made.Any, "keys")
	}
	return made, err
}

// all returns a dict of the map, or a set of the keys.
func (c *Container) all() (made convert.Owned, err error) {
	in, err := c.enter()
	if err != nil {
		return made, err
	}
	defer leave(in)
	v := c.value()
	if c.whole != nil {
		return made, c.whole.To(c.at, &made.Any)
	}
	owned := make([]abi.Any, 0, 2*v.Len())
	defer func() { values.ReleaseAll(owned) }()
	for e := v.MapRange(); e.Next(); {
		key, value := reflect.New(c.t.Key()), reflect.New(c.element.t)
		key.Elem().Set(e.Key())
		value.Elem().Set(e.Value())
		owned = append(owned, abi.None())
		if err := c.keyConv.To(key.UnsafePointer(), &owned[len(owned)-1]); err != nil {
			return made, err
		}
		owned = append(owned, abi.None())
		if err := c.element.ofMap(c, key.Elem(), value.UnsafePointer(), &owned[len(owned)-1]); err != nil {
			return made, err
		}
	}
	made.Any, err = convert.PlainContainer(abi.IndexMap, owned)
	return made, err
}
