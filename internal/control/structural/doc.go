// Package structural finds the paths to the place of an error in a value. The walks that compare and hash values by their
// structure are in C: internal/plane/walks/structural.h, and structural_callbacks.h for those that call functions for the parts of a
// value. internal/plane/walks/structural.h says why.
package structural
