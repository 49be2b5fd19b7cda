package decide

import (
	"fmt"
	"go/types"
)

// mapItems adds what a dict has to the class of a map type.
func (d *Decider) mapItems(m *types.Map, find finder, add adder, lock string) {
	if d.crosses(m.Key()) != nil {
		return
	}
	key := d.text(m.Key())
	keys := fmt.Sprintf(") []%s {\n%skeys := make([]%s, 0, len(*o.Go()))\nfor key := range *o.Go() {\nkeys = append(keys, key)\n}\nreturn keys\n}", key, lock, key)
	add("__iter__", "The keys.", "%s", keys)
	add("__contains__", "Whether a key is in it.", ", key %s) bool {\n%s_, ok := (*o.Go())[key]\nreturn ok\n}", key, lock)
	if find("Keys") == nil {
		add("keys", "Returns the keys.", "%s", keys)
	}
	if d.crosses(m.Elem()) != nil {
		return
	}
	value := d.text(m.Elem())
	add("__getitem__", "The value of a key.", ", key %s) (%s, error) {\n%svalue, ok := (*o.Go())[key]\nif !ok {\nreturn value, "+
		"selfsame.Errorf(\"KeyError\", \"%%v\", key)\n}\nreturn value, nil\n}", key, value, lock)
	add("__setitem__", "Sets the value of a key.", ", key %s, value %s) {\n%sif *o.Go() == nil {\n*o.Go() = %s{}\n}\n(*o.Go())[key] = value\n}",
		key, value, lock, "map["+key+"]"+value)
	add("__delitem__", "Removes a key.", ", key %s) error {\n%sif _, ok := (*o.Go())[key]; !ok {\nreturn selfsame.Errorf(\"KeyError\", \"%%v\", key)\n}\n"+
		"delete(*o.Go(), key)\nreturn nil\n}", key, lock)
}

// sliceItems adds what a list has to the class of a slice type.
func (d *Decider) sliceItems(s *types.Slice, add adder, lock string) {
	if d.crosses(s.Elem()) != nil {
		return
	}
	element := d.text(s.Elem())
	add("__getitem__", "The element at an index.", ", i int) (%s, error) {\n%sif i < 0 || i >= len(*o.Go()) {\nreturn *new(%s), "+
		"selfsame.Errorf(\"IndexError\", \"index %%d is out of range\", i)\n}\nreturn (*o.Go())[i], nil\n}", element, lock, element)
	add("__setitem__", "Sets the element at an index.", ", i int, value %s) error {\n%sif i < 0 || i >= len(*o.Go()) {\nreturn "+
		"selfsame.Errorf(\"IndexError\", \"index %%d is out of range\", i)\n}\n(*o.Go())[i] = value\nreturn nil\n}", element, lock)
}
