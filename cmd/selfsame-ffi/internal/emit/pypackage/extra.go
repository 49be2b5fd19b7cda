package pypackage

// Extra is a Python module beside the generated one, some of whose names are names of the package too.
type Extra struct {
	Module string // such as _extra
	Names  []string

	Deprecated map[string]string // of the names, with what the comments say
}

// extras imports the names of the modules beside this one. They come last, so that those modules may import this one.
func (w *writer) extras() error {
	for _, e := range w.module.Extras {
		if len(e.Names) == 0 {
			continue
		}
		w.line(0, "from .%s import (", e.Module)
		for _, name := range e.Names {
			if err := w.scope.Take(name, e.Module+".py: "+name); err != nil {
				return err
			}
			w.line(1, "%s as %s,", name, name)
		}
		w.line(0, ")")
	}
	return nil
}
