// Package handles has the process's Go handles: a table that leads from a native object to the one Go value that stands for
// it, its [State]. The frontend's handle types are States under other types.
//
//   - table.go: the handle table and its entries; state.go: fetch and release; refs.go: reference counts.
//   - calls.go: the extent of a call of a func that keeps no handle.
//   - lent.go: States that end with the call that they were made for; scope.go: with the iterators of a call.
//   - reach.go: whether a Go value leads to a State.
//   - young.go: new States, which no weak pointer leads to yet, and the weakened ones, which a collection may find.
//   - weight.go, pacing.go: the native memory behind handles, and when it starts a collection.
//   - collector.go: the goroutine that finds the States which nobody refers to, and releases their references; idle.go: the
//     collection when the program stops.
//   - collect.go: a collection until nothing more is found; directory.go: the numbers of table entries.
//   - stop.go: the end of all this, before the interpreter ends whose objects the handles may keep.
//   - read_only.go: which Tensors are over memory that must not be written.
//   - freelist.go: dead objects whose memory the next objects of the class use.
//   - ondrop.go: objects whose class has OnDrop, when their last reference is gone.
//   - gorefs.go: Go values that native objects own; gchook.go: what runs after each garbage collection.
//   - thread_*.go, freelist_off.go, trace_*.go: what depends on the system and on build tags.
//
// Lending: a State that only calls have fetched which keep no handle ends with the last of them, and needs no collector.
// cmd/selfsame-ffi/internal/kept finds out at build time which funcs and parameters those are, and internal/engine/sourcetext/kept.go
// reads its table. internal/engine/call/lent_handles.go begins and ends the Lent of a call whose parameters lend, and
// internal/engine/convert/lent_handles.go makes the handles with it. EnterCall, for a func that keeps nothing, has all other handles
// of its goroutine end too: the results of callbacks, elements, fields and new objects. A Share has what iterators fetch end with the
// last loop. RATIONALE.md, "Why a build looks at which handles a func keeps", has the reasons and what a rule without the look would cost.
//
// Locks, in the order in which they are taken: collector.collecting, youngList.weakening, entry.mu, then handleTable.mu or youngList.mu.
// idle.mu is taken with or without entry.mu, and collector.mu last of all.
// goRefTable.mu, freeLists.mu and drops.mu are taken alone, except that Allocator.New holds freeLists.mu while it counts in C.
package handles
