package selfsame

import (
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Python lends the plain values of a list or dict to a parameter that copies them, a slice or a Go map, instead of making a
// container for the call. The metadata of the function says for which parameters.
//
// RATIONALE.md, "Why a list or dict is lent to a Go func that copies it"

// lentMetadata is the part of the metadata that says which arguments may be lent.
func (s *signature) lentMetadata() string {
	var at []string
	for i, c := range s.params[:s.fixed()] {
		if c.lends {
			at = append(at, strconv.Itoa(i))
		}
	}
	if at == nil {
		return ""
	}
	return `,"lent":[` + strings.Join(at, ",") + "]"
}

// throughContainer converts lent values that bulkSlice or bulkMap cannot: with from, of a container of the type index.
func throughContainer(index int32, lent []abi.Any, from func(v *abi.Any) error) error {
	views := make([]abi.Any, len(lent))
	for i, v := range lent {
		if v.TypeIndex == abi.IndexRawStr {
			v.Len = 0
		}
		views[i] = v
	}
	object, err := newContainer(index, views)
	if err != nil {
		return err
	}
	defer handles.DecRef(object)
	v := abi.ObjectValue(object)
	return from(&v)
}
