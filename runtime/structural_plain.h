// Structural equality and hash without entering Go, for plain trees: values of sequences, strings, shapes and classes
// that are compared by their fields alone. Private to the runtime.
// RATIONALE.md, "Why structural equality and hash are in C too, for plain trees".
#ifndef SELFSAME_RUNTIME_STRUCTURAL_PLAIN_H_
#define SELFSAME_RUNTIME_STRUCTURAL_PLAIN_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

typedef enum {
  SS_PLAIN_UNSUPPORTED,  // the values hold something that only package structural handles (a map, a variable, a class
                         // with a hook, an error to report), or there was no memory; the caller must fall back to it
  SS_PLAIN_RAISED,       // a getter failed and raised its error
  SS_PLAIN_DONE,
} SsPlainOutcome;

// Compares two objects (borrowed) with the result that package structural has. Sets *equal on SS_PLAIN_DONE.
SsPlainOutcome ss_plain_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal);

// Hashes an object (borrowed) with the result that package structural has. Sets *hash on SS_PLAIN_DONE.
SsPlainOutcome ss_plain_hash(const TVMFFIAny* value, uint64_t* hash);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_STRUCTURAL_PLAIN_H_
