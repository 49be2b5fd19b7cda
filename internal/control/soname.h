// Libraries that are linked to libtvm_ffi.so, in a program that has the runtime in its executable. Private to the runtime.
#ifndef SELFSAME_INTERNAL_CONTROL_SONAME_H_
#define SELFSAME_INTERNAL_CONTROL_SONAME_H_

#pragma GCC visibility push(hidden)

// Makes the loader take a library that needs libtvm_ffi.so, without looking for a file. It does nothing when a library
// of that name is loaded already, or when the C functions of this runtime are not the ones that libraries bind to. Any
// thread may call it.
//
// Why the program that has the runtime loads an empty libtvm_ffi.so. A library that was linked to libtvm_ffi.so names
// it in its list of needed libraries. In a Go program the functions of that library are in the executable, and the
// loader binds to them, but before that it wants a library of the name. It is content with one that is loaded already
// under this SONAME. So internal/control/soname.c has the loader load one without symbols, from memory, before it opens
// the first module, and from a temporary file where there is no /proc. A real libtvm_ffi.so, which a search path may
// lead to, would instead be a second runtime in the process.
//
// Nothing is loaded where a library of that name is there already, as in Python, or where the runtime's functions are
// not those that libraries bind to.
void ss_provide_soname(void);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_SONAME_H_
