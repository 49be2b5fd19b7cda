package wrapped

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/typeparts"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// separator marks the path of a package in the text of a type: no path has it.
const separator = "\x00"

// text writes a type. A type that code can name only by an alias of another package gets the alias.
func (w *writer) text(t types.Type) string {
	w.mention(t)
	packages := map[string]*types.Package{}
	parts := strings.Split(types.TypeString(unaliased(t), func(p *types.Package) string {
		if p.Path() == "" { // the type is one of the generated package
			return ""
		}
		packages[p.Path()] = p
		return separator + p.Path() + separator
	}), separator)
	for i := 1; i < len(parts); i += 2 { // a path, and behind it a dot and the name
		name := parts[i+1][1:]
		if end := strings.IndexFunc(name, func(r rune) bool { return strings.ContainsRune("[](){}, .;", r) }); end >= 0 {
			name = name[:end]
		}
		p := packages[parts[i]]
		if alias := w.plan.Aliases[parts[i]+"."+name]; alias != nil {
			p, parts[i+1] = alias.Pkg(), "."+alias.Name()+parts[i+1][1+len(name):]
		}
		parts[i] = w.pkg(p)
	}
	return strings.Join(parts, "")
}

// mention notes a type with its parts, as Python sees them: of a type without a class, those of the type below.
func (w *writer) mention(t types.Type) {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		key := types.TypeString(n, nil)
		if w.mentioned[key] {
			return
		}
		w.mentioned[key] = true
		if !w.classes[key] {
			w.mention(n.Underlying())
		}
	}
	for _, part := range typeparts.Of(t) {
		w.mention(part)
	}
}

// texts writes types, as type arguments in brackets.
func (w *writer) texts(list []types.Type) string {
	if len(list) == 0 {
		return ""
	}
	all := make([]string, len(list))
	for i, t := range list {
		all[i] = w.text(t)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// pkg returns what the file calls a package, which it imports then.
func (w *writer) pkg(p *types.Package) string { return w.file.Import(p.Path(), w.name(p)) }

// standard does that for a package of the standard library.
func (w *writer) standard(path, name string) string { return w.pkg(types.NewPackage(path, name)) }

// name chooses what all files call a package.
func (w *writer) name(p *types.Package) string {
	if name := w.names[p.Path()]; name != "" {
		return name
	}
	name := "go" + strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(p.Name()))
	for n := 2; w.taken[name]; n++ {
		name = fmt.Sprintf("go%s%d", strings.ToLower(p.Name()), n)
	}
	w.names[p.Path()], w.taken[name] = name, true
	return name
}

// of writes the type for which a class stands.
func (w *writer) of(c *form.Class) string {
	if c.Place != nil {
		return c.Place.Go
	}
	return w.text(c.Named)
}

// value writes the type with which a value crosses.
func (w *writer) value(v form.Value) string {
	switch v.Way {
	case form.Number:
		return "uint64"
	case form.Optional:
		return "selfsame.Optional[" + w.whole(v) + "]"
	case form.InPlace:
		return "*" + v.Place.Go
	case form.Pointed:
		return "gen.Pointed[*" + v.Place.Go + ", " + w.text(v.Place.Of) + "]"
	case form.Anything, form.Uncalled, form.Stored:
		return "any"
	case form.Sending, form.KeptSending:
		return "func(" + w.element(v) + ") error"
	case form.Receiving:
		return w.standard("iter", "iter") + ".Seq[" + w.element(v) + "]"
	case form.SentToHere:
		return "func(" + w.element(v) + ")"
	case form.Writes, form.MaybeWrites, form.WritesCopy:
		return "gen." + writtenTypes[v.Way] + "[" + w.whole(v) + "]"
	case form.ShownIn, form.ShownOf, form.ShownResult, form.ShownByMethod:
		return "gen.View[" + w.text(v.Type) + "]"
	}
	return w.whole(v)
}

// whole writes the type of a value, which may be nil or a letter.
func (w *writer) whole(v form.Value) string {
	switch {
	case v.Nil:
		return "gen.Nilable[" + w.text(v.Type) + "]"
	case v.Letter:
		return "gen.Letter"
	}
	return w.text(v.Type)
}

// element writes the type of what a channel has.
func (w *writer) element(v form.Value) string {
	return w.text(v.Type.Underlying().(*types.Chan).Elem())
}

// in writes what Go code gets for an expression of the type that value writes.
func (w *writer) in(v form.Value, expression string) string {
	switch v.Way {
	case form.Number:
		return w.text(v.Type) + "(" + expression + ")"
	case form.Optional:
		expression += ".Value"
	case form.InPlace:
		return expression + ".at()"
	case form.Writes, form.MaybeWrites, form.WritesCopy, form.Pointed:
		expression += ".Go()"
	}
	switch {
	case v.Nil:
		expression += ".Value"
	case v.Letter:
		expression = "rune(" + expression + ")"
	}
	return expression
}

// writtenTypes are the types of parameters through which funcs write.
var writtenTypes = map[form.Way]string{form.Writes: "Written", form.MaybeWrites: "MaybeWritten", form.WritesCopy: "WrittenCopy"}

// out writes what Python gets for an expression of Go.
func (w *writer) out(v form.Value, expression string) string {
	switch v.Way {
	case form.Number:
		return "uint64(" + expression + ")"
	case form.Optional:
		return fmt.Sprintf("%s{Value: %s, OK: %[2]s != nil}", w.value(v), expression)
	case form.InPlace:
		return maker(v.Place) + "(" + expression + ")"
	case form.ShownIn:
		return "gen.ViewIn(o, &" + expression + ")"
	case form.ShownOf:
		return "gen.ViewOf(&" + expression + ")"
	case form.ShownResult:
		return "gen.ViewOfResult(" + expression + ")"
	case form.ShownByMethod:
		return "gen.ViewByMethod(o, " + expression + ")"
	case form.Uncalled:
		return "gen.Kept(" + expression + ")"
	case form.SentToHere:
		return fmt.Sprintf("func(value %s) { %s <- value }", w.element(v), expression)
	}
	return expression
}

// maker returns the name of the func that makes an object of a pointer.
func maker(p *form.Place) string { return "new" + strings.ToUpper(p.Go[:1]) + p.Go[1:] }
