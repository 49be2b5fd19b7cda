// Private to the runtime: structural equality and hash without entering Go, for what most graphs are made of.
#ifndef SELFSAME_RUNTIME_STRUCTURAL_PLAIN_H_
#define SELFSAME_RUNTIME_STRUCTURAL_PLAIN_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// What a walk came to. SS_PLAIN_LEFT: there is something in the values that package structural has to look at (a map, a
// variable, a class with a hook, an error to report), or no memory; nothing has been done. SS_PLAIN_RAISED: a getter
// failed, and its error is in the slot.
typedef enum { SS_PLAIN_LEFT, SS_PLAIN_RAISED, SS_PLAIN_DONE } ss_plain_outcome;

// Compares two objects (borrowed) as package structural does. *equal is set when it is done.
ss_plain_outcome ss_plain_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal);

// Hashes an object (borrowed) as package structural does. *hash is set when it is done.
ss_plain_outcome ss_plain_hash(const TVMFFIAny* value, uint64_t* hash);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_STRUCTURAL_PLAIN_H_
