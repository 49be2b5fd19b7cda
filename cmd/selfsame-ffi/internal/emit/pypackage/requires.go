package pypackage

// importRuntime writes the import of the Python package that the module builds on. Where that is missing, the module's
// import ends with an error that says what to install.
func (w *writer) importRuntime() {
	m := w.module
	distribution, name := "selfsame-ffi", "selfsame_ffi"
	if m.Runtime == TvmFFI {
		distribution, name = "apache-tvm-ffi", "tvm_ffi"
	}
	needs, wanted := distribution, distribution
	if m.Requires != "" && m.Runtime != TvmFFI {
		needs, wanted = distribution+" "+m.Requires+" or later", "'"+distribution+">="+m.Requires+"'"
	}
	if m.Bundle != "" {
		w.line(0, "import importlib as _importlib")
		w.line(0, "")
		w.line(0, "_importlib.import_module(%s).serve(%s, %s)", quote(m.Bundle), quote(m.Name), quote(m.Requires))
	}
	w.line(0, "try:")
	w.line(1, "import %s as _ffi", name)
	w.line(0, "except ModuleNotFoundError as _error:")
	w.line(1, "if _error.name != %s:", quote(name))
	w.line(2, "raise")
	w.line(1, "raise ModuleNotFoundError(")
	w.line(2, "%s", quote(m.Name+" needs "+needs+", and this Python does not have it; "))
	w.line(2, "%s,", quote("run `python -m pip install "+wanted+"`, or install a wheel of it"))
	w.line(2, "name=%s,", quote(name))
	w.line(1, ") from None")
}
