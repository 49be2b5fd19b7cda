// Reading what a native owns, also where its memory may go away meanwhile.
#ifndef SELFSAME_PY_ACCOUNT_READ_H_
#define SELFSAME_PY_ACCOUNT_READ_H_

#include "edges.h"

// How much of a native is looked at first; every builtin type's own part is smaller.
enum { SS_HEAD_SIZE = 96 };

// Called for each reference; an answer other than 0 ends the reading.
typedef int (*SsEdgeFn)(void* arg, TVMFFIObject* child);

// Copies `size` bytes from memory that may not be there. 0, or -1 when it is not.
SS_HIDDEN int ss_copy_memory(const void* from, void* to, size_t size);

// The references of a native that nobody changes meanwhile. What `edge` answered.
SS_HIDDEN int ss_read_own(TVMFFIObject* object, SsEdgeFn edge, void* arg);

// The references of a native of which `head` is a copy of the first `head_size` bytes. `there`: the native's own memory
// does not go away, though others may change it. Each copy costs one of *reads_left. -1 when the native cannot be read.
SS_HIDDEN int ss_read_shared(TVMFFIObject* object, const char* head, size_t head_size, int there, int64_t* reads_left,
                             SsEdgeFn edge, void* arg);

// The Python object that a native owns, from a copy of its head.
SS_HIDDEN PyObject* ss_payload_in_head(const char* head);

#endif  // SELFSAME_PY_ACCOUNT_READ_H_
