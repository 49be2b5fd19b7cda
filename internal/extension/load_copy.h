// Loading the copy of an extension's library that brings Go back in a forked child. Private to the extension.
#ifndef SELFSAME_INTERNAL_EXTENSION_LOAD_COPY_H_
#define SELFSAME_INTERNAL_EXTENSION_LOAD_COPY_H_

#include <stddef.h>
#include <stdint.h>

// Loads a copy of the library that *handover lies in, with `value` in the copy's variable. 0, or -1 with the reason in
// `message`. As ss_self_copy_load, it may be called by any thread that may call dlopen.
int ss_extension_load_copy(volatile uint64_t* handover, uint64_t value, char* message, size_t size);

#endif  // SELFSAME_INTERNAL_EXTENSION_LOAD_COPY_H_
