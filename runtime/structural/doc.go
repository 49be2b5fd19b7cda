// Package structural compares, hashes, visits and mutates values by their structure: down through containers and
// fields. The reflection data of a class says which fields count, which of them define variables, and whether objects
// of the class are compared by identity.
//
// Equal, Hash and FirstMismatch are in C: abi/plane/structural.h.
// RATIONALE.md, "Why structural equality and hash are in C".
package structural
