package decide

import (
	"go/types"
	"regexp"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/effects"
)

// isValue decides whether Go code expects values of a type rather than pointers. So it does when the type has a method of the value, or
// none, and nothing changes a value.
func (d *Decider) isValue(n *types.Named) bool {
	own := types.NewMethodSet(n).Len() > 0 || n.NumMethods() == 0
	return own && d.isUnchanged(n)
}

// isUnchanged says whether values of a type stay what they are. So they do when no exported method with a pointer receiver writes through
// that, those apart that fill a value with what was read, and the wrapped packages never mention a pointer to the type. Tags of fields say
// that a decoder fills it, through a pointer.
func (d *Decider) isUnchanged(n *types.Named) bool {
	if types.IsInterface(n) || hasTags(n) || d.mention[types.TypeString(n, nil)].pointer > 0 {
		return false
	}
	ofValue := types.NewMethodSet(n)
	for m := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		f, ok := m.Obj().(*types.Func)
		if ok && f.Exported() && ofValue.Lookup(f.Pkg(), f.Name()) == nil && !fills(f.Name()) && d.receiver(f) != (effects.Body{}) {
			return false
		}
	}
	return true
}

// receiver returns what the source of a method shows that it does to its object.
func (d *Decider) receiver(f *types.Func) effects.Body {
	receiver, name := declaredAs(f)
	if f.Pkg() == nil || receiver == "" || name == "" {
		return effects.Body{Unknown: true}
	}
	return d.bodies.Of(f.Pkg().Path(), receiver, name, effects.Receiver)
}

func hasTags(n *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Tag(i) != "" {
			return true
		}
	}
	return false
}

// fills says whether a method of a name fills a value with what was read.
func fills(method string) bool {
	return strings.HasPrefix(method, "Unmarshal") || method == "Scan" || method == "GobDecode"
}

// concurrent finds what comments say of types that goroutines may share.
var (
	concurrent    = regexp.MustCompile(`(?i)(safe for|may be used by|can be used by|used by)\s+(\w+\s+)*(concurrent|simultaneous|multiple goroutines)|concurrency[- ]safe|goroutine[- ]safe|thread[- ]safe`)
	notConcurrent = regexp.MustCompile(`(?i)\b(not|isn't|aren't|never|un)[- ]*(\w+[- ]+)?(safe for|goroutine[- ]safe|thread[- ]safe|concurrency[- ]safe|be used)`)
)

func (d *Decider) isShared(n *types.Named, doc string) bool {
	name := n.Obj().Name()
	if d.rules.Shared[name] || d.rules.Locked[name] {
		return d.rules.Shared[name]
	}
	if _, basic := n.Underlying().(*types.Basic); basic || guardsItself(n) {
		return true
	}
	text := strings.Join(strings.Fields(doc), " ")
	return concurrent.MatchString(text) && !notConcurrent.MatchString(text)
}

// isMutex says whether a type is a mutex, of the package sync or of one that stands for it.
func isMutex(n *types.Named) bool { return n.Obj().Name() == "Mutex" || n.Obj().Name() == "RWMutex" }

// guardsItself says whether a struct has a mutex of its own, or embeds a struct that has: its methods take turns where they must. Serve
// of a server and Run of a scheduler wait: a lock around them would keep Shutdown and Stop out.
func guardsItself(n *types.Named) bool { return guardsWithin(n, 0) }

func guardsWithin(n *types.Named, depth int) bool {
	s, ok := n.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return false
	}
	for f := range s.Fields() {
		t := types.Unalias(f.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if m, ok := t.(*types.Named); ok && (isMutex(m) || f.Embedded() && m.Obj().Pkg() == n.Obj().Pkg() && guardsWithin(m, depth+1)) {
			return true
		}
	}
	return false
}

// isData says whether values of a type are made of numbers, texts and containers alone, which can be compared part by part: what funcs,
// channels and pointers lead to says nothing of a value.
func isData(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch x := t.Underlying().(type) {
	case *types.Basic:
		return x.Kind() != types.UnsafePointer
	case *types.Interface:
		return true
	case *types.Slice:
		return isData(x.Elem(), seen)
	case *types.Array:
		return isData(x.Elem(), seen)
	case *types.Map:
		return isData(x.Key(), seen) && isData(x.Elem(), seen)
	case *types.Struct:
		for f := range x.Fields() {
			if !isData(f.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

func isStruct(n *types.Named) bool {
	_, is := n.Underlying().(*types.Struct)
	return is
}
