package decide

import (
	"fmt"
	"go/types"
	"regexp"
	"strings"
)

// stepping adds __iter__ for an object that is asked for one value after another, in one of two ways. A method Next,
// Read, Recv or of a name that reader finds returns the value, and an error that is io.EOF at the end, or whether there
// is a value. Or Next or Scan says whether there is a value, and another method returns it; then the error that a
// method Err returns at the end is raised. With Columns and Scan, as the rows of a database have them, the value is a
// list.
func (d *Decider) stepping(c *Class, find finder, add adder) {
	if strings.Contains(fmt.Sprint(memberNames(c)), "__iter__") {
		return
	}
	name := ""
	for _, one := range []string{"Next", "Scan", "Read", "Recv"} {
		if sig := find(one); sig != nil && sig.Params().Len() == 0 && (one == "Next" || one == "Scan" || d.returnsStep(sig)) {
			name = one
			break
		}
	}
	if name == "" {
		name = d.reader(c, find)
	}
	next := find(name)
	if next == nil {
		return
	}
	results := next.Results()
	iter := d.plan.Imports.Name(iterPackage)
	step := func(t types.Type, body string) {
		text := d.text(t)
		// The loop may outlive the object, so it holds the Go value.
		add("__iter__", "The values in turn, as the method "+pythonName(name)+" gives them.",
			") %s.Seq2[%s, error] {\ng := o.Go()\nreturn func(yield func(%s, error) bool) {\nfor {\nvalue, more, err := func() (value %s, more bool, err error) {\n%s%s\n}()\n"+
				"if err != nil {\nyield(value, err)\nreturn\n}\nif !more || !yield(value, nil) {\nreturn\n}\n}\n}\n}", iter, text, text, text, "defer selfsame.LockAll(g).Unlock()\n", body)
		// A value may be what the object reads at this moment, as a part of a message: the next one ends it.
		last := c.Members[len(c.Members)-1]
		last.Code += ",\nselfsame.MethodOptions(\"__iter__\", selfsame.Lazy())"
	}
	if results.Len() == 2 && d.crosses(results.At(0).Type()) == nil && !isError(results.At(0).Type()) {
		switch {
		case d.returnsStep(next):
			step(results.At(0).Type(), "value, err = g."+name+"()\nif "+d.plan.Imports.Name(errorsPackage)+".Is(err, "+
				d.plan.Imports.Name(ioPackage)+".EOF) {\nreturn value, false, nil\n}\nreturn value, true, err")
		case isFound(results.At(1)):
			step(results.At(0).Type(), "value, more = g."+name+"()\nreturn value, more, nil")
		}
		return
	}
	if results.Len() != 1 || !isBool(results.At(0).Type()) {
		return
	}
	if columns := find("Columns"); columns != nil && scans("Scan", find("Scan")) && isFunction(find("Err"), "", "error") && columns.Params().Len() == 0 && d.returnsStep(columns) {
		step(types.NewSlice(types.Universe.Lookup("any").Type()), "if !g."+name+"() {\nreturn nil, false, g.Err()\n}\ncolumns, err := g.Columns()\n"+
			"values, places := make([]any, len(columns)), make([]any, len(columns))\nfor i := range values {\nplaces[i] = &values[i]\n}\n"+
			"if err == nil {\nerr = g.Scan(places...)\n}\nreturn values, true, err")
		return
	}
	failure := "nil"
	if isFunction(find("Err"), "", "error") {
		failure = "g.Err()"
	}
	for _, of := range []string{"Value", "Item", "Current", "Node", "Text", "Record", "Row", "Edge", "Entry"} {
		if sig := find(of); sig != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && d.crosses(sig.Results().At(0).Type()) == nil &&
			!isError(sig.Results().At(0).Type()) {
			step(sig.Results().At(0).Type(), "if !g."+name+"() {\nreturn value, false, "+failure+"\n}\nreturn g."+of+"(), true, nil")
			return
		}
	}
}

// returnsStep says whether a method returns a value that crosses and an error, and takes nothing.
func (d *Decider) returnsStep(sig *types.Signature) bool {
	results := sig.Results()
	return sig.Params().Len() == 0 && results.Len() == 2 && isError(results.At(1).Type()) && !isError(results.At(0).Type()) &&
		d.crosses(results.At(0).Type()) == nil
}

// reader returns the name of a method such as NextPart, RecvMsg or ReadRecord that returns a value and an error: the shortest, as
// NextPart beside NextRawPart; "" if there is none. The comment of a ReadX or a Token must speak of EOF, since it may read something that
// is there once. What fills bytes is a file, whose values are no steps.
func (d *Decider) reader(c *Class, find finder) string {
	if sig := find("Read"); sig != nil && reads("Read", sig) {
		return ""
	}
	found := ""
	for selection := range methodsOf(c).Methods() {
		f, ok := selection.Obj().(*types.Func)
		if !ok || !stepName.MatchString(f.Name()) || strings.HasPrefix(f.Name(), "ReadAll") {
			continue
		}
		sig := find(f.Name())
		if sig == nil || !d.returnsStep(sig) || !mustStep.MatchString(f.Name()) && !endOfFile.MatchString(d.methodDoc(f, c)) {
			continue
		}
		if found == "" || len(f.Name()) < len(found) {
			found = f.Name()
		}
	}
	return found
}

var (
	stepName  = regexp.MustCompile(`^(Next|Recv|Read)[A-Z]|^Token$`)
	mustStep  = regexp.MustCompile(`^(Next|Recv)`)
	endOfFile = regexp.MustCompile(`\bEOF\b`)
)

var ioPackage = types.NewPackage("io", "io")
