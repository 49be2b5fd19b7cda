package wrapped

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// methods are the texts of operations behind the object of their func literal. A name behind $ stands for a part of the operation, as
// parts returns them.
var methods = map[form.Op]string{
	form.Calls:          ") $Value {\n${lock}return ${target}.$Go($operand)\n}",
	form.Closes:         ")$error {\n$lock${return}o.Go().$Go()\n}",
	form.Measures:       ") int {\n${lock}return $Length\n}",
	form.Equals:         ", x $Key) bool {\ndefer o.Lock(x).Unlock()\n$equal\n}",
	form.Compares:       ", x $Key) $compared\n}",
	form.Sorts:          ") {\n${lock}$sort.Sort(o.Go())\n}",
	form.ComparesValue:  ", x $Of) bool { return *o.Go() $Token x }",
	form.EqualsParts:    ", x $Of) bool {\n${lock}return $reflect.DeepEqual(*o.Go(), x)\n}",
	form.Converts:       ") $Value { return $Value(*o.Go()) }",
	form.Hashes:         ") int64 { return gen.HashOf(*o.Go()) }",
	form.HashesParts:    ") int64 {\n${lock}return gen.HashOfParts(*o.Go())\n}",
	form.HashesNumber:   ") int64 { return gen.HashOfNumber(*o.Go()) }",
	form.HashesText:     ") int64 {\nh := uint64(14695981039346656037)\nfor _, b := range []byte(*o.Go()) {\nh = (h ^ uint64(b)) * 1099511628211\n}\nreturn int64(h >> 2)\n}",
	form.HashesType:     ") int64 { return gen.HashOf($text) }",
	form.IsNotZero:      ") bool { return *o.Go() != 0 }",
	form.IsNotEmpty:     ") bool { return *o.Go() != \"\" }",
	form.TextInBrackets: ") string {\n${lock}return \"<$Python \" + o.Go().$Go() + \">\"\n}",
	form.TextAsCode:     ") string { return gen.ReprOf(\"$Python\", $Value(*o.Go())) }",
	form.AllBytes:       ") []byte {\n${lock}value := *o.Go()\nreturn value[:]\n}",
	form.EqualsBytes:    ", x $Of) bool {\n${lock}return $bytes.Equal(*o.Go(), x)\n}",
	form.Contains:       ", x $Key) bool {\n${lock}return o.Go().$Go(x)\n}",
	form.GetsElement: ", i int) ($Value, error) {\n${lock}if i < 0 || i >= $Length {\nreturn *new($Value), $outOfRange\n}\n" +
		"return $element, nil\n}",
	form.SetsElement:    ", i int, value $Value) error {\n${lock}if i < 0 || i >= $Length {\nreturn $outOfRange\n}\n${return}o.Go().$Go(i, value)\n$nothing}",
	form.DeletesElement: ", i int) error {\n${lock}if i < 0 || i >= $Length {\nreturn $outOfRange\n}\n${return}o.Go().$Go(i)\n$nothing}",
	form.HasKey:         ", key $Key) bool {\n${lock}_, ok := $lookUp\nreturn ok\n}",
	form.GetsKey:        ", key $Key) ($Value, error) {\n${lock}value, ok := $lookUp\nif !ok {\nreturn value, $missing\n}\nreturn value, nil\n}",
	form.SetsKey:        ", key $Key, value $Value)$error {\n${lock}${return}$store\n}",
	form.DeletesKey:     ", key $Key) error {\n${lock}if _, ok := $lookUp; !ok {\nreturn $missing\n}\n$remove\nreturn nil\n}",
	form.StepsIndices: ") $iter.Seq[$Value] {\ng := o.Go()\nreturn func(yield func($Value) bool) {\nfor i := 0; ; i++ {\n" +
		"locked := gen.LockAll(g)\nvalue, ok := g.$Go(i)\nlocked.Unlock()\nif !ok || !yield(value) {\nreturn\n}\n}\n}\n}",
	form.Links: ") $iter.Seq[$Value] {\ng := o.Go()\nlocked := func(step func() $Key) $Key {\ndefer gen.LockAll(g).Unlock()\nreturn step()\n}\n" +
		"return func(yield func($Value) bool) {\nfor e := locked(g.$Go); e != nil; {\nnext := locked(e.Next)\nif !yield($link) {\nreturn\n}\ne = next\n}\n}\n}",
	form.StepsEach:  ") $iter.Seq[$Value] {\ng := o.Go()\nreturn func(yield func($Value) bool) {\n$each\n}\n}",
	form.Bits:       ", x $Of) $Of { return $left $Token $right }",
	form.Inverts:    ") $Of { return ^*o.Go() }",
	form.Calculates: ", x $Of) ($Of, error) { return gen.$checked($left, $right) }",
	form.Negates:    ") ($Of, error) { return gen.NegativeOf(*o.Go()) }",
	form.Operates:   ", x $Key) $result {\ndefer o.Lock(x).Unlock()\nreturn ${target}.$Go(${first}x)\n}",
	form.StartsSum:  ", x int) ($Value, error) {\nif x != 0 {\nreturn *new($Value), $noNumber\n}\nreturn $itself, nil\n}",
	form.CallsFirst: ") $Value {\n${lock}r, _ := o.Go().$Go()\nreturn r\n}",
	form.CallsNot:   ") bool {\n${lock}return !o.Go().$Go()\n}",
	form.HasSign:    ") bool {\n${lock}return o.Go().$Go() != 0\n}",
	form.Joins:      ", x $Key) $Key {\ndefer o.Lock(x).Unlock()\nreturn $func(o.Go(), x)\n}",

	form.ContextEnd:       ") error { return gen.EndContext(o.Go(), nil) }",
	form.ContextErr:       ") any { return o.Go().Err() }",
	form.ContextDeadline:  ") selfsame.Optional[$time.Time] {\nwhen, ok := o.Go().Deadline()\nif !ok {\nreturn selfsame.Optional[$time.Time]{}\n}\nreturn selfsame.Some(when)\n}",
	form.ContextValue:     ", key any) any { return o.Go().Value(key) }",
	form.ContextWithValue: ", key, value any) $context.Context { return $context.WithValue(o.Go(), key, value) }",
}

// steps are the bodies of the funcs that make one step of an iteration.
var steps = map[form.Op]string{
	form.StepsUntilEOF:   "value, err = $ask()\n${nilEnds}if $errors.Is(err, $io.EOF) {\nreturn value, false, nil\n}\nreturn value, true, err",
	form.StepsIfMore:     "if !g.$By() {\nreturn value, false, nil\n}\n$next",
	form.StepsWhileFound: "value, more = $ask()\nreturn value, more, nil",
	form.StepsThen:       "if !g.$Go() {\nreturn value, false, $failure\n}\nreturn g.$By(), true, nil",
	form.StepsRows: "if !g.$Go() {\nreturn nil, false, g.Err()\n}\ncolumns, err := g.Columns()\n" +
		"values, places := make([]any, len(columns)), make([]any, len(columns))\nfor i := range values {\nplaces[i] = &values[i]\n}\n" +
		"if err == nil {\nerr = g.Scan(places...)\n}\nreturn values, true, err",
}

// stepping is the text of an iteration. The loop may outlive the object, so it holds the Go value.
const stepping = ") gen.Steps[$Value] {\ng := o.Go()\nreturn func() (value $Value, more bool, err error) {\ndefer gen.LockAll(g).Unlock()\n$step\n}\n}"

// waiting is the text of one whose steps wait for something from outside: as a loop on a goroutine of its own it can be interrupted. A value
// may be what the object reads at this moment, as a part of a message: the next one ends it, so none is made ahead.
const waiting = ") $iter.Seq2[$Value, error] {\ng := o.Go()\nreturn gen.Steps[$Value](func() (value $Value, more bool, err error) {\n" +
	"defer gen.LockAll(g).Unlock()\n$step\n}).All()\n}"

// members are the texts of the operations that are no methods.
var members = map[form.Op]string{
	form.Plain:       "selfsame.Property($name, func(o *$class) $Value { return $Value(*o.Go()) }, nil, $doc)",
	form.MakesOfInt:  "selfsame.Static($name, func(x int64) $Value { return $func(x) }, $doc)",
	form.ContextDone: "selfsame.Property($name, func(o *$class) bool { return o.Go().Err() != nil }, nil, $doc)",
	form.ContextInit: "selfsame.Init(func(o *$class, timeout selfsame.Optional[gen.Timeout], parent selfsame.Optional[$Of]) { " +
		"o.Set(gen.NewContext(parent.Value, timeout)) }, \"timeout=None\", \"parent=None\")",
	form.FolderInit: "selfsame.Init(func(o *$class, folder selfsame.Optional[string]) {\nif folder.OK {\no.Set($os.DirFS(folder.Value))\n}\n}, \"folder=None\")",
	form.PlaceInit: "selfsame.Init(func(o *$class, value selfsame.Optional[$held]) {\nr := &$Of{new($held)}\nif value.OK {\n*r.p = value.Value\n}\no.Set(r)\n}, " +
		"\"value=None\")",
	form.PlaceValue: "selfsame.Property($name, func(o *$class) $held { defer o.Lock().Unlock(); return *o.Go().p }, " +
		"func(o *$class, value $held) { defer o.Lock().Unlock(); *o.Go().p = value }, $doc)",
}

// operation writes a member whose code follows from what it does.
func (w *writer) operation(i *form.Item, o *form.Operation) string {
	part := func(name string) string { return w.part(i, o, name) }
	if text, ok := members[o.Op]; ok {
		return os.Expand(text, part)
	}
	text, options := methods[o.Op], ""
	switch {
	case steps[o.Op] != "" && o.Waits:
		text, options = waiting, fmt.Sprintf(",\nselfsame.MethodOptions(%q, selfsame.Lazy())", i.Python)
	case steps[o.Op] != "":
		text = stepping
	}
	return fmt.Sprintf("selfsame.Method(%q, func(o *%s%s, %q)%s", i.Python, o.Of.Go, os.Expand(text, part), i.Doc, options)
}

// packages are the names of packages that the texts use, with their paths.
var packages = map[string]string{"bytes": "bytes", "context": "context", "errors": "errors", "io": "io", "iter": "iter", "os": "os", "reflect": "reflect", "sort": "sort", "time": "time"}

// checked are the funcs that calculate, and say when the result does not fit.
var checked = map[token.Token]string{token.ADD: "SumOf", token.SUB: "DifferenceOf", token.MUL: "ProductOf", token.QUO: "QuotientOf"}

// part writes what a name in a text of an operation stands for.
func (w *writer) part(i *form.Item, o *form.Operation, name string) string {
	if path := packages[name]; path != "" {
		return w.standard(path, name)
	}
	switch name {
	case "name":
		return fmt.Sprintf("%q", i.Python)
	case "doc":
		return fmt.Sprintf("%q", i.Doc)
	case "class":
		return o.Of.Go
	case "Python":
		return o.Of.Python()
	case "lock":
		return "defer o.Lock().Unlock()\n"
	case "Go":
		return o.Go
	case "By":
		return o.By
	case "Key":
		return w.text(o.Key)
	case "Value":
		return w.text(o.Value)
	case "Of":
		return w.of(o.Of)
	case "held":
		return w.text(o.Of.Place.Of)
	case "Token":
		return o.Token.String()
	case "checked":
		return checked[o.Token]
	case "func":
		return w.pkg(o.Func.Pkg()) + "." + o.Func.Name()
	case "text":
		return fmt.Sprintf("%q", o.Of.Key)
	case "step":
		return os.Expand(steps[o.Op], func(name string) string { return w.part(i, o, name) })
	}
	return w.choice(o, name)
}

// choice writes one of two texts: where the operation names no method, its value is a slice or a map.
func (w *writer) choice(o *form.Operation, name string) string {
	either := func(first bool, one, other string) string {
		if first {
			return one
		}
		return other
	}
	switch name {
	case "left":
		return either(o.Swapped, "x", "*o.Go()")
	case "right":
		return either(o.Swapped, "*o.Go()", "x")
	case "Length":
		return either(o.Length == "", "len(*o.Go())", "int(o.Go()."+o.Length+"())")
	case "element":
		return either(o.Go == "", "(*o.Go())[i]", "o.Go()."+o.Go+"(i)")
	case "outOfRange":
		return `selfsame.Errorf("IndexError", "index %d is out of range", i)`
	case "target":
		if o.Into {
			return "new(" + w.of(o.Of) + ")"
		}
		return "o.Go()"
	case "first":
		return either(o.Into, "o.Go(), ", "")
	case "operand":
		return either(o.Into, "o.Go()", "")
	case "noNumber":
		return `selfsame.Errorf("TypeError", "expected a value of the class, or the 0 of sum(), got %d", x)`
	case "itself":
		_, pointer := types.Unalias(o.Value).(*types.Pointer)
		return either(pointer, "o.Go()", "*o.Go()")
	case "lookUp":
		return either(o.Has == "", "o.Go()."+o.Go+"(key)", "gen.Found(o.Go()."+o.Go+"(key), o.Go()."+o.Has+"(key))")
	case "link":
		return either(o.By == "", "e", "e."+o.By)
	case "missing":
		return either(o.IsIndex, `selfsame.Errorf("IndexError", "index %v is out of range", key)`, `selfsame.Errorf("KeyError", "%v", key)`)
	case "store":
		return "o.Go()." + o.Go + "(key, value)"
	case "remove":
		return "o.Go()." + o.By + "(key)"
	case "error":
		return either(o.Fails, " error", "")
	case "equal":
		call := "o.Go()." + o.Go + "(x)"
		return either(o.Fails, "equal, err := "+call+"\nreturn err == nil && equal", "return "+call)
	case "compared":
		lock, call := " {\ndefer o.Lock(x).Unlock()\n", "o.Go()."+o.Go+"(x)"
		return either(o.Fails, "(bool, error)"+lock+"sign, err := "+call+"\nreturn sign "+o.Token.String()+" 0, err",
			"bool"+lock+"return "+call+" "+o.Token.String()+" 0")
	case "result":
		return either(o.Fails, "("+w.text(o.Value)+", error)", w.text(o.Value))
	case "return":
		return either(o.Fails, "return ", "")
	case "nothing":
		return either(o.Fails, "", "return nil\n")
	case "each":
		return w.each(o)
	case "ask":
		return either(o.Go == "", "(*g)", "g."+o.Go)
	case "nilEnds":
		return either(o.NilEnds, "if value == nil && err == nil {\nreturn value, false, nil\n}\n", "")
	case "next":
		return either(o.Fails, "value, err = g."+o.Go+"()\nreturn value, true, err", "return g."+o.Go+"(), true, nil")
	case "failure":
		return either(o.Fails, "g.Err()", "nil")
	}
	panic("an operation's text has a name without a meaning: " + name)
}

// each writes the call of a method with a func that hands over the elements.
func (w *writer) each(o *form.Operation) string {
	params := make([]string, len(o.Params))
	for i, t := range o.Params {
		name := "_"
		if i == o.At {
			name = "value"
		}
		params[i] = name + " " + w.text(t)
	}
	list := strings.Join(params, ", ")
	if o.Asks {
		return "g." + o.Go + "(func(" + list + ") bool { return yield(value) })"
	}
	return "more := true\ng." + o.Go + "(func(" + list + ") { more = more && yield(value) })"
}
