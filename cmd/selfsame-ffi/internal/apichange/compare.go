package apichange

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Level says what a change means for those who use the package.
type Level int

// The levels, the gravest last.
const (
	Documentation Level = iota
	Additive
	Breaking
)

func (l Level) String() string { return [...]string{"documentation", "additive", "breaking"}[l] }

// Change is one difference between two versions.
type Change struct {
	Level Level
	Text  string // begins with the name
}

// Compare returns what differs, the gravest first, and then in the order of the names.
func Compare(before, now Interface) []Change {
	var all []Change
	for _, name := range slices.Sorted(maps.Keys(before)) {
		old, e := before[name], now.find(name)
		tell := func(level Level, format string, args ...any) {
			all = append(all, Change{level, name + ": " + fmt.Sprintf(format, args...)})
		}
		switch {
		case e == nil:
			if class, _, member := strings.Cut(name, "."); !member || now.find(class) != nil {
				tell(Breaking, "the %s is gone", old.Kind)
			}
			continue
		case old.Kind != e.Kind && !bothData(old, e):
			tell(Breaking, "the %s is a %s now", old.Kind, e.Kind)
			continue
		}
		count := len(all)
		compareEntries(old, e, tell)
		if len(all) == count && old.Doc != e.Doc {
			tell(Documentation, "its description has changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if class, _, member := strings.Cut(name, "."); before[name] == nil && (!member || before[class] != nil) {
			all = append(all, Change{Additive, name + ": a new " + now[name].Kind})
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return int(b.Level - a.Level) })
	return all
}

// find returns an entry, that of a class also by a further name that a value gives it.
func (in Interface) find(name string) *Entry {
	class, member, _ := strings.Cut(name, ".")
	if e := in[class]; e != nil && e.Kind == "value" && in[e.Value] != nil && in[e.Value].Kind == "class" {
		return in[strings.TrimSuffix(e.Value+"."+member, ".")]
	}
	return in[name]
}

// bothData reports whether both are attributes, of which a field can be set and a property may be.
func bothData(old, e *Entry) bool { return old.isData() && e.isData() }

func (e *Entry) isData() bool { return e.Kind == "field" || e.Kind == "property" }

func (e *Entry) settable() bool { return e.Kind == "field" || e.Writable }

// compareEntries compares two entries of a kind.
func compareEntries(old, e *Entry, tell func(Level, string, ...any)) {
	for _, base := range old.Bases {
		if !slices.Contains(e.Bases, base) {
			tell(Breaking, "it is no %s any more", base)
		}
	}
	for _, base := range e.Bases {
		if !slices.Contains(old.Bases, base) {
			tell(Additive, "it is a %s too", base)
		}
	}
	if old.isData() && old.settable() != e.settable() {
		if old.settable() {
			tell(Breaking, "it cannot be set any more")
		} else {
			tell(Additive, "it can be set")
		}
	}
	if old.Value != e.Value {
		tell(Breaking, "its value was %s and is %s", old.Value, e.Value)
	}
	compareParameters(old.Params, e.Params, tell)
	if old.Type == e.Type {
		return
	}
	level := Breaking
	if covers(old.Type, e.Type) && !(old.isData() && e.settable()) {
		level = Additive
	}
	what := "it returns"
	if old.isData() || old.Kind == "value" {
		what = "its type is"
	}
	tell(level, "%s %s, no longer %s", what, e.Type, old.Type)
}

// placed is a parameter with its place and kind.
type placed struct {
	Parameter
	place      int  // among those that can be given by position, -1 for others
	positional bool // by position alone
}

// stars returns 1 for a parameter that takes all further arguments, 2 for one that takes further keywords, else 0.
func (p Parameter) stars() int { return len(p.Name) - len(strings.TrimLeft(p.Name, "*")) }

// places resolves the marks among parameters.
func places(params []Parameter) []placed {
	var all []placed
	place := 0
	for _, p := range params {
		switch {
		case p.Name == "/":
			for i := range all {
				all[i].positional = true
			}
		case strings.HasPrefix(p.Name, "*"):
			if place = -1; p.Name != "*" {
				all = append(all, placed{p, -1, false})
			}
		default:
			all = append(all, placed{p, place, false})
			if place >= 0 {
				place++
			}
		}
	}
	return all
}

// compareParameters compares the parameters of a function as its callers see them.
func compareParameters(old, now []Parameter, tell func(Level, string, ...any)) {
	before, after := places(old), places(now)
	taken := map[int]bool{}
	for _, p := range before {
		i := slices.IndexFunc(after, func(q placed) bool { return q.Name == p.Name })
		renamed := false
		if i < 0 { // another name at the same place, or of what takes all further ones
			i = slices.IndexFunc(after, func(q placed) bool {
				return p.stars() == q.stars() && (p.stars() > 0 || p.place >= 0 && q.place == p.place && q.Type == p.Type) &&
					!slices.ContainsFunc(before, func(r placed) bool { return r.Name == q.Name })
			})
			renamed = i >= 0
		}
		if i < 0 {
			tell(Breaking, "the parameter %s is gone", p.Name)
			continue
		}
		taken[i] = true
		q := after[i]
		switch {
		case renamed && (p.positional || p.stars() > 0):
			tell(Documentation, "the parameter %s is called %s", p.Name, q.Name)
		case renamed:
			tell(Breaking, "the parameter %s is called %s", p.Name, q.Name)
		case p.place >= 0 && q.place != p.place:
			tell(Breaking, "the parameter %s has another place", p.Name)
		case !p.positional && q.positional:
			tell(Breaking, "the parameter %s takes no keyword any more", p.Name)
		}
		compareParameter(p.Parameter, q.Parameter, tell)
	}
	for i, q := range after {
		if taken[i] {
			continue
		}
		if q.Default == "" && q.stars() == 0 {
			tell(Breaking, "the new parameter %s is required", q.Name)
		} else {
			tell(Additive, "there is a parameter %s", q.Name)
		}
	}
}

// compareParameter compares what a parameter takes.
func compareParameter(old, now Parameter, tell func(Level, string, ...any)) {
	switch {
	case old.Default == now.Default:
	case now.Default == "":
		tell(Breaking, "the parameter %s is required", now.Name)
	case old.Default == "":
		tell(Additive, "the parameter %s may be left out", now.Name)
	default:
		tell(Breaking, "the parameter %s is %s by default, no longer %s", now.Name, now.Default, old.Default)
	}
	if old.Type != now.Type {
		level := Breaking
		if covers(now.Type, old.Type) {
			level = Additive
		}
		tell(level, "the parameter %s takes %s, no longer %s", now.Name, now.Type, old.Type)
	}
}

// covers reports whether each value of the type part is one of the type whole, as far as the alternatives of unions say it.
func covers(whole, part string) bool {
	if whole == part || strings.HasSuffix(whole, "Any") {
		return true
	}
	alternatives := union(whole)
	for _, promoted := range []struct{ to, from string }{{"complex", "float"}, {"float", "int"}} { // as type checkers do
		if slices.Contains(alternatives, promoted.to) {
			alternatives = append(alternatives, promoted.from)
		}
	}
	for _, one := range union(part) {
		if !slices.Contains(alternatives, one) {
			return false
		}
	}
	return true
}

func union(annotation string) []string {
	var parts []string
	for rest, more := annotation, true; more; {
		var part string
		part, rest, more = cut(rest, '|')
		parts = append(parts, strings.TrimSpace(part))
	}
	return parts
}

// Gravest returns the gravest level of some changes.
func Gravest(changes []Change) Level {
	level := Documentation
	for _, c := range changes {
		level = max(level, c.Level)
	}
	return level
}

// Next returns the version that some changes ask for by semantic versioning, after one that was given out. Before 1.0 a breaking
// change raises the second number. A version that has no three numbers is returned as it is.
func Next(version string, level Level) string {
	var major, minor, patch int
	if n, err := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch); n < 3 || err != nil {
		return version
	}
	switch {
	case level == Breaking && major > 0:
		major, minor, patch = major+1, 0, 0
	case level == Breaking || level == Additive && major > 0:
		minor, patch = minor+1, 0
	default:
		patch++
	}
	return fmt.Sprintf("%d.%d.%d", major, minor, patch)
}

// Less reports whether a version is older than another one, as far as their first three numbers say it.
func Less(version, than string) bool {
	var a, b [3]int
	_, _ = fmt.Sscanf(version, "%d.%d.%d", &a[0], &a[1], &a[2])
	_, _ = fmt.Sscanf(than, "%d.%d.%d", &b[0], &b[1], &b[2])
	return slices.Compare(a[:], b[:]) < 0
}

// Changelog returns a changelog with a section for a version put before the others. text is the changelog as it was, which may be
// empty; a section of the version that is there already gets what it lacks.
func Changelog(text, version string, changes []Change) string {
	const title = "# Changelog\n"
	if text == "" {
		text = title
	}
	heading := "\n## " + version + "\n"
	begin := strings.Index(text, heading)
	var lines strings.Builder
	for _, c := range changes {
		if line := fmt.Sprintf("- %s: %s\n", c.Level, c.Text); begin < 0 || !strings.Contains(text[begin:], line) {
			lines.WriteString(line)
		}
	}
	if lines.Len() == 0 {
		return text
	}
	if begin >= 0 {
		end := begin + len(heading)
		if next := strings.Index(text[end:], "\n## "); next >= 0 {
			end += next
		} else {
			end = len(text)
		}
		return strings.TrimRight(text[:end], "\n") + "\n" + lines.String() + text[end:]
	}
	head := strings.Index(text, "\n## ")
	if head < 0 {
		head = len(text)
	}
	return strings.TrimRight(text[:head], "\n") + "\n" + heading + "\n" + lines.String() + text[head:]
}
