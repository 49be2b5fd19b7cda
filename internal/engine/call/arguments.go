package call

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// arguments holds the names and defaults of a function's parameters, except a method's object.
type arguments struct {
	names    []string
	texts    []string  // the defaults as Python source; the last len(texts) parameters before rest have one
	defaults []abi.Any // owned for the life of the process
	rest     int       // 1 when the last name is that of a variadic parameter, otherwise 0
	byName   int       // how many parameters before rest are keyword arguments only; all have a default
	present  []int     // the places of those that None is no argument for
}

// ParseArguments reads names such as `x`, `y=1.5` and `*z=1`, a keyword argument only; a default is written as in a field's tag. `x!` is
// an argument for which None is refused, whatever its type.
// params are the parameters that the names belong to. Without given names it takes those of the source. The result is nil when
// there are none either.
func ParseArguments(s *Signature, params []*convert.Conv, given []string) (*arguments, error) {
	if len(given) == 0 {
		given = s.sourceArguments(len(params))
	}
	if len(given) == 0 {
		return nil, nil
	}
	if len(given) != len(params) {
		return nil, fault.New("ValueError", "selfsame: %s: expected %d argument names, got %d", s.calledAs(), len(params), len(given))
	}
	a := &arguments{}
	defer func() { s.names, s.optional, s.byName = a.names, len(a.defaults), a.byName }()
	for i, text := range given {
		text, byName := strings.CutPrefix(text, "*")
		name, value, hasDefault := strings.Cut(text, "=")
		if bare, needed := strings.CutSuffix(name, "!"); needed {
			name, a.present = bare, append(a.present, i)
		}
		if !naming.IsIdentifier(name) {
			return nil, fault.New("ValueError", "selfsame: %s: expected an identifier as argument name, got `%s`", s.calledAs(), name)
		}
		name = naming.Normal(name)
		a.names = append(a.names, name)
		if s.variadic && i == len(given)-1 {
			if hasDefault || byName {
				return nil, fault.New("ValueError", "selfsame: %s: argument '%s': expected no default and no `*`, as it takes any "+
					"number of values", s.calledAs(), name)
			}
			a.rest = 1
			continue
		}
		switch {
		case byName && !hasDefault:
			return nil, fault.New("ValueError", "selfsame: %s: argument '%s': expected a default, as `*` makes it a keyword "+
				"argument only", s.calledAs(), name)
		case byName:
			a.byName++
		case a.byName > 0:
			return nil, fault.New("ValueError", "selfsame: %s: argument '%s': expected `*` before the name, as an argument "+
				"before it has one", s.calledAs(), name)
		}
		if !hasDefault {
			if len(a.defaults) > 0 {
				return nil, fault.New("ValueError", "selfsame: %s: argument '%s': expected a default, as an argument "+
					"before it has one", s.calledAs(), name)
			}
			continue
		}
		v, err := parseArgumentDefault(value, params[i])
		if err != nil {
			hint := ""
			if value == "None" {
				hint = "; selfsame.Optional[...] is a type that can be None"
			}
			return nil, fault.New("ValueError", "selfsame: %s: argument '%s': expected a default of type %s, got `%s`%s", s.calledAs(), name,
				params[i].GoType, value, hint)
		}
		a.defaults = append(a.defaults, v)
		a.texts = append(a.texts, pythonText(value))
	}
	return a, nil
}

// pythonText returns a default as Python source.
func pythonText(text string) string {
	switch text {
	case "true":
		return "True"
	case "false":
		return "False"
	}
	if strings.HasPrefix(text, "'") {
		return strconv.Quote(text[1 : len(text)-1])
	}
	return text
}

// kwargsMarker returns the handle state of the object that a caller passes between positional arguments and pairs of a
// name and a value; nil when the runtime has none.
var kwargsMarker = sync.OnceValue(func() *handles.State {
	f, err := values.GlobalFunction("ffi.GetKwargsObject")
	if err != nil {
		return nil
	}
	marker, err := values.CallValues(f, nil)
	if err != nil || !marker.IsObject() {
		return nil
	}
	return handles.FetchOwnedForGood(marker.Pointer())
})

// arrange returns one borrowed value per parameter: the positional arguments, then the keyword arguments behind the marker,
// then the defaults. leading is the number of parameters before the named ones. It returns args itself where they are
// complete already.
func (a *arguments) arrange(s *Signature, args []abi.Any, leading int) ([]abi.Any, error) {
	marker := -1
	if k := kwargsMarker(); k != nil {
		for i := range args {
			if args[i].TypeIndex == abi.IndexObject && args[i].Pointer() == k.Address() {
				marker = i
				break
			}
		}
	}
	fixed := s.fixed()
	if marker < 0 && a.byName == 0 && (len(args) == fixed || s.variadic && len(args) > fixed) {
		return args, nil
	}
	positional, named := args, []abi.Any(nil)
	if marker >= 0 {
		positional, named = args[:marker], args[marker+1:]
	}
	var rest []abi.Any
	most := fixed - a.byName
	if s.variadic && len(positional) > most {
		positional, rest = positional[:most], positional[most:]
	}
	for i := 0; i+1 < len(named); i += 2 {
		if name, _ := named[i].Text(); !slices.Contains(a.names[:fixed-leading], name) {
			return nil, s.keywordError(name, a.names[:fixed-leading])
		}
	}
	if len(positional) > most || len(positional) < leading || len(named)%2 != 0 {
		return nil, s.countError(len(positional))
	}
	row := make([]abi.Any, fixed, fixed+len(rest))
	set := make([]bool, fixed)
	copy(row, positional)
	for i := range positional {
		set[i] = true
	}
	for i := 0; i < len(named); i += 2 {
		name, _ := named[i].Text()
		at := leading + slices.Index(a.names, name)
		if set[at] {
			return nil, fault.New("TypeError", "%s: argument '%s': got multiple values", s.calledAs(), name)
		}
		row[at], set[at] = named[i+1], true
	}
	firstDefault := fixed - len(a.defaults)
	for i := range row {
		switch {
		case set[i]:
		case i >= firstDefault:
			row[i] = a.defaults[i-firstDefault]
		default:
			return nil, fault.New("TypeError", "%s: argument '%s': missing", s.calledAs(), a.names[i-leading])
		}
	}
	return append(row, rest...), nil
}

// parseArgumentDefault reads a default as ParseDefault does, and also the empty containers [] and {}. Such a default is
// immutable, so all calls share it; a parameter that is a List or Dict gets a new copy at each call. The caller owns
// the result.
func parseArgumentDefault(text string, c *convert.Conv) (abi.Any, error) {
	index := abi.IndexArray
	switch text {
	case "[]":
	case "{}":
		index = abi.IndexMap
	default:
		v, err := ParseDefault(text, c)
		if err == nil && c.CallsOnly && c.Check != nil {
			if err = c.Check(&v); err != nil {
				values.Release(v)
			}
		}
		return v, err
	}
	v, err := values.Container(index, nil)
	if err != nil {
		return v, err
	}
	if c.Check != nil {
		if err := c.Check(&v); err != nil {
			values.Release(v)
			return abi.Any{}, err
		}
	}
	return v, nil
}

// ParseDefault reads a default (None, a number, true, false or 'text') and converts it to the type of c. The caller owns the
// result.
func ParseDefault(text string, c *convert.Conv) (abi.Any, error) {
	var v abi.Any
	switch {
	case text == "None":
		v = abi.None()
	case text == "true" || text == "True":
		v = abi.Bool(true)
	case text == "false" || text == "False":
		v = abi.Bool(false)
	case strings.HasPrefix(text, "'") && strings.HasSuffix(text, "'") && len(text) > 1:
		s, err := values.NewText(text[1 : len(text)-1])
		if err != nil {
			return abi.Any{}, err
		}
		v = s
	default:
		if n, err := strconv.ParseInt(text, 0, 64); err == nil {
			v = abi.Int(n)
		} else if n, ok := new(big.Int).SetString(text, 0); ok {
			if err := convert.FromGo(n, &v); err != nil {
				return abi.Any{}, err
			}
		} else if x, err := strconv.ParseFloat(text, 64); err == nil {
			v = abi.Float(x)
		} else {
			return abi.Any{}, err
		}
	}
	owned, got, failed := bridge.Convert(v, c.Type())
	values.Release(v)
	if got != "" {
		return abi.Any{}, &convert.Mismatch{Got: got}
	}
	return owned, fault.Take(failed)
}
