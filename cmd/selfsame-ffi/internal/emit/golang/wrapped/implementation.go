package wrapped

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// adapterOf names the struct of the Go values of objects whose Python classes implement an interface.
func adapterOf(c *form.Class) string { return "python" + c.Go }

// implementation writes that struct and its methods.
func (w *writer) implementation(i *form.Implementation) string {
	name := adapterOf(i.Of)
	var methods strings.Builder
	for _, m := range i.Methods {
		switch m.Special {
		case form.Reads:
			fmt.Fprintf(&methods, "\nfunc (i %s) Read(p []byte) (int, error) {\nreturn gen.PythonRead(i.Implementation, %q, p)\n}\n", name, m.Python)
		case form.ReadsAt:
			fmt.Fprintf(&methods, "\nfunc (i %s) ReadAt(p []byte, offset int64) (int, error) {\nreturn gen.PythonReadAt(i.Implementation, %q, p, offset)\n}\n",
				name, m.Python)
		case form.Opens:
			fmt.Fprintf(&methods, "\nfunc (i %s) Open(name string) (%s.File, error) {\nopened, err := gen.PythonMethod[func(string) (%s.ReadCloser, error)](i.Implementation, %q)(name)\n"+
				"if err != nil {\nreturn nil, err\n}\nreturn gen.FileOf(name, opened)\n}\n", name, w.standard("io/fs", "fs"), w.standard("io", "io"), m.Python)
		default:
			methods.WriteString(w.implemented(name, &m))
		}
	}
	return fmt.Sprintf("// %s is the Go value of an object whose Python class derives from %s.\ntype %s struct{ gen.Implementation }\n%s",
		name, i.Of.Go, name, methods.String())
}

// union writes the struct of the Go values of objects whose Python classes implement several interfaces, and ties it to these.
func (w *writer) union(u *form.Union) {
	name, fields, values, keys := "python", "", "", make([]string, len(u.Of))
	for i, c := range u.Of {
		name, fields, values, keys[i] = name+c.Go+"_", fields+"\n"+adapterOf(c), values+", "+adapterOf(c)+"{i}", fmt.Sprintf("%q", c.Key)
	}
	name += "union" // no class has such a name
	w.file.Printf("\n// %s is the Go value of an object whose Python class derives from all of these.\ntype %s struct {\ngen.Implementation%s\n}\n", name, name, fields)
	for _, m := range u.Both {
		w.file.Print(w.implemented(name, &m))
	}
	w.file.Printf("\nvar _ = gen.Implementing(func(i gen.Implementation) any { return %s{i%s} }, %s)\n", name, values, strings.Join(keys, ", "))
}

// implemented writes a method that calls that of a Python object.
func (w *writer) implemented(name string, m *form.Implemented) string {
	sig := m.Func.Signature()
	var params, args, texts, results, got, returned, declared []string
	for i, v := range m.Params {
		arg, text, passed := fmt.Sprintf("a%d", i), w.text(sig.Params().At(i).Type()), w.value(v)
		given := w.out(v, arg)
		if sig.Variadic() && i == len(m.Params)-1 {
			text = "..." + w.text(sig.Params().At(i).Type().(*types.Slice).Elem())
			passed, given = text, arg+"..."
		}
		params, args, texts = append(params, arg+" "+text), append(args, given), append(texts, passed)
	}
	for i, v := range m.Results {
		name := fmt.Sprintf("r%d", i)
		results, declared = append(results, w.value(v)), append(declared, w.text(sig.Results().At(i).Type()))
		as := w.in(v, name)
		if v.Way == form.Typed {
			as = "gen.As[" + declared[i] + "](" + name + ")"
		}
		got, returned = append(got, name), append(returned, as)
	}
	bound, result, give, end := "("+strings.Join(results, ", ")+")", "("+strings.Join(declared, ", ")+")", "return ", ""
	switch {
	case len(results) == 0:
		bound, result, give = "", "", ""
	case !slices.Equal(got, returned):
		give, end = strings.Join(got, ", ")+" := ", "\nreturn "+strings.Join(returned, ", ")
	}
	return fmt.Sprintf("\nfunc (p %s) %s(%s) %s {\n%sgen.PythonMethod[func(%s) %s](p.Implementation, %q)(%s)%s\n}\n",
		name, m.Func.Name(), strings.Join(params, ", "), result, give, strings.Join(texts, ", "), bound, m.Python, strings.Join(args, ", "), end)
}
