// Capsules of Arrow's PyCapsule interface. Native code fills and reads the structs in them, by address.
#ifndef SELFSAME_CORE_CONVERT_ARROW_H_
#define SELFSAME_CORE_CONVERT_ARROW_H_

#include "tie/core.h"

// arrow_capsule(name, fill): a capsule of that name, "arrow_schema" or "arrow_array", with a struct that fill(address)
// has
// filled. New reference, NULL with an error set. Frees the struct with the capsule, and what it owns unless a consumer
// took it.
SS_HIDDEN PyObject* ss_arrow_capsule(PyObject* module, PyObject* args);

// arrow_stream(schema, next): a capsule "arrow_array_stream". schema(address) fills an ArrowSchema, next(address) the
// next
// ArrowArray, which stays released at the end. New reference, NULL with an error set. The stream's functions may be
// called on
// any thread, with the GIL or without; an exception is their failure.
SS_HIDDEN PyObject* ss_arrow_stream(PyObject* module, PyObject* args);

// arrow_address(capsule, name): the address of the struct in a capsule of a name.
SS_HIDDEN PyObject* ss_arrow_address(PyObject* module, PyObject* args);

#endif  // SELFSAME_CORE_CONVERT_ARROW_H_
