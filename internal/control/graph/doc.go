// Package graph has the parts that all walks over object graphs share. It knows the fields of a class and how to read
// them: in Go where the storage is known, else with one call into C per object. It reads type attributes, calls hooks
// and the callbacks that hooks get (Walk), and has a table of objects and functions that make values.
//
// A walk owns nothing that it only reads: it borrows each object from the one before (see Pins). Functions of this
// package report an error that is in thread-local storage already as fault.ErrRaised.
package graph
