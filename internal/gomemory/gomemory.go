// Package gomemory makes the Go runtime of a shared library map less of its process's address space. It has nothing to
// call: a library that imports it has its C function mmap (reserve_linux.c), which Go's runtime maps its memory with.
// RATIONALE.md, "Why Go's largest reservations are none".
package gomemory
