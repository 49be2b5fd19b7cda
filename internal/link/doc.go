// Package link says which runtime the frontend is linked with: its own, in the program, or the library that the stubs bind
// in the process (build tag selfsame_shared).
package link
