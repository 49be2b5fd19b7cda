// The bytes of a bytearray, a memoryview or an array of uint8 lent to a Go function for the time of the call, where they lie.
// While they are lent, Python refuses to resize or release the memory.
#ifndef SELFSAME_PY_LENT_BYTES_H_
#define SELFSAME_PY_LENT_BYTES_H_

#include "convert/lent_values.h"

// *out is a view of the bytes of `value`, valid until the result is released. NULL, without an error: `value` is
// something else, its bytes do not lie side by side, or memory is short. Runs no Python code.
SS_HIDDEN SsLent* ss_lend_bytes(PyObject* value, TVMFFIAny* out);

#endif  // SELFSAME_PY_LENT_BYTES_H_
