package decide

import (
	"go/types"
	"regexp"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// stepping adds __iter__ for an object that is asked for one value after another, in one of two ways. A method Next,
// Read, Recv or of a name that reader finds returns the value, and an error that is io.EOF at the end, or whether there
// is a value; nil without an error is the end too. Or HasNext says whether there is a value, and Next returns it. Or Next or Scan says whether there is a value, and another method returns it; then the error that a
// method Err returns at the end is raised. With Columns and Scan, as the rows of a database have them, the value is a
// list.
func (s *special) stepping() {
	if s.Has("__iter__") {
		return
	}
	name := ""
	for _, one := range []string{"Next", "Scan", "Read", "Recv"} {
		if sig := s.find(one); sig != nil && sig.Params().Len() == 0 && (one == "Next" || one == "Scan" || s.returnsStep(sig)) {
			name = one
			break
		}
	}
	if name == "" {
		name = s.reader()
	}
	next := s.find(name)
	if next == nil {
		return
	}
	results := next.Results()
	step := func(o form.Operation) {
		o.Go, o.Waits = name, s.waits(name)
		s.add("__iter__", "The values in turn, as the method "+pythonName(name)+" gives them.", o)
	}
	if more, asked := s.first("HasNext", "HasMore"); name == "Next" && isFunction(more, "", "bool") && s.isNext(results) {
		step(form.Operation{Op: form.StepsIfMore, By: asked, Value: results.At(0).Type(), Fails: results.Len() == 2})
		return
	}
	if s.steps(name, next) || results.Len() != 1 || !isBool(results.At(0).Type()) {
		return
	}
	fails := isFunction(s.find("Err"), "", "error")
	if columns := s.find("Columns"); columns != nil && scans("Scan", s.find("Scan")) && fails && s.returnsStep(columns) {
		step(form.Operation{Op: form.StepsRows, Value: types.NewSlice(anything)})
		return
	}
	for _, of := range []string{"Value", "Item", "Current", "Node", "Text", "Str", "Record", "Row", "Edge", "Entry"} {
		if sig := s.find(of); sig != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && s.isElement(sig.Results().At(0).Type()) {
			step(form.Operation{Op: form.StepsThen, By: of, Value: sig.Results().At(0).Type(), Fails: fails})
			return
		}
	}
}

// steps adds __iter__ for a method that gives a value with an error or with whether there is one, and says whether it does. Without a name
// it is the func that the type stands for.
func (s *special) steps(name string, next *types.Signature) bool {
	results := next.Results()
	if results.Len() != 2 || next.Params().Len() > 0 || !s.isElement(results.At(0).Type()) {
		return false
	}
	step := form.Operation{Go: name, Value: results.At(0).Type(), Waits: s.waits(name)}
	switch {
	case s.returnsStep(next) && (name == "" || s.ends(name)):
		step.Op, step.NilEnds = form.StepsUntilEOF, canBeNil(step.Value)
	case isFound(results.At(1)):
		step.Op = form.StepsWhileFound
	default:
		return false
	}
	doc := "The values in turn, as calls give them."
	if name != "" {
		doc = "The values in turn, as the method " + pythonName(name) + " gives them."
	}
	s.add("__iter__", doc, step)
	return true
}

// ends says whether something shows that a method has no further value at some time: its comment speaks of EOF, or its body shows it. An
// interface has no body: there the name says so, but for Read, which may read the same each time.
func (s *special) ends(name string) bool {
	f, ok := s.methods.Lookup(s.Named.Obj().Pkg(), name).Obj().(*types.Func)
	if !ok || f.Pkg() == nil || types.IsInterface(s.Named) && name != "Read" {
		return true
	}
	receiver, method := declaredAs(f)
	return endOfFile.MatchString(s.doc(f.Pkg(), declaredName(f))) || !types.IsInterface(s.Named) && s.bodies.Ends(f.Pkg().Path(), receiver, method)
}

// waits says whether a method may wait for something from outside. What has no body to look at may.
func (s *special) waits(name string) bool {
	if name == "" || types.IsInterface(s.Named) {
		return true
	}
	f, ok := s.methods.Lookup(s.Named.Obj().Pkg(), name).Obj().(*types.Func)
	if !ok || f.Pkg() == nil {
		return true
	}
	receiver, method := declaredAs(f)
	return s.bodies.WaitsForInput(f.Pkg().Path(), receiver, method)
}

// isNext says whether the results of a method are an element, and maybe an error.
func (s *special) isNext(results *types.Tuple) bool {
	return results.Len() > 0 && results.Len() <= 2 && s.isElement(results.At(0).Type()) && (results.Len() == 1 || isError(results.At(1).Type()))
}

// returnsStep says whether a method returns a value that crosses and an error, and takes nothing.
func (d *Decider) returnsStep(sig *types.Signature) bool {
	results := sig.Results()
	return sig.Params().Len() == 0 && results.Len() == 2 && isError(results.At(1).Type()) && !isError(results.At(0).Type()) &&
		d.crosses(results.At(0).Type()) == nil
}

// canBeNil says whether nil of a type is no element: a pointer, an interface or a func. A nil slice may be an empty one.
func canBeNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// reader returns the name of a method such as NextPart, RecvMsg or ReadRecord that returns a value and an error: the shortest, as
// NextPart beside NextRawPart; "" if there is none. The comment of a ReadX or a Token must speak of EOF, since it may read something that
// is there once. What fills bytes is a file, whose values are no steps.
func (s *special) reader() string {
	if sig := s.find("Read"); sig != nil && reads("Read", sig) {
		return ""
	}
	found := ""
	for selection := range s.methods.Methods() {
		f, ok := selection.Obj().(*types.Func)
		if !ok || !stepName.MatchString(f.Name()) || strings.HasPrefix(f.Name(), "ReadAll") {
			continue
		}
		sig := s.find(f.Name())
		if sig == nil || !s.returnsStep(sig) || !mustStep.MatchString(f.Name()) && !endOfFile.MatchString(s.methodDoc(f, s.Class, nil)) {
			continue
		}
		if found == "" || len(f.Name()) < len(found) {
			found = f.Name()
		}
	}
	return found
}

var (
	stepName = regexp.MustCompile(`^(Next|Recv|Read)[A-Z]|^Token$`)
	mustStep = regexp.MustCompile(`^(Next|Recv)`)
	// isStep finds the names of func types whose calls give one value after another.
	isStep    = regexp.MustCompile(`Next|Iter|Cursor|Generator`)
	endOfFile = regexp.MustCompile(`\bEOF\b`)
)
