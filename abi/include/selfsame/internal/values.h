// Writing and releasing values (TVMFFIAny). Any thread.
#ifndef SELFSAME_INTERNAL_VALUES_H_
#define SELFSAME_INTERNAL_VALUES_H_

#include "selfsame/internal/refcount.h"

static inline void ss_set_none(TVMFFIAny* any) {
  any->type_index = kTVMFFINone;
  any->zero_padding = 0;
  any->v_uint64 = 0;
}

// Field by field: a value that was stored field by field and is then copied with one wide load stalls that load until
// the stores have left the store buffer.
static inline void ss_set_bits(TVMFFIAny* any, int32_t type_index, uint64_t bits) {
  any->type_index = type_index;
  any->zero_padding = 0;
  any->v_uint64 = bits;
}

// Stores an object. An owned value takes over the caller's reference, a view borrows it.
static inline void ss_set_object(TVMFFIAny* any, void* object) {
  any->type_index = ((TVMFFIObject*)object)->type_index;
  any->zero_padding = 0;
  any->v_obj = (TVMFFIObject*)object;
}

// Releases the reference of an owned value and leaves None.
static inline void ss_any_clear(TVMFFIAny* any) {
  TVMFFIObject* object = any->type_index >= kTVMFFIStaticObjectBegin ? any->v_obj : NULL;
  ss_set_none(any);  // before the release: a deleter may run code that reads this value
  ss_xdecref(object);
}

#endif  // SELFSAME_INTERNAL_VALUES_H_
