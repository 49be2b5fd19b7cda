package pypackage

import "strings"

// deprecated writes the call that has deprecated functions, methods and constants warn. Those are the ones whose comments have a paragraph
// that begins with "Deprecated:", as the custom in Go is.
func (w *writer) deprecated(globals []global) {
	if w.module.Runtime != Selfsame {
		return
	}
	var lines []string
	add := func(name, doc string) {
		if text := notice(doc); text != "" {
			lines = append(lines, quote(name)+": "+quote(text)+",")
		}
	}
	for _, g := range globals {
		add(g.id, g.value.Doc)
	}
	for _, c := range w.module.Content.Classes {
		for _, m := range c.NamedMethods() {
			if isASCII(m.Name) && identifier(m.Name) == m.Name && m.Property == "" {
				add(w.types.classes[c.Key]+"."+m.Name, m.Doc)
			}
		}
	}
	for _, e := range w.module.Extras {
		for _, name := range e.Names {
			add(name, e.Deprecated[name])
		}
	}
	if len(lines) == 0 {
		return
	}
	w.line(0, "_ffi.deprecated(")
	w.line(1, "__name__,")
	w.line(1, "{")
	for _, line := range lines {
		w.line(2, "%s", line)
	}
	w.line(1, "},")
	w.line(0, ")")
}

// notice returns what a comment says of the deprecation, "" when it says nothing.
func notice(doc string) string {
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if text, ok := strings.CutPrefix(strings.TrimSpace(paragraph), "Deprecated:"); ok {
			return "deprecated: " + strings.Join(strings.Fields(text), " ")
		}
	}
	return ""
}
