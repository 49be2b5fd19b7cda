package decide

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// optionName is what structs of options are called.
var optionName = regexp.MustCompile(`(Options?|Opts?|Config|Params|Settings)$`)

// maxKeywords is how many keyword arguments a func gets for its options.
const maxKeywords = 60

// keyword is a keyword argument that stands for one option.
type keyword struct {
	name, text string // in Python; the type in Go
	given      string // whether it was given, %s is the parameter
	set        string // the statement for one that was given, %s is the parameter
}

// keywords are the keyword arguments that stand for the options of a func: for the fields of a struct of options, or for the funcs
// that make options of the type that a variadic func takes, as WithPort(80) does.
type keywords struct {
	all   []keyword
	setup string
	apply func(made *callable, params, args *[]string)
}

// keywords decides the keyword arguments of a func with the given names of its parameters, of which the first fixed are not variadic.
// It returns nil when there are none.
func (d *Decider) keywords(sig *types.Signature, names []string, fixed int) *keywords {
	last := sig.Params().Len() - 1
	if last < 0 {
		return nil
	}
	t, name := sig.Params().At(last).Type(), fmt.Sprintf("a%d", last)
	made := &keywords{}
	if sig.Variadic() {
		t = t.(*types.Slice).Elem()
		if len(names) == fixed || d.crosses(t) != nil {
			return nil
		}
		if n, _ := optionStruct(t); n != nil {
			made.all = d.fieldKeywords(n, "v", names)
			address := ""
			if _, ok := types.Unalias(t).(*types.Pointer); ok {
				address = "&"
			}
			made.write("if %s {\nvar v "+d.text(n)+"\n%s"+name+" = append("+name+"[:len("+name+"):len("+name+")], "+address+"v)\n}\n", true)
		} else {
			made.all = d.funcKeywords(t, name, names)
			made.write("%s", false)
		}
		made.apply = made.insert
	} else {
		n, pointer := optionStruct(t)
		if n == nil || d.crosses(t) != nil || pointer && !d.noneIsNil(t) || fixed == 0 {
			return nil
		}
		target, is := name, name+" != nil"
		fresh := name + " = new(" + d.text(n) + ")\n"
		if !pointer {
			target, is, fresh = name+".Value", name+".OK", ""
		}
		made.all = d.fieldKeywords(n, target, names)
		python := strings.TrimSuffix(names[fixed-1], "=None")
		made.write("if %s {\nif "+is+" {\npanic(selfsame.Errorf(\"TypeError\", \"argument '"+python+"': expected either it or keyword arguments for its fields\"))\n}\n"+
			fresh+"%s}\n", true)
		made.apply = func(c *callable, params, args *[]string) {
			c.names[fixed-1] = python + "=None"
			if !pointer {
				(*params)[fixed-1] = fmt.Sprintf("%s selfsame.Optional[%s]", name, d.text(t))
				(*args)[len(*args)-1] += ".Value"
			}
			made.insert(c, params, args)
		}
	}
	if len(made.all) == 0 {
		return nil
	}
	return made
}

// insert puts the parameters behind the fixed ones.
func (k *keywords) insert(c *callable, params, _ *[]string) {
	at := len(*params)
	var texts []string
	for i, one := range k.all {
		texts = append(texts, "*"+one.name+"=None")
		*params = append(*params, fmt.Sprintf("k%d %s", i, one.text))
	}
	c.names = slices.Insert(c.names, at, texts...)
}

// write makes the statements that follow the keyword arguments: those for each that was given stand for the last %s of the text. With
// test, the first %s is whether one was given.
func (k *keywords) write(text string, test bool) {
	var set strings.Builder
	var given []string
	for i, one := range k.all {
		param := fmt.Sprintf("k%d", i)
		given = append(given, fmt.Sprintf(one.given, param))
		fmt.Fprintf(&set, "if %s {\n%s\n}\n", given[i], strings.ReplaceAll(one.set, "%s", param))
	}
	if test {
		k.setup = fmt.Sprintf(text, strings.Join(given, " || "), set.String())
		return
	}
	k.setup = fmt.Sprintf(text, set.String())
}

// optionStruct returns the struct of options that a type is, or points to.
func optionStruct(t types.Type) (n *types.Named, pointer bool) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t, pointer = types.Unalias(p.Elem()), true
	}
	n, ok := t.(*types.Named)
	if !ok || !optionName.MatchString(n.Obj().Name()) || n.TypeArgs().Len() > 0 {
		return nil, false
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil, false
	}
	return n, pointer
}

// keywordOf makes a keyword argument of a type.
func (d *Decider) keywordOf(name string, t types.Type, set string) keyword {
	if d.isNone(t) {
		return keyword{name, d.text(t), "%s != nil", strings.ReplaceAll(set, "VALUE", "%s")}
	}
	return keyword{name, "selfsame.Optional[" + d.text(t) + "]", "%s.OK", strings.ReplaceAll(set, "VALUE", "%s.Value")}
}

// fieldKeywords returns the keyword arguments for the fields of a struct.
func (d *Decider) fieldKeywords(n *types.Named, target string, taken []string) (all []keyword) {
	names := newScope()
	for _, name := range taken {
		before, _, _ := strings.Cut(name, "=")
		names.take(before)
	}
	s := n.Underlying().(*types.Struct)
	for f := range s.Fields() {
		name := pythonName(f.Name())
		if !f.Exported() || f.Embedded() || names.has(name) || len(all) == maxKeywords || d.crosses(f.Type()) != nil {
			continue
		}
		names.take(name)
		all = append(all, d.keywordOf(name, f.Type(), target+"."+f.Name()+" = VALUE"))
	}
	return all
}

// funcKeywords returns the keyword arguments for the funcs named WithX that return an option of a type. A func without parameters is
// a flag; a func with several has no keyword argument.
func (d *Decider) funcKeywords(option types.Type, list string, taken []string) (all []keyword) {
	n, ok := types.Unalias(option).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !d.targets[n.Obj().Pkg()] {
		return nil
	}
	switch n.Underlying().(type) {
	case *types.Signature, *types.Interface, *types.Struct:
	default:
		return nil
	}
	names := newScope()
	for _, name := range taken {
		before, _, _ := strings.Cut(name, "=")
		names.take(before)
	}
	scope := n.Obj().Pkg().Scope()
	for _, goName := range scope.Names() {
		f, ok := scope.Lookup(goName).(*types.Func)
		rest, with := strings.CutPrefix(goName, "With")
		if !ok || !f.Exported() || !with || rest == "" || len(all) == maxKeywords || d.rules.Omits(goName) {
			continue
		}
		sig := f.Signature()
		name := pythonName(rest)
		if sig.TypeParams().Len() > 0 || sig.Results().Len() != 1 || sig.Params().Len() > 1 || names.has(name) ||
			!types.AssignableTo(sig.Results().At(0).Type(), option) {
			continue
		}
		t, value := types.Type(types.Typ[types.Bool]), ""
		if sig.Params().Len() == 1 {
			t, value = sig.Params().At(0).Type(), "VALUE"
			if sig.Variadic() {
				value = "VALUE..."
			}
			if d.crosses(t) != nil {
				continue
			}
		}
		names.take(name)
		one := d.keywordOf(name, t, fmt.Sprintf("%s = append(%s[:len(%s):len(%s)], %s.%s(%s))", list, list, list, list,
			d.plan.Imports.Name(f.Pkg()), goName, value))
		if value == "" {
			one.given = "%s.Value"
		}
		all = append(all, one)
	}
	return all
}
