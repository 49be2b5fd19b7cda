// Package container reads and changes the memory of the ABI's containers: Map and Dict, which share one layout, and
// List. C++ code that was compiled against the ABI's headers does the same to the same objects, so every layout and
// every rule here is the ABI's, down to the slot an entry goes to.
//
// The package is Go alone. What it needs of the process around it (memory, the release of a last reference, the hash
// and equality that a class brings along) comes through a Host, so that the runtime and a client of the C ABI can use
// it alike, and so that reading never crosses into C.
//
// Ownership: a container owns the values in its cells. Values given to a method that stores them are moved in, also
// when the method fails: then it releases them. A pointer into a container is borrowed and valid until the container
// changes.
//
// Threads: the ABI has no lock in a container. Reads may run side by side; a change excludes everything else on the
// same container.
//
// A method that fails leaves the container as it was.
package container
