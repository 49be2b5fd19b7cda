// Package container reads the memory of the ABI's containers: Map and Dict, which share one layout, and List. C++ code
// that was compiled against the ABI's headers reads and changes the same objects, so the layout is the ABI's, down to the
// hash bucket that an entry goes to. In C it is described in selfsame/internal/containers.h, and all rules by which
// containers change are in C too (internal/plane). RATIONALE.md, "Why containers change in C, and Go reads them".
//
// The package is pure Go. It looks up keys whose classes have no hash or equality hook; others can be looked up in C
// only.
//
// A pointer into a container is borrowed and valid until the container changes.
//
// Threads: the ABI has no lock in a container. Any number of threads may read one; the caller makes sure that no other
// thread uses a container while it changes.
package container
