// Lists and dicts of scalars, lent to a Go function for the time of the call. The function copies what it takes, so it
// needs no native container and no native text, whose making takes most of the time otherwise.
//
// Why a list or dict is lent to a Go func that copies it. A native Map or Array for such an argument takes two thirds
// of a call's instructions for objects that nobody keeps. So the metadata lists the parameters under "lent", and Python
// passes views of the values, and holds the texts until the call has returned. Loops that know the types
// (internal/engine/convert/scalar_loops.go) copy the values. They give up at the first element that needs a conversion;
// then a container is made after all, so conversions and errors are the same. Only scalars of a list or dict are lent,
// and only with the GIL: without it another thread could change the list while it is read. Behind the marker of keyword
// arguments a place says nothing about its parameter, so nothing is lent there. Functions get the mark from the package
// that declares them, not from their global name, which others can register again.
//
// Short texts of a list or dict with 16 values or more share chunks of 256 bytes
// (internal/engine/convert/text_chunks.go), because Go's allocator costs more than the copy. A text that outlives the
// others keeps up to 256 bytes. Lent, a dict of 100 takes 0.8 times PyO3's instructions and 1,000 texts 0.6, in a
// container 2.8 and 2 times (`scripts/bench.sh --profile go "in"`).
#ifndef SELFSAME_CORE_CONVERT_LENT_VALUES_H_
#define SELFSAME_CORE_CONVERT_LENT_VALUES_H_

#include "convert/convert.h"
#include "tie/core.h"

// The values that one argument lends: the first member of a struct that `release` frees.
typedef struct SsLent SsLent;
struct SsLent {
  SsLent* next;                   // what was lent to the call before; owned by the call
  void (*release)(SsLent* self);  // runs no Python code; keeps the error that is set
};

// One bit for each of the first arguments of a Function.
typedef struct {
  uint32_t values;   // a list or dict of scalars is lent as such
  uint32_t numbers;  // a list of floats or ints, and a buffer of numbers, is lent as a DLTensor
  uint32_t bytes;    // a bytearray or memoryview is lent as a TVMFFIByteArray
  uint32_t records;  // not lent: an object whose fields the function reads, which may be tensors
  uint32_t written;  // the function writes through it: see below, written_values.c
  uint32_t any;      // of those the ones that take any value
} SsLentMask;

static inline int ss_lends(SsLentMask mask) {
  return ((mask.values | mask.numbers | mask.bytes | mask.records | mask.written) & 1) != 0;
}

static inline int ss_lends_nothing(SsLentMask mask) {
  return (mask.values | mask.numbers | mask.bytes | mask.records | mask.written) == 0;
}

// The mask of the arguments from the second on.
static inline SsLentMask ss_lent_rest(SsLentMask mask) {
  return (SsLentMask){mask.values >> 1,  mask.numbers >> 1, mask.bytes >> 1,
                      mask.records >> 1, mask.written >> 1, mask.any >> 1};
}

// Lends a value to the argument of the lowest bits: *out is a view of it, valid until ss_lent_release. Adds what has to
// be released to *all. 1: lent. 0: `value` is something else, has more than scalars in it, or memory is short; it must
// be converted. Runs no Python code but what the collector runs, and sets no error.
SS_HIDDEN int ss_lend(PyObject* value, SsLentMask mask, TVMFFIAny* out, SsLent** all);

// Releases all that was lent, after the call. Runs no Python code; keeps the error that is set.
SS_HIDDEN void ss_lent_release(SsLent* all);

// Function of the module: lend_arguments(function, values, numbers, bytes, records, written, any).
SS_HIDDEN PyObject* ss_lend_arguments(PyObject* module, PyObject* args);

// ---- lent_bytes.c ---------------------------------------------------------------------------------

// The bytes of a bytearray, a memoryview or an array of uint8 lent to a Go function for the time of the call, where they lie.
// While they are lent, Python refuses to resize or release the memory.
//
// Why bytes cross without a copy only where a func says so. []byte is a copy, because a Go func may keep it or write to
// it. A parameter of the type Lent says that the func does neither: then bytes cross without a copy, those of a
// bytearray or memoryview through the buffer protocol, which refuses to resize it during the call. A result without a
// copy would have to keep Go memory for as long as Python uses it: a Tensor does that.

// *out is a view of the bytes of `value`, valid until the result is released. NULL, without an error: `value` is
// something else, its bytes do not lie side by side, or memory is short. Runs no Python code.
SS_HIDDEN SsLent* ss_lend_bytes(PyObject* value, TVMFFIAny* out);

// ---- lent_numbers.c -------------------------------------------------------------------------------

// Numbers lent to a Go function for the time of the call, as a DLTensor. The numbers of a buffer, such as a NumPy
// array, are lent where they lie; a list of floats or ints is packed into words. Packed numbers take half the memory of
// views, and Go reads them in one step.
//
// Why numbers are lent as a DLTensor. The ABI has it as a borrowed argument, and Go copies it in one step. A class
// written in Python may say itself how it is converted, so it is not lent; nor is a list that mixes types. []float64
// stays a copy, because a Go func may keep it. LentSlice[float64] says that it does not, and is read where it lies. A
// reference to a NumPy array keeps its memory, another object's buffer is held; the content is the caller's affair.
//
// Against PyO3 (`scripts/bench.sh --profile go "1,000"`) lists of floats or ints take 0.8 to 0.9, lent 0.4, an array
// lent 1.0 to 1.1. Not reached: 1.5 for an array that is copied, which takes 2.3 to 2.6. Go's own copy of its 8 KB (row
// "Go's own copy") is 0.8 of PyO3's whole call, and a call that copies nothing 1.0.

// *out is a view of the numbers of `value`, valid until the result is released. NULL, without an error: `value` has
// other contents, or a class written in Python; or memory is short. With `writable` only the numbers or bytes of a buffer are
// lent that can be written. Runs no Python code.
SS_HIDDEN SsLent* ss_lend_numbers(PyObject* value, int writable, TVMFFIAny* out);

// Whether a value has memory of its own that ss_lend_numbers and others may ask for without running Python code: it is of a class
// written in C, and no wrapper. The class of a Python programmer may say itself how it is converted.
SS_HIDDEN int ss_has_buffer_of_c(PyObject* value);

// The data type of a format of the struct module for one number in native byte order; bits is 0 for other formats.
SS_HIDDEN DLDataType ss_format_dtype(const char* format, Py_ssize_t size);

// ---- written_values.c -----------------------------------------------------------------------------

// The arguments of a Go function that writes through them. Memory that can be written is lent where it lies; a list, a dict and any
// other Python object arrives opaque: Go asks for its parts, and gives it back what changed (internal/engine/convert/written.go).

// *out is a view of what the function gets of `value`, for the argument of the lowest bits. Adds what has to be released to *all. 1: it
// is set; 0: `value` is converted as any argument; -1 with an error set.
SS_HIDDEN int ss_lend_written(PyObject* value, SsLentMask mask, TVMFFIAny* out, SsLent** all, SsTemps* temps);

#endif  // SELFSAME_CORE_CONVERT_LENT_VALUES_H_
