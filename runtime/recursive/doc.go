// Package recursive has the operations over whole values that a dataclass has in other languages: a deep copy, a
// printed form, equality, order and a hash, each down through containers and fields, with cycles.
package recursive
