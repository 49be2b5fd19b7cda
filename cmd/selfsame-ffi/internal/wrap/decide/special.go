package decide

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/effects"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// special decides Python's special methods of one class, for those Go methods that mean the same. Each keeps its own name too.
type special struct {
	*Decider
	*form.Class
	methods *types.MethodSet
	length  string // the Go method that measures, "" for the length of the value itself
	sized   bool   // there is a length
}

// special adds the special methods to a class.
func (d *Decider) special(c *form.Class) {
	s := &special{Decider: d, Class: c, methods: methodsOf(c)}
	if isFunction(s.find("String"), "", "string") {
		s.add("__str__", "The text.", form.Operation{Op: form.Calls, Go: "String", Value: types.Typ[types.String]})
	} else if sig, name := s.first("ToString", "Display"); isFunction(sig, "", "string") {
		s.add("__str__", "The text, as the method "+pythonName(name)+" returns it.", form.Operation{Op: form.Calls, Go: name, Value: types.Typ[types.String]})
	} else if isFunction(s.find("Error"), "", "string") {
		s.add("__str__", "The text of the error.", form.Operation{Op: form.Calls, Go: "Error", Value: types.Typ[types.String]})
	}
	if c.Enum != nil {
		return // it has what enums have
	}
	s.measure()
	if sig, name := s.first("Close", "Release"); isFunction(sig, "", "error") || isFunction(sig, "", "") {
		s.add("__exit__", strings.TrimSuffix(name, "e")+"es the object.", form.Operation{Op: form.Closes, Go: name, Fails: sig.Results().Len() > 0})
	}
	equal := s.equality()
	s.basic(equal)
	_, basic := c.Named.Underlying().(*types.Basic)
	array, isArray := c.Named.Underlying().(*types.Array) // of bytes mostly, as a hash is
	byValue := false
	isValue := c.ByValue || isArray || isClosed(c.Named) && d.isUnchanged(c.Named)
	if c.Kind == form.Pointer && isValue && !equal && !basic && types.Comparable(c.Named) {
		s.add("__eq__", "Whether both values are equal.", form.Operation{Op: form.ComparesValue, Token: token.EQL})
		byValue = true
	}
	s.arithmetic()
	s.combining()
	byValue = byValue || equal && isValue && types.Comparable(c.Named) && s.comparesAsGo()
	if byValue && !(c.Has("__add__") && c.Has("__float__")) { // Python makes the hash of a number
		s.add("__hash__", "The hash of the value.", form.Operation{Op: form.Hashes})
	}
	isPlainValue := isStruct(c.Named) && c.Kind == form.Pointer && c.ByValue && isData(c.Named, map[types.Type]bool{})
	if isPlainValue && !c.Has("__eq__") && !types.Comparable(c.Named) {
		s.add("__eq__", "Whether both values are equal.", form.Operation{Op: form.EqualsParts})
		s.add("__hash__", "The hash of the value.", form.Operation{Op: form.HashesParts})
	}
	if isStruct(c.Named) && c.Kind == form.Pointer && s.methods.Len() == 0 && !c.Has("__eq__") && d.couldBePart(c.Named, map[*types.Named]bool{}) {
		s.add("__eq__", "Whether all fields are equal.", form.Operation{Op: form.EqualsParts})
		if types.Comparable(c.Named) {
			s.add("__hash__", "The hash of all fields.", form.Operation{Op: form.Hashes})
		}
	}
	if c.Has("__eq__") && c.Has("__lt__") && !c.Has("__hash__") && !c.Has("__float__") && isClosed(c.Named) {
		s.add("__hash__", "The hash of the type: the method that compares tells alone what is equal.", form.Operation{Op: form.HashesType})
	}
	s.contains()
	slice, isSlice := c.Named.Underlying().(*types.Slice)
	if c.Kind == form.Pointer && (isArray && isByte(array.Elem()) || isSlice && isByte(slice.Elem())) {
		s.add("__bytes__", "The bytes.", form.Operation{Op: form.AllBytes})
	}
	if isSlice && c.Kind == form.Pointer && isByte(slice.Elem()) {
		if !c.Has("__eq__") {
			s.add("__eq__", "Whether the bytes are equal.", form.Operation{Op: form.EqualsBytes})
		}
		s.add("__getitem__", "The byte at an index.", form.Operation{Op: form.GetsElement, Value: slice.Elem()})
	}
	if c.Kind == form.Pointer && !basic && c.ByValue && c.Has("__str__") {
		text := map[bool]string{true: "String", false: "Error"}[s.find("String") != nil]
		s.add("__repr__", "The class and the text.", form.Operation{Op: form.TextInBrackets, Go: text})
	}
	if sig, ok := c.Named.Underlying().(*types.Signature); ok && c.Kind == form.Pointer {
		d.called(c, sig)
		if isStep.MatchString(c.Named.Obj().Name()) {
			s.steps("", sig)
		}
	}
	if c.Kind == form.Pointer && c.Has("__str__") && !c.Has("__float__") { // a value, and no source of random numbers
		s.converted("__float__", "float64", "Float64", "Float")
	}
	s.items()
	if s.hasItems() {
		return
	}
	isDict := !c.Has("__getitem__") && s.lookUp()
	s.iteration(isDict)
	s.each()
	s.elements(isDict)
	s.stepping()
	s.onlyLoop(isDict)
	c.Abstract = s.abstract()
	if c.Has("__getitem__") && !c.Has("__iter__") && !c.Has("__len__") {
		s.counted()
	}
}

// find returns the signature of a method, nil for one that there is not, is generic or is left out.
func (s *special) find(name string) *types.Signature {
	m := s.methods.Lookup(s.Named.Obj().Pkg(), name)
	if m == nil || !m.Obj().Exported() || s.rules.Omits(s.Named.Obj().Name()+"."+name) {
		return nil
	}
	sig, ok := m.Type().(*types.Signature)
	if !ok || sig.TypeParams().Len() > 0 {
		return nil
	}
	return sig
}

// first returns the signature and the name of the first method that there is.
func (s *special) first(names ...string) (*types.Signature, string) {
	for _, name := range names {
		if sig := s.find(name); sig != nil {
			return sig, name
		}
	}
	return nil, ""
}

// add adds a special method.
func (s *special) add(python, doc string, o form.Operation) {
	o.Of = s.Class
	s.Members = append(s.Members, &form.Item{ID: s.Named.Obj().Name() + "." + python, Python: python, Doc: doc, Form: &o})
}

// methodsOf returns the methods of the Go values of a class.
func methodsOf(c *form.Class) *types.MethodSet {
	if c.Kind == form.Pointer {
		return types.NewMethodSet(types.NewPointer(c.Named))
	}
	return types.NewMethodSet(c.Named)
}

// called makes the objects of a func type callable.
func (d *Decider) called(c *form.Class, sig *types.Signature) {
	d.owner = c.Go
	if call, err := d.call(nil, instance{sig: sig}, c); err == nil {
		c.Members = append(c.Members, &form.Item{
			ID: c.Named.Obj().Name() + ".__call__", Python: "__call__", Doc: "Calls the function.", Form: call,
		})
	}
}

func isByte(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// isArrayOfBytes says whether values of a type are bytes of one number, as those of an identifier.
func isArrayOfBytes(n *types.Named) bool {
	array, is := n.Underlying().(*types.Array)
	return is && isByte(array.Elem())
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

// returnsOne says whether a signature has this number of parameters, none of them variadic, and one result.
func returnsOne(sig *types.Signature, params int) bool {
	return sig != nil && !sig.Variadic() && sig.Params().Len() == params && sig.Results().Len() == 1
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

func isInteger(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// measure adds __len__. A set counts what is in it, where its length may be another number, as that of its bits.
func (s *special) measure() {
	nouns := []string{"Len", "Cardinality", "Size", "Length", "Count"}
	if s.isNamedSet() {
		nouns = []string{"Cardinality", "Count", "Len", "Size", "Length"}
	}
	for _, noun := range nouns {
		sig, name := s.first(noun, "Get"+noun)
		if noun != "Len" && noun != "Cardinality" && !s.hasElements() {
			continue // of what has no elements it is a number of bytes, or of something else
		}
		if returnsOne(sig, 0) && isInteger(sig.Results().At(0).Type()) {
			s.length, s.sized = name, true
			break
		}
	}
	if s.Kind == form.Pointer {
		switch u := s.Named.Underlying().(type) {
		case *types.Slice, *types.Map:
			s.sized = true
		case *types.Array:
			s.sized = s.sized || !isByte(u.Elem())
		}
	}
	if s.sized && !s.hasItems() {
		s.add("__len__", "The number of elements.", form.Operation{Op: form.Measures, Length: s.length})
	}
}

// hasElements says whether other methods of a type show that it has elements: one that says whether it is empty, one that gives all of
// them or the one at an index, and one that is called with each.
func (s *special) hasElements() bool {
	if sig, _ := s.first("Empty", "IsEmpty"); isFunction(sig, "", "bool") || s.atIndex() != "" || s.eachOf() != nil {
		return true
	}
	if sig, _ := s.first("Contains", "Has", "Lookup"); returnsOne(sig, 1) && isBool(sig.Results().At(0).Type()) && s.gathers(sig.Params().At(0).Type()) {
		return true
	}
	for _, name := range s.loops() {
		if sig := s.find(name); returnsOne(sig, 0) && loopElement(sig.Results().At(0).Type()) != types.Typ[types.Invalid] {
			return true
		}
	}
	return false
}

// isNamedSet says whether the name of a type says that it is a set.
func (s *special) isNamedSet() bool {
	name := s.Named.Obj().Name()
	return strings.HasSuffix(name, "Set") || strings.HasSuffix(name, "Bitmap")
}

// contains adds __contains__ for a method Contains or Has of one value, or of any number. Where neither is, one that has the type of the
// value in its name serves, as ContainsInt, if there are elements, or Test of a bit. A map has the keys.
func (s *special) contains() {
	if _, isMap := s.Named.Underlying().(*types.Map); isMap && s.Kind == form.Pointer {
		return
	}
	for _, name := range []string{"Contains", "Has", "ContainsInt", "ContainsString", "Test", "Lookup", "MayContain"} {
		sig := s.find(name)
		if sig == nil || sig.Params().Len() != 1 || sig.Results().Len() != 1 || !isBool(sig.Results().At(0).Type()) {
			continue
		}
		x := sig.Params().At(0).Type()
		if sig.Variadic() {
			x = x.(*types.Slice).Elem()
		}
		if name == "Test" && !s.hasBits(x) && !s.gathers(x) || name == "Lookup" && !s.gathers(x) {
			continue
		}
		typed, isTyped := strings.CutPrefix(name, "Contains")
		if isTyped && typed != "" && (x.String() != strings.ToLower(typed) || s.Kind != form.Interface && !s.sized) || s.crosses(x) != nil {
			continue
		}
		s.add("__contains__", "Whether a value is in it, as the method "+pythonName(name)+" says.", form.Operation{Op: form.Contains, Go: name, Key: x})
		return
	}
}

// gathers says whether methods put values of a type in and take them out again, or all of them, as those of a filter.
func (s *special) gathers(value types.Type) bool {
	puts := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return s.takes(s.find(name), value) })
	}
	return puts("Insert", "Add", "Put") && (puts("Delete", "Remove", "TestAndAdd", "TestOrAdd") || s.takes(s.find("Reset")) || s.takes(s.find("ClearAll")))
}

// hasBits says whether methods set and clear the bit of a number of a type.
func (s *special) hasBits(number types.Type) bool {
	return isInteger(number) && s.takes(s.find("Set"), number) && s.takes(s.find("Clear"), number)
}

// equality adds the comparisons, and says whether there is an __eq__.
func (s *special) equality() bool {
	equal := false
	for _, name := range []string{"Equal", "Equals"} {
		sig := s.find(name)
		fails := s.answersOrFails(sig)
		if !returnsOne(sig, 1) && !fails || !isBool(sig.Results().At(0).Type()) {
			continue
		}
		p := sig.Params().At(0).Type()
		if iface, ok := p.Underlying().(*types.Interface); ok && iface.Empty() && s.Kind == form.Pointer { // Equals(any)
			p = types.NewPointer(s.Named)
		} else if !s.isOwn(p) || s.crosses(p) != nil {
			continue
		}
		s.add("__eq__", "Whether both are equal, as the method "+pythonName(name)+" says.", form.Operation{Op: form.Equals, Go: name, Key: p, Fails: fails})
		if equal = true; p != sig.Params().At(0).Type() {
			return true
		}
		break
	}
	for _, name := range []string{"Compare", "Cmp"} {
		sig := s.find(name)
		fails := s.answersOrFails(sig)
		if !returnsOne(sig, 1) && !fails || sig.Results().At(0).Type().String() != "int" || !s.isOwn(sig.Params().At(0).Type()) {
			continue
		}
		compares := form.Operation{Op: form.Compares, Go: name, Key: sig.Params().At(0).Type(), Fails: fails}
		for _, operator := range orders {
			compares.Token = operator.token
			s.add(operator.name, "Compares as the method "+pythonName(name)+" does.", compares)
		}
		if _, basic := s.Named.Underlying().(*types.Basic); !equal && !basic && !fails && !((s.ByValue || isArrayOfBytes(s.Named)) && types.Comparable(s.Named)) {
			compares.Token, equal = token.EQL, true
			s.add("__eq__", "Whether the method "+pythonName(name)+" finds no difference.", compares)
		}
		break
	}
	return equal
}

// answersOrFails says whether a signature, which may be nil, has one parameter, and an error behind its result.
func (s *special) answersOrFails(sig *types.Signature) bool {
	return sig != nil && !sig.Variadic() && sig.Params().Len() == 1 && sig.Results().Len() == 2 && isError(sig.Results().At(1).Type())
}

// comparesAsGo says whether the source of the method Equal shows that it finds those values equal that Go's == does.
func (s *special) comparesAsGo() bool {
	_, name := s.first("Equal", "Equals")
	m := s.methods.Lookup(s.Named.Obj().Pkg(), name)
	if m == nil || m.Obj().Pkg() == nil {
		return false
	}
	f, ok := m.Obj().(*types.Func)
	if !ok {
		return false
	}
	receiver, method := declaredAs(f)
	compared := s.bodies.Compared(f.Pkg().Path(), receiver, method)
	var all []string
	switch x := s.Named.Underlying().(type) {
	case *types.Array:
		for i := range x.Len() {
			all = append(all, strconv.FormatInt(i, 10))
		}
	case *types.Struct:
		for field := range x.Fields() {
			all = append(all, field.Name())
		}
	}
	slices.Sort(compared)
	slices.Sort(all)
	return slices.Equal(compared, []string{effects.Whole}) || len(all) > 0 && slices.Equal(compared, all)
}

// isOwn says whether a type, which may be nil, is that of the class, or a pointer to it.
func (s *special) isOwn(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Identical(t, s.Named)
}

// orders are the special methods of the order of values.
var orders = []struct {
	name  string
	token token.Token
}{{"__lt__", token.LSS}, {"__le__", token.LEQ}, {"__gt__", token.GTR}, {"__ge__", token.GEQ}}

// basic adds what values of numbers and texts have. equal says that a method of the type compares.
func (s *special) basic(equal bool) {
	b, ok := s.Named.Underlying().(*types.Basic)
	if !ok || s.Kind != form.Pointer {
		return
	}
	if !equal {
		s.add("__eq__", "Whether both values are equal.", form.Operation{Op: form.ComparesValue, Token: token.EQL})
	}
	s.add(s.Names.Take("value"), "The plain value.", form.Operation{Op: form.Plain, Value: b})
	switch {
	case b.Info()&(types.IsInteger|types.IsFloat) != 0:
		s.number(b)
	case b.Info()&types.IsBoolean != 0:
		s.add("__bool__", "The value.", form.Operation{Op: form.Converts, Value: b})
	case b.Info()&types.IsString != 0:
		s.add("__bool__", "Whether the text is not empty.", form.Operation{Op: form.IsNotEmpty})
		if !s.Has("__str__") {
			s.add("__str__", "The value.", form.Operation{Op: form.Converts, Value: b})
		}
		s.add("__hash__", "The hash of the value.", form.Operation{Op: form.HashesText})
	}
	s.add("__repr__", "The class and the plain value, as code writes it.", form.Operation{Op: form.TextAsCode, Value: b})
}

// number adds the operators with which Go code joins flags and calculates with values of a number type. Their results are of the
// type, as in Go. Division of whole numbers is left out, because Go and Python round it differently.
func (s *special) number(b *types.Basic) {
	s.add("__bool__", "Whether the value is not 0.", form.Operation{Op: form.IsNotZero})
	s.add("__hash__", "The hash of the value.", form.Operation{Op: form.HashesNumber})
	binary := func(name, doc string, o form.Operation) {
		s.add("__"+name+"__", doc, o)
		o.Swapped = true
		s.add("__r"+name+"__", doc, o)
	}
	if b.Info()&types.IsInteger != 0 {
		s.add("__int__", "The value.", form.Operation{Op: form.Converts, Value: b})
		s.add("__index__", "The value.", form.Operation{Op: form.Converts, Value: b})
		s.add("__invert__", "The value with each bit turned over.", form.Operation{Op: form.Inverts})
		binary("or", "The bits that are in one of the values.", form.Operation{Op: form.Bits, Token: token.OR})
		binary("and", "The bits that are in both the values.", form.Operation{Op: form.Bits, Token: token.AND})
		binary("xor", "The bits that are in exactly one of the values.", form.Operation{Op: form.Bits, Token: token.XOR})
	} else {
		s.add("__float__", "The value.", form.Operation{Op: form.Converts, Value: types.Typ[types.Float64]})
	}
	binary("add", "The sum of both values.", form.Operation{Op: form.Calculates, Token: token.ADD})
	binary("sub", "The difference of both values.", form.Operation{Op: form.Calculates, Token: token.SUB})
	binary("mul", "The product of both values.", form.Operation{Op: form.Calculates, Token: token.MUL})
	if b.Info()&types.IsFloat != 0 {
		binary("truediv", "The quotient of both values.", form.Operation{Op: form.Calculates, Token: token.QUO})
	}
	s.add("__neg__", "The value with the other sign.", form.Operation{Op: form.Negates})
	for _, operator := range orders {
		if !s.Has(operator.name) { // a method of the type goes before
			s.add(operator.name, "Compares the values.", form.Operation{Op: form.ComparesValue, Token: operator.token})
		}
	}
}

// operators adds | & ^ - for package funcs Or, And, Xor and AndNot of two objects of a class that return a third.
func (d *Decider) operators() {
	names := append([][2]string{{"And", "__and__"}, {"AndNot", "__sub__"}, {"Or", "__or__"}, {"Xor", "__xor__"}}, combinations...)
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
			s := &special{Decider: d, Class: c}
			s.add(python, "As the function "+pythonName(goName)+".", form.Operation{Op: form.Joins, Func: f, Key: sig.Results().At(0).Type()})
		}
	}
}
