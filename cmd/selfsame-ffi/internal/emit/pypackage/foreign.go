package pypackage

import "slices"

// foreignHead writes how a module loads the libraries of somebody else, and how it finds the functions that they have as modules.
func (w *writer) foreignHead(globals []global) {
	const load = "_ffi.load_module(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), %s))"
	if !slices.ContainsFunc(globals, func(g global) bool { return g.value.Module }) {
		for _, name := range w.module.Foreign {
			w.line(0, load, quote(name))
		}
		return
	}
	w.line(0, "_libraries = [")
	for _, name := range w.module.Foreign {
		w.line(1, load+",", quote(name))
	}
	w.line(0, "]")
	w.line(0, "_F = _typing.TypeVar(\"_F\")")
	w.line(0, "")
	w.line(0, "")
	w.line(0, "def _exported(name: str) -> _typing.Callable[[_F], _F]:")
	w.line(1, "def find(declaration: _F) -> _F:")
	w.line(2, "for library in _libraries:")
	w.line(3, "if library.implements_function(name):")
	w.line(4, "return _typing.cast(_F, library.get_function(name))")
	w.line(2, "raise ValueError(f\"{name}: no library of this module has this function\")")
	w.line(0, "")
	w.line(1, "return find")
}
