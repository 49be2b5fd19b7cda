package cpp

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

func cast(t string) string {
	if t != "ffi::Any" {
		return ".cast<" + t + ">()"
	}
	return ""
}

// returned returns the C++ type of what a function returns.
func (w *writer) returned(s model.Schema) string {
	value, orError := s.OrError()
	t := w.result(value)
	if orError && t != "ffi::Any" && t != "void" && t != "ffi::Error" {
		return "ffi::Expected<" + t + ">"
	}
	if orError {
		return "ffi::Any" // C++ has no Expected of any value
	}
	return t
}

// moved returns the C++ type of a parameter whose object the function may take over: the caller moves it, or copies the reference.
func (w *writer) moved(s model.Schema) (string, bool) {
	object, ok := s.Moved()
	if t := w.result(object); ok && t != "ffi::Any" {
		return t, true
	}
	return "", false
}

// result returns the C++ type of a result; ffi::Any for one that C++ has no name for.
func (w *writer) result(s model.Schema) string {
	if name, ok := w.Classes[s.Type]; ok {
		return name
	}
	var args []string
	for _, a := range s.Args {
		if s.Type == "Optional" {
			args = append(args, w.inner(a))
		} else {
			args = append(args, w.element(a))
		}
	}
	kind, known := kinds.ByKey(s.Type)
	switch {
	case known && kind.Cpp != "" && kind.Args == 0:
		return kind.Cpp
	case known && kind.Cpp != "":
		for len(args) < kind.Args {
			args = append(args, "ffi::Any")
		}
		return kind.Cpp + "<" + strings.Join(args[:kind.Args], ", ") + ">"
	case s.Type == "Optional" && len(args) > 0 && args[0] != "ffi::Any":
		return "ffi::Optional<" + args[0] + ">"
	case (s.Type == "Tuple" || s.Type == "ffi.Tuple") && len(args) > 0:
		return "ffi::Tuple<" + strings.Join(args, ", ") + ">"
	case w.Elsewhere(s):
		return "ffi::ObjectRef"
	}
	return "ffi::Any"
}

// element returns the C++ type of an element of a container, which must be complete where the container is named.
func (w *writer) element(s model.Schema) string {
	if i, ok := w.place[s.Type]; ok && i >= w.complete {
		return "ffi::ObjectRef"
	}
	if s.Type == "Optional" && len(s.Args) > 0 && w.element(s.Args[0]) == "ffi::ObjectRef" {
		return "ffi::Optional<ffi::ObjectRef>"
	}
	return w.inner(s)
}

// inner returns the C++ type of an element of a container.
func (w *writer) inner(s model.Schema) string {
	if t := w.result(s); t != "void" {
		return t
	}
	return "ffi::Any"
}

// argument returns the C++ type of a parameter.
func (w *writer) argument(s model.Schema) string {
	switch t := w.result(s); t {
	case "int64_t", "double", "bool", "void*", "DLDataType", "DLDevice":
		return t
	case "void":
		return "std::nullptr_t"
	default:
		return "const " + t + "&"
	}
}
