// Libraries that are linked to libtvm_ffi.so, in a program that has the runtime in its executable. Private to the runtime.
#ifndef SELFSAME_RUNTIME_SONAME_H_
#define SELFSAME_RUNTIME_SONAME_H_

#pragma GCC visibility push(hidden)

// Makes the loader take a library that needs libtvm_ffi.so, without looking for a file. It does nothing when a library
// of that name is loaded already, or when the C functions of this runtime are not the ones that libraries bind to. Any
// thread may call it.
// RATIONALE.md, "Why the program that has the runtime loads an empty libtvm_ffi.so"
void ss_provide_soname(void);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_SONAME_H_
