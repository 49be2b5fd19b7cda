// Storing values in the fields of classes declared in Python, whose storage is what their type index says.
#ifndef SELFSAME_CORE_TYPES_FIELD_STORE_H_
#define SELFSAME_CORE_TYPES_FIELD_STORE_H_

#include "wrapper/classes.h"

// Moves an owned value that fits the storage of the type index `storage` to `address`, and returns the owned value that
// was there. Runs no other code.
SS_HIDDEN TVMFFIAny ss_field_store(int32_t storage, void* address, const TVMFFIAny* value);

#endif  // SELFSAME_CORE_TYPES_FIELD_STORE_H_
