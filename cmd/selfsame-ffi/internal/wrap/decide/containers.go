package decide

import (
	"fmt"
	"go/types"
	"slices"
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

// sliceItems adds what a list has to the class of a slice or array type. The class of a slice that is passed by value
// does not change.
func (d *Decider) sliceItems(c *Class, elem types.Type, add adder, lock string) {
	if d.crosses(elem) != nil {
		return
	}
	element := d.text(elem)
	add("__getitem__", "The element at an index.", ", i int) (%s, error) {\n%sif i < 0 || i >= len(*o.Go()) {\nreturn *new(%s), "+
		"selfsame.Errorf(\"IndexError\", \"index %%d is out of range\", i)\n}\nreturn (*o.Go())[i], nil\n}", element, lock, element)
	if _, isArray := c.Named.Underlying().(*types.Array); isArray && c.ByValue {
		return
	}
	add("__setitem__", "Sets the element at an index.", ", i int, value %s) error {\n%sif i < 0 || i >= len(*o.Go()) {\nreturn "+
		"selfsame.Errorf(\"IndexError\", \"index %%d is out of range\", i)\n}\n(*o.Go())[i] = value\nreturn nil\n}", element, lock)
}

// lookUp adds what a dict or a list has to a class whose method Get or Load returns the value of a key and whether there is one. With
// an int and no Keys the key is an index. It returns whether the class is such a dict.
func (d *Decider) lookUp(c *Class, find finder, add adder, lock string) (dict bool) {
	crossing := func(t types.Type) bool { return d.crosses(t) == nil && !isError(t) }
	get, got := first(find, "Get", "Load")
	if get == nil || get.Variadic() || get.Params().Len() != 1 || get.Results().Len() != 2 || !isBool(get.Results().At(1).Type()) ||
		!crossing(get.Params().At(0).Type()) || !crossing(get.Results().At(0).Type()) {
		return false
	}
	k, v := get.Params().At(0).Type(), get.Results().At(0).Type()
	isKey := func(sig *types.Signature, params int) bool {
		return sig != nil && !sig.Variadic() && sig.Params().Len() == params && types.Identical(sig.Params().At(0).Type(), k)
	}
	set, put := first(find, "Set", "Put", "Store", "Add")
	hasSet := isKey(set, 2) && types.Identical(set.Params().At(1).Type(), v)
	keys := find("Keys")
	isIndex := k.String() == "int" && keys == nil
	if !hasSet && keys == nil && !isIndex {
		return false // Get is about something else
	}
	key, value, missing := d.text(k), d.text(v), `selfsame.Errorf("KeyError", "%%v", key)`
	if isIndex {
		missing = `selfsame.Errorf("IndexError", "index %%v is out of range", key)`
	}
	add("__getitem__", "The value of a key, as the method "+pythonName(got)+" returns it.",
		", key %s) (%s, error) {\n%svalue, ok := o.Go().%s(key)\nif !ok {\nreturn value, "+missing+"\n}\nreturn value, nil\n}", key, value, lock, got)
	if hasSet {
		failure, give := "", ""
		if n := set.Results().Len(); n == 1 && isError(set.Results().At(0).Type()) {
			failure, give = " error", "return "
		}
		add("__setitem__", "Sets the value of a key, as the method "+pythonName(put)+" does.",
			", key %s, value %s)%s {\n%s%so.Go().%s(key, value)\n}", key, value, failure, lock, give, put)
	}
	if isIndex {
		return false
	}
	if remove, del := first(find, "Delete", "Remove"); hasSet && isKey(remove, 1) {
		add("__delitem__", "Removes a key, as the method "+pythonName(del)+" does.",
			", key %s) error {\n%sif _, ok := o.Go().%s(key); !ok {\nreturn "+missing+"\n}\no.Go().%s(key)\nreturn nil\n}", key, lock, got, del)
	}
	if !slices.Contains(memberNames(c), "__contains__") {
		add("__contains__", "Whether a key is in it.", ", key %s) bool {\n%s_, ok := o.Go().%s(key)\nreturn ok\n}", key, lock, got)
	}
	return true
}

// first returns the signature and the name of the first method that there is.
func first(find finder, names ...string) (*types.Signature, string) {
	for _, name := range names {
		if sig := find(name); sig != nil {
			return sig, name
		}
	}
	return nil, ""
}

// elements adds __iter__ for a linked list, whose first element leads to the next one.
func (d *Decider) elements(c *Class, find finder, add adder) {
	sig, name := first(find, "Front", "First")
	if sig == nil || sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return
	}
	p, ok := types.Unalias(sig.Results().At(0).Type()).(*types.Pointer)
	if !ok || types.Identical(p.Elem(), c.Type) || d.crosses(p) != nil {
		return
	}
	next, _, _ := types.LookupFieldOrMethod(p, true, c.Named.Obj().Pkg(), "Next")
	f, ok := next.(*types.Func)
	if !ok || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 1 || !types.Identical(f.Signature().Results().At(0).Type(), p) {
		return
	}
	text := d.text(p)
	add("__iter__", "The elements, from that of the method "+pythonName(name)+" on.",
		") %s.Seq[%s] {\ng := o.Go()\nlocked := func(step func() %s) %s {\ndefer selfsame.LockAll(g).Unlock()\nreturn step()\n}\n"+
			"return func(yield func(%s) bool) {\nfor e := locked(g.%s); e != nil; {\nnext := locked(e.Next)\nif !yield(e) {\nreturn\n}\ne = next\n}\n}\n}",
		d.plan.Imports.Name(iterPackage), text, text, text, text, name)
}
