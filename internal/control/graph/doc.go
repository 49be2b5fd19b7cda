// Package graph has the parts that all walks over object graphs share: the fields of a class and how to read them (in
// Go where the storage is known, else with one call into C per object), type attributes, calls of hooks and of the
// callbacks that hooks get (Walk), a table of objects, and functions that make values.
//
// A walk owns nothing that it only reads: it borrows each object from the one before (see Pins). Functions of this
// package report an error that is in thread-local storage already as fault.ErrRaised.
package graph
