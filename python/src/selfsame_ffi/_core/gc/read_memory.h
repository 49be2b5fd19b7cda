// Reading what a native owns, also where its memory may go away meanwhile.
#ifndef SELFSAME_PY_ACCOUNT_READ_H_
#define SELFSAME_PY_ACCOUNT_READ_H_

#include "gc/references.h"

// How much of a native is copied at first: every builtin type's own part is much smaller, and the elements of short
// containers mostly lie in it too.
enum { SS_HEAD_SIZE = 256 };

// Called for each reference; an answer other than 0 ends the reading.
typedef int (*SsReferenceFn)(void* arg, TVMFFIObject* child);

// Copies `size` bytes from memory that may not be there. 0, or -1 when it is not.
SS_HIDDEN int ss_copy_memory(const void* from, void* to, size_t size);

// Copies the heads of `n` natives into `heads`, SS_HEAD_SIZE bytes each, with as few system calls as it can; n is at
// most SS_HEADS. Returns how many it copied, from the first on: the one behind cannot be read.
enum { SS_HEADS = 64 };
SS_HIDDEN int ss_copy_heads(TVMFFIObject* const* natives, int n, char* heads);

// The references of a native that nobody changes meanwhile. What `edge` answered.
SS_HIDDEN int ss_read_own(TVMFFIObject* object, SsReferenceFn edge, void* arg);

// The references of a native that others may be changing. `head`: a copy of its head; NULL when its own memory does not
// go away. Each further copy costs one of *reads_left. -1 when the native cannot be read.
SS_HIDDEN int ss_read_shared(TVMFFIObject* object, const char* head, int64_t* reads_left, SsReferenceFn edge,
                             void* arg);

// The Python object that a native owns, from a copy of its head.
SS_HIDDEN PyObject* ss_payload_in_head(const char* head);

#endif  // SELFSAME_PY_ACCOUNT_READ_H_
