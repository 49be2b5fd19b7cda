// Package handles has the process's Go handles: a table that leads from a native object to the one Go value that stands for
// it, its [State]. The frontend's handle types are States under other types.
//
//   - table.go: the handle table and its entries; state.go: fetch, adopt and release; refs.go: reference counts.
//   - nursery.go: new States, which no weak pointer leads to before the next garbage collection.
//   - freelist.go: dead objects whose memory the next objects of the class use.
//   - gorefs.go: Go values that native objects own; gchook.go: the work after each garbage collection.
//
// Locks, in the order in which they are taken: nurseryList.registering, entry.mu, then handleTable.mu or nurseryList.mu.
// goRefTable.mu and freeLists.mu are taken alone, except that Allocator.New holds freeLists.mu while it counts in C.
package handles
