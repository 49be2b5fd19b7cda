// The bytes of a bytearray, a memoryview or an array of uint8 lent to a Go function for the time of the call, where they lie.
// While they are lent, Python refuses to resize or release the memory.
//
// Why bytes cross without a copy only where a func says so. []byte is a copy, because a Go func may keep it or write to
// it. A parameter of the type Lent says that the func does neither: then bytes cross without a copy, those of a
// bytearray or memoryview through the buffer protocol, which refuses to resize it during the call. A result without a
// copy would have to keep Go memory for as long as Python uses it: a Tensor does that.
#ifndef SELFSAME_CORE_CONVERT_LENT_BYTES_H_
#define SELFSAME_CORE_CONVERT_LENT_BYTES_H_

#include "convert/lent_values.h"

// *out is a view of the bytes of `value`, valid until the result is released. NULL, without an error: `value` is
// something else, its bytes do not lie side by side, or memory is short. Runs no Python code.
SS_HIDDEN SsLent* ss_lend_bytes(PyObject* value, TVMFFIAny* out);

#endif  // SELFSAME_CORE_CONVERT_LENT_BYTES_H_
