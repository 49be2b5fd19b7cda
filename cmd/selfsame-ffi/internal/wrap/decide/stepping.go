package decide

import (
	"fmt"
	"go/types"
	"strings"
)

// stepping adds __iter__ for an object that is asked for one value after another. Next returns the value and an error, io.EOF at
// the end, or the value and whether there is one. Or Next or Scan says whether there is a value, and another method returns it; an
// error that the method Err returns at the end is raised.
func (d *Decider) stepping(c *Class, find finder, add adder) {
	if strings.Contains(fmt.Sprint(memberNames(c)), "__iter__") {
		return
	}
	next := find("Next")
	name := "Next"
	if next == nil {
		next, name = find("Scan"), "Scan"
	}
	if next == nil || next.Params().Len() != 0 {
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
	}
	if results.Len() == 2 && d.crosses(results.At(0).Type()) == nil && !isError(results.At(0).Type()) {
		switch {
		case isError(results.At(1).Type()):
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

var ioPackage = types.NewPackage("io", "io")
