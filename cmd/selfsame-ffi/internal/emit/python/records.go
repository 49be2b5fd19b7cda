package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
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
	if _, name, _ := strings.Cut(key, "."); name != "" && !w.scope.Has(identifier(name)) {
		return identifier(name)
	}
	return w.module.moduleName(key)
}

// records writes a dataclass for each record. Its fields have Go's zero values as defaults.
func (w *writer) records() {
	for _, r := range w.module.Content.Records() {
		w.line(0, "")
		w.line(0, "")
		if w.module.Runtime == Selfsame {
			w.line(0, "@_ffi.record(%s)", quote(r.Key))
		}
		w.line(0, "@_dataclasses.dataclass")
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
	}
}

// field returns the annotation of a record's field, to which Python code may assign whatever Go accepts.
func (t typing) field(s model.Schema) string {
	t.onlyRecords = true
	return t.argument(s)
}

// zero returns the default of a record's field as the end of its line.
func (t typing) zero(s model.Schema) string {
	if id, ok := t.records[s.Type]; ok {
		return " = _dataclasses.field(default_factory=lambda: " + id + "())"
	}
	switch s.Type {
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
		return " = _datetime.timedelta()"
	case "go.Time":
		return " = _datetime.datetime.min.replace(tzinfo=_datetime.timezone.utc)"
	case "go.Set":
		return " = _dataclasses.field(default_factory=" + t.builtin("set") + ")"
	case "ffi.Array", "ffi.List":
		return " = _dataclasses.field(default_factory=lambda: _ffi." + strings.TrimPrefix(s.Type, "ffi.") + "([]))"
	case "ffi.Map", "ffi.Dict":
		return " = _dataclasses.field(default_factory=lambda: _ffi." + strings.TrimPrefix(s.Type, "ffi.") + "({}))"
	}
	return " = None  # type: ignore[assignment]"
}

// usesType reports whether a name of a schema occurs in any signature or record.
func (m *Module) usesType(names ...string) bool {
	var occurs func(s model.Schema) bool
	occurs = func(s model.Schema) bool {
		for _, name := range names {
			if s.Type == name {
				return true
			}
		}
		for _, a := range s.Args {
			if occurs(a) {
				return true
			}
		}
		return false
	}
	inFunction := func(f *model.Function) bool {
		for _, a := range f.Args {
			if occurs(a) {
				return true
			}
		}
		return occurs(f.Result)
	}
	for i := range m.Content.Functions {
		if inFunction(&m.Content.Functions[i]) {
			return true
		}
	}
	for _, c := range m.Content.Classes {
		if c.Init != nil && inFunction(c.Init) {
			return true
		}
		for i := range c.Methods {
			if inFunction(&c.Methods[i]) {
				return true
			}
		}
	}
	for _, r := range m.Content.Records() {
		for _, f := range r.Fields {
			if occurs(f.Type) {
				return true
			}
		}
	}
	return false
}
