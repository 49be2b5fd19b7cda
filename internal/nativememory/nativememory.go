// Package nativememory reads from a class's reflection data what the memory of its objects consists of.
package nativememory

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Kind says what a part of an object's memory is.
type Kind int

const (
	Scalar    Kind = iota // bytes that own nothing, such as a number
	Text                  // 16 bytes: a String, never None
	Bytes                 // 16 bytes: a Bytes, never None
	Value                 // 16 bytes: an owned value of any type
	Reference             // 8 bytes: an owning pointer to an object, or NULL
)

// Part is a field as it lies in the memory of an object.
type Part struct {
	Name         string
	Type         string // in the schema: int, ffi.String
	Kind         Kind
	Offset, Size int64 // in bytes, from the object's header
}

// The sizes of a pointer, to which all objects are aligned, and of a value.
const wordSize, valueSize = 8, 16

// Of returns the size of the class's objects in bytes, with their header, and their parts in the order of their offsets,
// inherited ones included. It fails, and says why, when the reflection data does not explain all of the memory: code that
// made or deleted such an object could not know what it owns. Any goroutine may call it.
func Of(info *abi.TypeInfo) (size int64, parts []Part, err error) {
	if info.Metadata == nil || info.Metadata.TotalSize == 0 {
		return 0, nil, fmt.Errorf("the library does not tell how large its objects are")
	}
	size = int64(info.Metadata.TotalSize)
	alignment := map[int64]int64{}
	for f := range info.AllFields() {
		part, err := partOf(f)
		if err != nil {
			return 0, nil, fmt.Errorf("field `%s` %w", f.Name.String(), err)
		}
		if slices.ContainsFunc(parts, func(p Part) bool { return p.Offset == part.Offset && p.Size == part.Size && p.Kind == part.Kind }) {
			continue // a second name of the same field
		}
		parts = append(parts, part)
		alignment[part.Offset] = max(f.Alignment, 1)
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(a.Offset, b.Offset) })
	end := int64(abi.BodyOffset)
	for _, p := range parts {
		if err := gap(end, p.Offset, alignment[p.Offset]); err != nil {
			return 0, nil, err
		}
		end = p.Offset + p.Size
	}
	return size, parts, gap(end, size, wordSize)
}

// gap fails unless what is between the end of one part and the begin of the next is what their alignment leaves free.
func gap(end, next, alignment int64) error {
	if next != (end+alignment-1)/alignment*alignment {
		return fmt.Errorf("no field tells what the bytes from %d to %d of its objects are", end, next)
	}
	return nil
}

func partOf(f *abi.FieldInfo) (Part, error) {
	p := Part{Name: strings.Clone(f.Name.String()), Offset: f.Offset, Size: f.Size}
	var metadata struct {
		TypeSchema string `json:"type_schema"`
	}
	var schema struct {
		Type string `json:"type"`
		Args []struct {
			Type string `json:"type"`
		} `json:"args"`
	}
	if json.Unmarshal(f.Metadata.Bytes(), &metadata) != nil || json.Unmarshal([]byte(metadata.TypeSchema), &schema) != nil {
		return p, fmt.Errorf("has no type")
	}
	if f.Alignment > wordSize {
		return p, fmt.Errorf("has an alignment of %d bytes; expected %d or less", f.Alignment, wordSize)
	}
	p.Type = schema.Type
	inner := ""
	if len(schema.Args) == 1 {
		inner = schema.Args[0].Type
	}
	switch t := schema.Type; {
	case isScalar(t), t == "Optional" && isScalar(inner) && f.Size <= 2*valueSize:
		p.Kind = Scalar
	case t == "ffi.String" && f.Size == valueSize:
		p.Kind = Text
	case t == "ffi.Bytes" && f.Size == valueSize:
		p.Kind = Bytes
	case f.Size == valueSize && (t == "Any" || t == "Variant" || t == "Optional" && (inner == "ffi.String" || inner == "ffi.Bytes" || inner == "Any")):
		p.Kind = Value
	case f.Size == wordSize && f.StaticTypeIndex >= abi.IndexStaticObjectBegin && isObject(t):
		p.Kind = Reference
	case f.Size == wordSize && t == "Optional" && (isObject(inner) || inner == "Tuple") && !isText(inner):
		p.Kind = Reference
	default:
		return p, fmt.Errorf("is a `%s`, of which only the library knows what it owns", t)
	}
	return p, nil
}

func isScalar(t string) bool {
	return slices.Contains([]string{"int", "float", "bool", "DataType", "dtype", "Device"}, t)
}

func isText(t string) bool { return t == "ffi.String" || t == "ffi.Bytes" }

// isObject reports whether a type of a schema is that of objects: a type key, which has a dot, or a tuple. The types of the C++
// standard library are none.
func isObject(t string) bool {
	return t == "Tuple" || t == "Object" || strings.Contains(t, ".") && !strings.HasPrefix(t, "std::")
}
