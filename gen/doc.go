// Package gen is what generated code calls: the files that `selfsame-ffi wrap` and `selfsame-ffi bind --go` write. A person's program needs package selfsame alone, unless it calls native functions so often that a [Callee] pays.
//
//   - Classes whose objects stand for Go values of another package: [Wrapped], [Wrap], [Implementation].
//   - What the calls of such classes need for contexts, channels, files, numbers and places: [During], [Sending], [ReadBytes],
//     [SumOf], [Place].
//   - Classes and functions that other code registers: [Declare], [ObjectHandle], [Accessor], [Callee], [Library].
//
// Generated code imports this package, package gen/overlay, package selfsame, and the packages that it is written for; no others of
// this module.
package gen
