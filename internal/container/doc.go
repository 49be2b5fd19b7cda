// Package container reads and changes the memory of the ABI's containers: Map and Dict, which share one layout, and
// List. C++ code that was compiled against the ABI's headers does the same to the same objects, so every layout and
// every rule here is the ABI's, down to the hash bucket that an entry goes to. In C the layout is described in
// selfsame/internal/containers.h. RATIONALE.md, "Why the hash table's rules are in Go, and most of them in C again".
//
// The package is pure Go. Memory, the release of a last reference, and the hash and equality hooks of classes come
// through a Host, so that the runtime and a client of the C ABI can both use it, and reading never calls C.
//
// Ownership: a container owns its elements. A method that stores values takes over the caller's references, also when
// it fails: then it releases them. A pointer into a container is borrowed and valid until the container changes.
//
// Threads: the ABI has no lock in a container. Any number of threads may read one; the caller makes sure that no other
// thread uses a container while it changes.
//
// A method that fails leaves the container as it was.
package container
