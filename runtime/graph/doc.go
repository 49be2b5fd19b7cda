// Package graph has what every walk over objects needs: the fields of a class and how to read them, in Go where the
// storage is known and in one crossing per object where it is not; calls of Functions and type attributes; a table of
// objects; and the pins that keep what is borrowed alive while code of others runs.
package graph
