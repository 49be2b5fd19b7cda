// Package gomemory makes the Go runtime of a shared library map less of its process's address space, and gives a heap that is
// collected often more room (heap.go). It has nothing to call: a library that imports it has its C function mmap (reserve_linux.c), which Go's runtime maps its memory with.
//
// Why Go's largest reservations are none. Go's page allocator reserves an index of the whole address space, 1.1 GB
// without access, in each library that contains Go. That fails under `ulimit -v`, and pushes what a just-in-time
// compiler maps next out of reach of libstdc++. So reserve_linux.c defines the mmap that Go's runtime calls, hidden
// in each library. It answers those reservations with addresses above Go's heaps and below all executables, and maps
// the pages that Go wants there later without replacing anything (MAP_FIXED_NOREPLACE). If such a page is taken, Go
// reports that it is out of memory. Where the kernel does not know that flag, or a sanitizer owns that range, Go gets
// its reservation.
//
// glibc makes an arena of 64 MB for each thread that calls free, and runtime/cgo passes a new thread its arguments in a
// block that the thread frees. That block is moved into memory that malloc mapped by itself, whose release needs no
// arena. Together an import takes less than a fifth of the address space (`make footprint`).
package gomemory
