// Package effects finds what funcs do to the slices, maps and pointers that they get: whether they write through them, and whether they
// keep them. It asks the compiler, and looks at bodies where that says nothing.
package effects

import (
	"fmt"
	"go/types"
	"regexp"
	"strings"
)

// Effect says what a func does to one argument.
type Effect struct {
	Known  bool // the compiler has told
	Writes bool // it writes through the argument, or calls code of which nothing is known
	Surely bool // it writes
	Leaks  bool // the argument may be kept, and what is done to it is not known
	Result bool // a result leads to the memory of the argument
}

// Callable is a func or a method of which the compiler is asked.
type Callable struct {
	Key       string
	Func      *types.Func
	Signature *types.Signature
	TypeArgs  []types.Type
	Receiver  types.Type // nil of a func
	Results   bool       // its results can be written
}

// Asked asks the compiler. escapes is World.Escapes. The result has the effects on each parameter by key; what the compiler did not tell is
// missing. Each callable is called by a func of its own, on a line of its own, so that generic code and code of other packages is told of too.
func Asked(all []Callable, escapes func(source string) (lines map[int][]string, failed bool)) map[string][]Effect {
	for range 3 {
		source, first := probe(all)
		lines, failed := escapes(source)
		if !failed {
			return read(all, lines, first)
		}
		var kept []Callable
		for i, c := range all {
			if lines[first+i] == nil {
				kept = append(kept, c)
			}
		}
		if len(kept) == len(all) {
			return nil
		}
		all = kept
	}
	return nil
}

// probe writes the file. The first callable is on the line first.
func probe(all []Callable) (source string, first int) {
	var body strings.Builder
	var imports []string
	names := map[string]string{}
	pkg := func(p *types.Package) string {
		if names[p.Path()] == "" {
			names[p.Path()] = fmt.Sprintf("pkg%d", len(names))
			imports = append(imports, fmt.Sprintf("import %s %q\n", names[p.Path()], p.Path()))
		}
		return names[p.Path()]
	}
	text := func(t types.Type) string { return types.TypeString(t, pkg) }
	for i, c := range all {
		var params, args, typeArgs []string
		callee := ""
		if c.Receiver != nil {
			params, callee = append(params, "o "+text(c.Receiver)), "o."+c.Func.Name()
		} else {
			callee = pkg(c.Func.Pkg()) + "." + c.Func.Name()
		}
		for _, t := range c.TypeArgs {
			typeArgs = append(typeArgs, text(t))
		}
		if len(typeArgs) > 0 {
			callee += "[" + strings.Join(typeArgs, ", ") + "]"
		}
		for i := range c.Signature.Params().Len() {
			name := fmt.Sprintf("a%d", i)
			t := text(c.Signature.Params().At(i).Type())
			if c.Signature.Variadic() && i == c.Signature.Params().Len()-1 {
				t = "..." + strings.TrimPrefix(t, "[]")
				args = append(args, name+"...")
			} else {
				args = append(args, name)
			}
			params = append(params, name+" "+t)
		}
		results, give := "", ""
		if c.Results && c.Signature.Results().Len() > 0 {
			var list []string
			for v := range c.Signature.Results().Variables() {
				list = append(list, text(v.Type()))
			}
			results, give = "("+strings.Join(list, ", ")+") ", "return "
		}
		fmt.Fprintf(&body, "func f%d(%s) %s{ %s%s(%s) }\n", i, strings.Join(params, ", "), results, give, callee, strings.Join(args, ", "))
	}
	return "package probe\n" + strings.Join(imports, "") + body.String(), 2 + len(imports)
}

var saidOfParam = regexp.MustCompile(`^(mutates param|calls param|leaking param|leaking param content): a(\d+)( to result)?`)

// read reads what the compiler said.
func read(all []Callable, lines map[int][]string, first int) map[string][]Effect {
	made := map[string][]Effect{}
	if len(lines) == 0 { // another compiler, or one that says nothing
		return nil
	}
	for i, c := range all {
		effects := make([]Effect, c.Signature.Params().Len())
		calls := make([]bool, len(effects))
		for i := range effects {
			effects[i].Known = true
		}
		for _, line := range lines[first+i] {
			found := saidOfParam.FindStringSubmatch(line)
			if found == nil {
				continue
			}
			var at int
			if _, err := fmt.Sscan(found[2], &at); err != nil || at >= len(effects) {
				continue
			}
			e := &effects[at]
			switch {
			case found[1] == "mutates param":
				e.Writes, e.Surely = true, true
			case found[1] == "calls param":
				calls[at] = true
			case found[3] != "":
				e.Result = true
			default: // what leaks is not followed any more
				e.Leaks = true
			}
		}
		for i := range effects {
			// The compiler says that code which it does not see, as assembly, writes and calls.
			effects[i].Surely = effects[i].Surely && !calls[i] && !effects[i].Result && !effects[i].Leaks
		}
		made[c.Key] = effects
	}
	return made
}
