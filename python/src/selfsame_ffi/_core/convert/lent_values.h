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
  uint32_t written;  // the function writes through it: see written_values.h
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

#endif  // SELFSAME_CORE_CONVERT_LENT_VALUES_H_
