package wrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/apichange"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
)

// renamed returns a line for each name that goes and may only have changed: how the old one is kept. before is the interface of the
// last build, which says what the names stood for.
func renamed(p *form.Plan, before apichange.Interface, gone, added []string) []string {
	var lines []string
	tell := func(old, now, goName string) {
		lines = append(lines, fmt.Sprintf("%s may be called %s now. To keep the old name, write into %s: //wrap:alias %s %s",
			old, now, overrides.File, goName, old[strings.LastIndexByte(old, '.')+1:]))
	}
	for _, old := range gone {
		entry := before[old]
		if entry == nil {
			continue
		}
		var goName, python []string
		candidate := func(i *form.Item, now string) {
			if i.IsWritten() && slices.Contains(added, now) && takesTheSame(entry, i) {
				goName, python = append(goName, i.ID), append(python, now)
			}
		}
		for _, c := range p.Classes {
			now := c.Path()
			if entry.Kind == "class" && c.Named != nil && slices.Contains(added, now) && mostOf(members(gone, old), members(added, now)) {
				goName, python = append(goName, c.Named.Obj().Name()), append(python, now)
			}
			of, _, _ := strings.Cut(old, ".")
			if !slices.Contains(pathsOf(p, c), of) {
				continue
			}
			for _, i := range c.Members {
				candidate(i, of+"."+i.Python)
			}
		}
		for _, i := range p.Functions {
			candidate(i, i.Python)
		}
		if len(goName) == 1 {
			tell(old, python[0], goName[0])
		}
	}
	return lines
}

// members returns the members of a class among names.
func members(names []string, class string) []string {
	var all []string
	for _, name := range names {
		if member, ok := strings.CutPrefix(name, class+"."); ok {
			all = append(all, member)
		}
	}
	return all
}

// mostOf reports whether more than half of some names are among others.
func mostOf(names, others []string) bool {
	found := 0
	for _, name := range names {
		if slices.Contains(others, name) {
			found++
		}
	}
	return 2*found > len(names)
}

// takesTheSame reports whether an item, which is called, has the parameters that an entry had. Without parameters it must have the
// comment too, in which the name does not stand.
func takesTheSame(old *apichange.Entry, i *form.Item) bool {
	call, ok := i.Form.(*form.Call)
	if !ok || (old.Kind == "function") == (call.Class != nil || call.Static) {
		return false
	}
	var before, now []string
	for _, p := range old.Params {
		if p.Name == "*" { // those behind it are options and the context
			break
		}
		if p.Name != "/" {
			before = append(before, strings.TrimPrefix(p.Name, "*"))
		}
	}
	for _, p := range call.Params {
		if p.Way != form.Within && p.Way != form.Stored {
			now = append(now, p.Python)
		}
	}
	was, is := strings.Fields(old.Doc), strings.Fields(i.Doc)
	return slices.Equal(before, now) && (len(now) > 0 || len(is) > 0 && slices.Equal(was, is))
}
