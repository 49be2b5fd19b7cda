package decide

import (
	"fmt"
	"go/types"
	"strings"
)

// special adds Python's special methods to a class, for those Go methods that mean the same. Each keeps its own name too.
func (d *Decider) special(c *Class) {
	methods := methodsOf(c)
	find := func(name string) *types.Signature {
		if s := methods.Lookup(c.Named.Obj().Pkg(), name); s != nil && s.Obj().Exported() && !d.rules.Omits(c.Named.Obj().Name()+"."+name) {
			if sig, ok := s.Type().(*types.Signature); ok && sig.TypeParams().Len() == 0 {
				return sig
			}
		}
		return nil
	}
	add := func(python, doc, code string, args ...any) {
		c.Members = append(c.Members, &Item{
			ID: c.Named.Obj().Name() + "." + python, Python: python,
			Code: fmt.Sprintf("selfsame.Method(%q, func(o *%s", python, c.Go) + fmt.Sprintf(code, args...) + fmt.Sprintf(", %q)", doc),
		})
	}
	lock := "defer o.Lock().Unlock()\n"
	if sig := find("String"); isFunction(sig, "", "string") {
		add("__str__", "The text of the method string.", ") string {\n%sreturn o.Go().String()\n}", lock)
	} else if sig := find("Error"); isFunction(sig, "", "string") {
		add("__str__", "The text of the error.", ") string {\n%sreturn o.Go().Error()\n}", lock)
	}
	length := d.length(c, find, add, lock)
	if sig := find("Close"); isFunction(sig, "", "error") || isFunction(sig, "", "") {
		if sig.Results().Len() == 0 {
			add("__exit__", "Closes the object.", ") {\n%so.Go().Close()\n}", lock)
		} else {
			add("__exit__", "Closes the object.", ") error {\n%sreturn o.Go().Close()\n}", lock)
		}
	}
	equal := d.equality(c, find, add)
	d.basic(c, add, equal)
	_, basic := c.Named.Underlying().(*types.Basic)
	_, array := c.Named.Underlying().(*types.Array) // of bytes mostly, as a hash is
	if c.Kind == Pointer && (c.ByValue || array) && !equal && !basic && types.Comparable(c.Type) {
		add("__eq__", "Whether both values are equal.", ", x %s) bool { return *o.Go() == x }", c.GoType)
		add("__hash__", "The hash of the value.", ") int64 { return selfsame.HashOf(*o.Go()) }")
	}
	d.contains(c, find, add, lock, length)
	if a, ok := c.Named.Underlying().(*types.Array); ok && c.Kind == Pointer && isByte(a.Elem()) {
		add("__bytes__", "The bytes.", ") []byte {\n%svalue := *o.Go()\nreturn value[:]\n}", lock)
	}
	if c.Kind == Pointer && !basic && c.ByValue && c.Has("__str__") {
		name := c.Key[strings.LastIndexByte(c.Key, '.')+1:]
		text := map[bool]string{true: "String", false: "Error"}[find("String") != nil]
		add("__repr__", "The class and the text.", ") string {\n%sreturn %q + o.Go().%s() + \">\"\n}", lock, "<"+name+" ", text)
	}
	if sig, ok := c.Named.Underlying().(*types.Signature); ok && c.Kind == Pointer {
		d.called(c, sig)
	}
	d.items(c, find, add, lock, length)
	isDict := !c.Has("__getitem__") && d.lookUp(c, find, add, lock)
	d.iteration(c, find, add, lock, isDict)
	if !c.Has("__iter__") {
		d.elements(c, find, add)
	}
	d.stepping(c, find, add)
}

// methodsOf returns the methods of the Go values of a class.
func methodsOf(c *Class) *types.MethodSet {
	if c.Kind == Pointer {
		return types.NewMethodSet(types.NewPointer(c.Type))
	}
	return types.NewMethodSet(c.Type)
}

// called makes the objects of a func type callable.
func (d *Decider) called(c *Class, sig *types.Signature) {
	d.owner = c.Go
	made, err := d.callable(sig, "(*o.Go())", c.Go)
	if err != nil {
		return
	}
	c.Members = append(c.Members, &Item{
		ID: c.Named.Obj().Name() + ".__call__", Python: "__call__", Decl: made.decl,
		Code: fmt.Sprintf("selfsame.Method(\"__call__\", %s, \"Calls the func.\"%s)", made.code, made.argNames()),
	})
}

func isByte(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// isFunction says whether a signature has the parameter and the result of these basic types; "" for none.
func isFunction(sig *types.Signature, param, result string) bool {
	if sig == nil || sig.Variadic() {
		return false
	}
	is := func(list *types.Tuple, name string) bool {
		if name == "" {
			return list.Len() == 0
		}
		return list.Len() == 1 && list.At(0).Type().String() == name
	}
	return is(sig.Params(), param) && is(sig.Results(), result)
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

func isInteger(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

type (
	finder = func(name string) *types.Signature
	adder  = func(python, doc, code string, args ...any)
)

// length adds __len__ and returns the Go expression of the length, "" without one.
func (d *Decider) length(c *Class, find finder, add adder, lock string) string {
	expression := ""
	for _, noun := range []string{"Len", "Cardinality", "Size", "Count"} {
		name, sig := noun, find(noun)
		if sig == nil {
			name, sig = "Get"+noun, find("Get"+noun)
		}
		if noun == "Size" && find("Empty") == nil && find("IsEmpty") == nil {
			continue // of what has no elements it is a number of bytes
		}
		if noun == "Count" && find("Keys") == nil {
			continue
		}
		if sig != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && isInteger(sig.Results().At(0).Type()) {
			expression = "int(o.Go()." + name + "())"
			break
		}
	}
	switch c.Named.Underlying().(type) {
	case *types.Slice, *types.Map:
		if expression == "" && c.Kind == Pointer {
			expression = "len(*o.Go())"
		}
	case *types.Array:
		if a, _ := c.Named.Underlying().(*types.Array); expression == "" && c.Kind == Pointer && !isByte(a.Elem()) {
			expression = "len(*o.Go())"
		}
	}
	if expression != "" {
		add("__len__", "The number of elements.", ") int {\n%sreturn %s\n}", lock, expression)
	}
	return expression
}

// contains adds __contains__ for a method Contains or Has of one value. Where neither is, one that has the type of the value in its name
// serves, as ContainsInt, if there are elements. A map has the keys.
func (d *Decider) contains(c *Class, find finder, add adder, lock, length string) {
	if _, isMap := c.Named.Underlying().(*types.Map); isMap && c.Kind == Pointer {
		return
	}
	for _, name := range []string{"Contains", "Has", "ContainsInt", "ContainsString"} {
		sig := find(name)
		if sig == nil || sig.Params().Len() != 1 || sig.Variadic() || sig.Results().Len() != 1 || !isBool(sig.Results().At(0).Type()) {
			continue
		}
		x := sig.Params().At(0).Type()
		typed, isTyped := strings.CutPrefix(name, "Contains")
		if isTyped && typed != "" && (x.String() != strings.ToLower(typed) || c.Kind != Interface && length == "") || d.crosses(x) != nil {
			continue
		}
		add("__contains__", "Whether a value is in it, as the method "+pythonName(name)+" says.", ", x %s) bool {\n%sreturn o.Go().%s(x)\n}",
			d.text(x), lock, name)
		return
	}
}

// equality adds the comparisons, and says whether there is an __eq__.
func (d *Decider) equality(c *Class, find finder, add adder) bool {
	own := func(t types.Type) bool {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		return types.Identical(t, c.Type)
	}
	equal := false
	for _, name := range []string{"Equal", "Equals"} {
		sig := find(name)
		if sig == nil || sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 || !isBool(sig.Results().At(0).Type()) {
			continue
		}
		p := sig.Params().At(0).Type()
		if iface, ok := p.Underlying().(*types.Interface); ok && iface.Empty() && c.Kind == Pointer { // Equals(any)
			add("__eq__", "Whether both are equal, as the method "+pythonName(name)+" says.",
				", x *%s) bool {\ndefer o.Lock(x).Unlock()\nreturn o.Go().%s(x)\n}", c.GoType, name)
			return true
		}
		if own(p) && d.crosses(p) == nil {
			add("__eq__", "Whether both are equal, as the method "+pythonName(name)+" says.",
				", x %s) bool {\ndefer o.Lock(x).Unlock()\nreturn o.Go().%s(x)\n}", d.text(p), name)
			equal = true
			break
		}
	}
	for _, name := range []string{"Compare", "Cmp"} {
		sig := find(name)
		if sig == nil || sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 || sig.Results().At(0).Type().String() != "int" ||
			!own(sig.Params().At(0).Type()) {
			continue
		}
		for _, operator := range [][2]string{{"__lt__", "< 0"}, {"__le__", "<= 0"}, {"__gt__", "> 0"}, {"__ge__", ">= 0"}} {
			add(operator[0], "Compares as the method "+pythonName(name)+" does.",
				", x %s) bool {\ndefer o.Lock(x).Unlock()\nreturn o.Go().%s(x) %s\n}", d.text(sig.Params().At(0).Type()), name, operator[1])
		}
		if _, basic := c.Named.Underlying().(*types.Basic); !equal && !basic && !(c.ByValue && types.Comparable(c.Type)) {
			add("__eq__", "Whether the method "+pythonName(name)+" finds no difference.",
				", x %s) bool {\ndefer o.Lock(x).Unlock()\nreturn o.Go().%s(x) == 0\n}", d.text(sig.Params().At(0).Type()), name)
			equal = true
		}
		break
	}
	return equal
}

// basic adds what values of numbers and texts have.
func (d *Decider) basic(c *Class, add adder, equal bool) {
	b, ok := c.Named.Underlying().(*types.Basic)
	if !ok || c.Kind != Pointer {
		return
	}
	name := b.Name()
	add("__eq__", "Whether both values are equal.", ", x %s) bool { return *o.Go() == x }", c.GoType)
	if equal { // the method of the type goes before
		c.Members = c.Members[:len(c.Members)-1]
	}
	property := func(python, doc, code string) {
		c.Members = append(c.Members, &Item{ID: c.Named.Obj().Name() + "." + python, Python: c.scope.take(python), Code: code + fmt.Sprintf(", nil, %q)", doc)})
	}
	property("value", "The plain value.", fmt.Sprintf("selfsame.Property(\"value\", func(o *%s) %s { return %s(*o.Go()) }", c.Go, name, name))
	switch {
	case b.Info()&(types.IsInteger|types.IsFloat) != 0:
		d.number(c, b, add)
	case b.Info()&types.IsBoolean != 0:
		add("__bool__", "The value.", ") bool { return bool(*o.Go()) }")
	case b.Info()&types.IsString != 0:
		add("__bool__", "Whether the text is not empty.", ") bool { return *o.Go() != \"\" }")
		if !c.Has("__str__") {
			add("__str__", "The value.", ") string { return string(*o.Go()) }")
		}
		add("__hash__", "The hash of the value.",
			") int64 {\nh := uint64(14695981039346656037)\nfor _, b := range []byte(*o.Go()) {\nh = (h ^ uint64(b)) * 1099511628211\n}\nreturn int64(h >> 2)\n}")
	}
	add("__repr__", "The class and the plain value, as code writes it.", ") string { return selfsame.ReprOf(%q, %s(*o.Go())) }",
		c.Key[strings.LastIndexByte(c.Key, '.')+1:], name)
}

// items adds __getitem__ for a class with a length and a method At or Get of an index, and more for a slice or map type.
func (d *Decider) items(c *Class, find finder, add adder, lock, length string) {
	switch u := c.Named.Underlying().(type) {
	case *types.Slice:
		if c.Kind == Pointer {
			d.sliceItems(c, u.Elem(), add, lock)
		}
		return
	case *types.Array:
		if c.Kind == Pointer && !isByte(u.Elem()) {
			d.sliceItems(c, u.Elem(), add, lock)
		}
		return
	case *types.Map:
		if c.Kind == Pointer {
			d.mapItems(u, find, add, lock)
		}
		return
	}
	if length == "" {
		return
	}
	for _, name := range []string{"At", "Get", "Index"} {
		sig := find(name)
		if sig != nil && !sig.Variadic() && sig.Params().Len() == 1 && sig.Params().At(0).Type().String() == "int" && sig.Results().Len() == 1 &&
			d.crosses(sig.Results().At(0).Type()) == nil && !isError(sig.Results().At(0).Type()) {
			result := d.text(sig.Results().At(0).Type())
			add("__getitem__", "The element at an index.", ", i int) (%s, error) {\n%sif i < 0 || i >= %s {\nreturn *new(%s), "+
				"selfsame.Errorf(\"IndexError\", \"index %%d is out of range\", i)\n}\nreturn o.Go().%s(i), nil\n}", result, lock, length, result, name)
			return
		}
	}
}

// iteration adds __iter__ for a method All or Values that returns an iterator, or ToArray or Slice. A dict has its keys.
func (d *Decider) iteration(c *Class, find finder, add adder, lock string, isDict bool) {
	if c.Has("__iter__") {
		return
	}
	names := []string{"All", "Values", "Iter", "ToArray", "Slice", "ToSlice", "Keys"}
	if isDict {
		names = []string{"Keys", "All"}
	}
	for _, name := range names {
		sig := find(name)
		if sig == nil || sig.Params().Len() != 0 || sig.Results().Len() != 1 {
			continue
		}
		t := sig.Results().At(0).Type()
		_, isSlice := t.Underlying().(*types.Slice)
		n, isNamed := types.Unalias(t).(*types.Named)
		isSeq := isNamed && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "iter"
		if (isSlice || isSeq) && d.crosses(t) == nil {
			add("__iter__", "The elements, as the method "+pythonName(name)+" returns them.", ") %s {\n%sreturn o.Go().%s()\n}", d.text(t), lock, name)
			return
		}
	}
}

// operators adds | & ^ - for package funcs Or, And, Xor and AndNot of two objects of a class that return a third.
func (d *Decider) operators() {
	names := [][2]string{{"And", "__and__"}, {"AndNot", "__sub__"}, {"Or", "__or__"}, {"Xor", "__xor__"}, {"Intersection", "__and__"}, {"Union", "__or__"}}
	for _, p := range d.world.Packages {
		for _, operator := range names {
			goName, python := operator[0], operator[1]
			f, ok := p.Types.Scope().Lookup(goName).(*types.Func)
			if !ok || f.Signature().Variadic() || f.Signature().Params().Len() != 2 || f.Signature().TypeParams().Len() > 0 {
				continue
			}
			sig := f.Signature()
			c, k := d.made(f)
			if c == nil || k.fails || k.value || !types.Identical(sig.Params().At(0).Type(), sig.Results().At(0).Type()) ||
				!types.Identical(sig.Params().At(1).Type(), sig.Results().At(0).Type()) || c.Has(python) {
				continue
			}
			text := d.text(sig.Results().At(0).Type())
			c.Members = append(c.Members, &Item{
				ID: c.Named.Obj().Name() + "." + python, Python: python,
				Code: fmt.Sprintf("selfsame.Method(%q, func(o *%s, x %s) %s {\ndefer o.Lock(x).Unlock()\nreturn %s.%s(o.Go(), x)\n}, %q)",
					python, c.Go, text, text, d.plan.Imports.Name(p.Types), goName, "As the func "+pythonName(goName)+"."),
			})
		}
	}
}
