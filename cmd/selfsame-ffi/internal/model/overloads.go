package model

// JoinOverloads makes one method of those that a class has registered under one name, in the place of the first. The library
// chooses among them by the arguments of a call, so that the method takes what any of them takes.
func (l *Library) JoinOverloads() {
	for i := range l.Classes {
		c := &l.Classes[i]
		var kept []Function
		place := map[string]int{}
		for _, m := range c.Methods {
			first, again := place[m.Name]
			if !again {
				place[m.Name] = len(kept)
				kept = append(kept, m)
				continue
			}
			kept[first] = kept[first].Join(m)
		}
		c.Methods = kept
	}
}

// Join returns a function that takes what f takes, and what another one of its name takes. It has no types when the numbers of
// arguments differ.
func (f Function) Join(other Function) Function {
	joined := f
	if other.Doc != "" && other.Doc != f.Doc {
		joined.Doc = other.Doc
		if f.Doc != "" {
			joined.Doc = f.Doc + "\n\n" + other.Doc
		}
	}
	alike := f.Typed && other.Typed && f.Static == other.Static && len(f.Args) == len(other.Args)
	if !alike || f.Variadic || other.Variadic || len(f.ByName)+len(other.ByName) > 0 {
		return Function{Name: f.Name, Doc: joined.Doc, Static: f.Static, Module: f.Module}
	}
	joined.Result = f.Result.join(other.Result)
	joined.Args = make([]Schema, len(f.Args))
	for i := range f.Args {
		joined.Args[i] = f.Args[i].join(other.Args[i])
	}
	return joined
}

// join returns a type that has the values of both.
func (s Schema) join(other Schema) Schema {
	if s.String() == other.String() {
		return s
	}
	var args []Schema
	for _, each := range []Schema{s, other} {
		switch each.Type {
		case "", "Any", "None":
			return Schema{Type: "Any"}
		case "Variant", "std::variant":
			args = append(args, each.Args...)
		default:
			args = append(args, each)
		}
	}
	return Schema{Type: "Variant", Args: args}
}
