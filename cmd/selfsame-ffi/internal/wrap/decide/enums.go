package decide

import (
	"go/constant"
	"go/types"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// Why a type of constants is an enum by a rule. Go has no enums: a named number with constants may be one, as time.Month, or a quantity of
// which some amounts have names, as time.Duration. A type that calculates, converts to a measure or is declared by products is a quantity.

// enum decides whether a type of a wrapped package is an enum, and returns its members; nil when it is none.
func (d *Decider) enum(n *types.Named) *form.Enum {
	b, ok := n.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsString) == 0 || b.Kind() == types.Uintptr || n.TypeArgs().Len() > 0 ||
		!d.targets[n.Obj().Pkg()] || implementsError(n) || isQuantity(n) {
		return nil
	}
	docs := d.docs[n.Obj().Pkg().Path()]
	made := &form.Enum{}
	for _, name := range n.Obj().Pkg().Scope().Names() {
		c, ok := n.Obj().Pkg().Scope().Lookup(name).(*types.Const)
		if !ok || !c.Exported() || d.rules.Omits(name) || !types.Identical(c.Type(), n) {
			continue
		}
		if docs.Scaled[name] || c.Val().Kind() == constant.String && !utf8.ValidString(constant.StringVal(c.Val())) {
			return nil
		}
		made.Members = append(made.Members, form.EnumMember{
			Python: d.renamed(name, constantName(name)), Const: c, Doc: d.pythonDoc(d.doc(n.Obj().Pkg(), name)),
		})
	}
	slices.SortStableFunc(made.Members, func(a, b form.EnumMember) int { return docs.Order[a.Const.Name()] - docs.Order[b.Const.Name()] })
	if len(made.Members) < 2 || !distinct(made.Members) {
		return nil
	}
	shorten(made.Members, constantName(n.Obj().Name()))
	if b.Info()&types.IsInteger == 0 {
		return made
	}
	shifted := slices.ContainsFunc(made.Members, func(m form.EnumMember) bool { return docs.Shifted[m.Const.Name()] })
	made.Flags = areFlags(made.Members, shifted)
	if shifted && !made.Flags {
		return nil // units, as 1 << 10 and 1 << 20
	}
	return made
}

// isQuantity says whether values of a type are calculated with: a method has another value of the type and returns a third, gives the
// value in another measure as a float, or changes it.
func isQuantity(n *types.Named) bool {
	for m := range n.Methods() {
		if !m.Exported() {
			continue
		}
		sig := m.Signature()
		_, pointer := sig.Recv().Type().(*types.Pointer)
		if pointer && !fills(m.Name()) && m.Name() != "Set" {
			return true
		}
		if sig.Results().Len() != 1 {
			continue
		}
		result := sig.Results().At(0).Type()
		if b, ok := result.(*types.Basic); ok && b.Info()&types.IsFloat != 0 && sig.Params().Len() == 0 {
			return true
		}
		if sig.Params().Len() == 1 && types.Identical(result, n) && types.Identical(sig.Params().At(0).Type(), n) &&
			slices.ContainsFunc(calculating, func(c struct{ method, operator string }) bool { return c.method == m.Name() }) {
			return true
		}
	}
	return false
}

// distinct says whether the names of members are identifiers of Python that differ.
func distinct(members []form.EnumMember) bool {
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.Python] || pyname.Identifier(m.Python) != m.Python || strings.HasPrefix(m.Python, "_") || m.Python == "mro" {
			return false
		}
		seen[m.Python] = true
	}
	return true
}

// shorten leaves out the name of the type where all members have it in front or behind: LevelInfo of Level is INFO. So it does with the first
// words of the name in front, and with the last ones behind: FiringQueued of FiringMode is QUEUED.
func shorten(members []form.EnumMember, of string) {
	words := strings.Split(of, "_")
	for n := len(words); n > 0; n-- {
		front, behind := strings.Join(words[:n], "_")+"_", "_"+strings.Join(words[len(words)-n:], "_")
		for _, cut := range []func(name string) (string, bool){
			func(name string) (string, bool) { return strings.CutPrefix(name, front) },
			func(name string) (string, bool) { return strings.CutSuffix(name, behind) },
		} {
			short := slices.Clone(members)
			all := true
			for i := range short {
				name, has := cut(short[i].Python)
				short[i].Python, all = name, all && has
			}
			if all && distinct(short) {
				copy(members, short)
				return
			}
		}
	}
}

// areFlags says whether constants are bits and sets of these: two bits are side by side, and where no shift tells, there are three, and
// the values do not follow each other as 1, 2, 3 and 4 do.
func areFlags(members []form.EnumMember, shifted bool) bool {
	var single, all uint64
	var whole []uint64
	for _, m := range members {
		v, exact := constant.Uint64Val(constant.ToInt(m.Const.Val()))
		if !exact && constant.Sign(m.Const.Val()) < 0 {
			return false
		}
		if whole = append(whole, v); bits.OnesCount64(v) == 1 {
			single |= v
		}
		all |= v
	}
	slices.Sort(whole)
	whole = slices.Compact(whole)
	follow := whole[len(whole)-1]-whole[0] == uint64(len(whole)-1)
	switch {
	case single&(single<<1) == 0:
		return false
	case shifted:
		return true
	}
	return all == single && bits.OnesCount64(single) > 2 && !follow
}

// ofNumbers and ofTexts are the attributes of Python's int and str, which the members of enums have: a method of Go gives way.
var (
	ofNumbers = strings.Fields("as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes")
	ofTexts   = strings.Fields("capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii " +
		"isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition " +
		"removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title " +
		"translate upper zfill")
)

// memberName returns the name of a method of a class. One of an enum is none that the enum has.
func memberName(c *form.Class, name string) string {
	if c.Enum == nil {
		return name
	}
	taken := ofNumbers
	if b := c.Named.Underlying().(*types.Basic); b.Info()&types.IsString != 0 {
		taken = ofTexts
	}
	if name == "name" || name == "value" || slices.Contains(taken, name) {
		return name + "_"
	}
	return name
}
