// Package structural compares and hashes values by their structure: down through containers and fields. The reflection
// data of a class says which fields count, which of them define variables, and whether objects of the class are compared
// by identity. It also finds the paths to the place of an error.
//
// The walks are in C: internal/plane/structural.h, and structural_callbacks.h for those that call functions for the
// parts of a value. internal/plane/structural.h says why.
package structural
