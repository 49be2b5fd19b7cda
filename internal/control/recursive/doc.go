// Package recursive has the operations of a dataclass for whole values: deep copy, text, equality, order and hash. Each
// goes down through containers and fields, and all but the order accept cycles.
//
// All but the text are in C: internal/plane/recursive.h. internal/plane/structural.h says why.
package recursive
