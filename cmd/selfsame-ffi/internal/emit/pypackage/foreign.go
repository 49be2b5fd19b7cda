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
	w.Lines(`
]
_F = _typing.TypeVar("_F")


def _exported(name: str) -> _typing.Callable[[_F], _F]:
    def find(declaration: _F) -> _F:
        for library in _libraries:
            if library.implements_function(name):
                return _typing.cast(_F, library.get_function(name))
        raise ValueError(f"{name}: no library of this module has this function")

    return find`)
}
