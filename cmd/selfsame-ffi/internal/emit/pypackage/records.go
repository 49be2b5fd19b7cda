package pypackage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// nameRecords chooses the Python names of the records in signatures, those of the package first.
func (w *writer) nameRecords() error {
	w.types.records = map[string]string{}
	var own, ofOthers []model.Record
	for _, r := range w.module.Content.Records() {
		if prefix, _, _ := strings.Cut(r.Key, "."); slices.Contains(w.module.Prefixes, prefix) {
			own = append(own, r)
		} else {
			ofOthers = append(ofOthers, r)
		}
	}
	for _, r := range slices.Concat(own, ofOthers) {
		id, err := w.module.take(w.scope, w.recordName(r.Key), r.Key)
		if err != nil {
			return err
		}
		w.types.records[r.Key] = id
	}
	return nil
}

// recordName returns the Python name of a record, which may be of another package: that of the struct, unless something else has it.
func (w *writer) recordName(key string) string {
	of, name, _ := strings.Cut(key, ".")
	switch {
	case name != "" && w.module.hasSubmodule(of) && !slices.Contains(w.module.Prefixes, of):
		return form.PrivateName(of, identifier(name))
	case name != "" && !w.scope.Has(identifier(name)):
		return identifier(name)
	}
	return w.module.moduleName(key)
}

// records writes a dataclass for each record. Its fields have Go's zero values as defaults.
func (w *writer) records() {
	keys := w.keys()
	for _, r := range w.module.Content.Records() {
		w.line(0, "")
		w.line(0, "")
		if w.module.Runtime == Selfsame {
			w.line(0, "@_ffi.record(%s)", quote(r.Key))
		}
		hashed := ""
		if keys[r.Key] {
			hashed = "(unsafe_hash=True)" // it may be changed where it is no key
		}
		w.line(0, "@%s%s", w.types.name("dataclasses", "dataclass"), hashed)
		w.line(0, "class %s:", w.types.records[r.Key])
		w.docstring(1, cmp.Or(strings.TrimSpace(r.Doc), "The Go struct "+r.Key+", which is passed by value."))
		w.types.hidden = map[string]bool{}
		for _, f := range r.Fields {
			w.types.hidden[f.Name] = true
		}
		for _, f := range r.Fields {
			w.line(0, "")
			w.line(1, "%s: %s%s", identifier(f.Name), w.types.field(f.Type), w.types.zero(f.Type))
			w.docstring(1, f.Doc)
		}
		w.types.hidden = nil
		private := w.types.records[r.Key]
		if of, name := w.foundIn(private); of != "" { // not before: dataclass looks into the module, which is not there yet
			w.line(0, "")
			w.line(0, "")
			w.line(0, "%[1]s.__module__, %[1]s.__name__, %[1]s.__qualname__ = f\"{__name__}.%[2]s\", %[3]s, %[3]s", private, of, quote(name))
		}
	}
}

// keys returns the records that are keys of maps or elements of sets in signatures, by name.
func (w *writer) keys() map[string]bool {
	found := map[string]bool{}
	var look func(s model.Schema)
	look = func(s model.Schema) {
		switch s.Type {
		case "ffi.Map", "ffi.Dict", "dict", "go.Set", "set", "go.Mapping", "go.MutableSet":
			if len(s.Args) > 0 {
				found[s.Args[0].Type] = true
			}
		}
		for _, arg := range s.Args {
			look(arg)
		}
	}
	for f := range w.module.Content.Callables() {
		look(f.Result)
		for _, arg := range f.Args {
			look(arg)
		}
	}
	for _, c := range w.module.Content.Classes {
		for _, f := range c.Fields {
			look(f.Type)
		}
	}
	for _, r := range w.module.Content.Records() {
		for _, f := range r.Fields {
			look(f.Type)
		}
	}
	return found
}

// field returns the annotation of a record's field, to which Python code may assign whatever Go accepts. In a wrapped package it has Python's
// own containers, as code that reads the field finds them.
func (t typing) field(s model.Schema) string {
	t.onlyRecords = true
	if t.iterables {
		return t.annotation(plainSchema(s), false)
	}
	return t.argument(s)
}

// zero returns the default of a record's field as the end of its line.
func (t typing) zero(s model.Schema) string {
	made := func(factory string) string {
		return " = " + t.name("dataclasses", "field(default_factory="+factory+")")
	}
	if id, ok := t.records[s.Type]; ok {
		return made("lambda: " + id + "()")
	}
	if t.iterables {
		s = plainSchema(s)
	}
	switch s.Type {
	case "list", "dict":
		return made(t.builtin(s.Type))
	case "int", "ffi.BigInt":
		return " = 0"
	case "float":
		return " = 0.0"
	case "bool":
		return " = False"
	case "ffi.String":
		return ` = ""`
	case "ffi.Bytes":
		return ` = b""`
	case "Optional", "Any":
		return " = None"
	case "go.Complex":
		return " = 0j"
	case "go.Duration":
		return " = " + t.name("datetime", "timedelta()")
	case "go.Time":
		return " = " + t.name("datetime", "datetime.min.replace(tzinfo=_datetime.timezone.utc)")
	case "go.Set":
		return made(t.builtin("set"))
	case "ffi.Array", "ffi.List":
		return made("lambda: _ffi." + strings.TrimPrefix(s.Type, "ffi.") + "([])")
	case "ffi.Map", "ffi.Dict":
		return made("lambda: _ffi." + strings.TrimPrefix(s.Type, "ffi.") + "({})")
	}
	return " = None  # type: ignore[assignment]"
}
