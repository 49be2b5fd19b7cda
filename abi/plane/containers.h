// Private to the data plane: what the containers' files offer to package plane's Go side.
#ifndef SELFSAME_ABI_PLANE_CONTAINERS_H_
#define SELFSAME_ABI_PLANE_CONTAINERS_H_

#include "plane.h"
#include "selfsame/internal/containers.h"

#pragma GCC visibility push(hidden)

// ---- buffers (buffer.c) --------------------------------------------------------------------------------

// Memory for a container's elements, to be released by ss_buffer_free; NULL with MemoryError raised.
void* ss_buffer_new(size_t size);
// A data_deleter: frees memory from ss_buffer_new, and from C++'s operator new too. NULL is a no-op.
void ss_buffer_free(void* data);
// Calls a data_deleter.
void ss_buffer_delete(void (*deleter)(void*), void* data);

// ---- destroying (teardown.c) ----------------------------------------------------------------------------

// Frame the part of a container's deleter that releases its elements. 0: the deleter must return at once, and is called
// again later. The memory is to be released, if it is, between the two calls.
int ss_teardown_enter(TVMFFIObject* self, int flags);
void ss_teardown_leave(void);

// ---- List and Shape (list.c, shape.c) ------------------------------------------------------------------

// The deleter of Array and List.
void ss_delete_sequence(void* self, int flags);
// A new List with room for n elements and none in it, or NULL raised.
TVMFFIObject* ss_list_new(int64_t n);
// Makes room for one more element; the capacity at least doubles. Returns 0, or -1 raised.
int ss_list_make_room(TVMFFISeqCell* cell);
// A new Shape of n dimensions, not filled in, or NULL raised.
TVMFFIObject* ss_shape_new(int64_t n, int64_t** dimensions);

// ---- Map and Dict (map_object.c, map_find.c, map_store.c, map_iterator.c) ------------------------------

// The deleter of Map and Dict, and a new one of `size` bytes (at least a whole SsMapCell) with nothing but its
// header filled in, or NULL raised.
void ss_delete_hash(void* self, int flags);
TVMFFIObject* ss_hash_new(int32_t type_index, size_t size);

// Looks up a key (any view); *out is NULL when there is none, else borrowed until the map changes. Returns 0 when the
// key cannot be looked up without code of others, or is not a key at all: then package container must.
int ss_hash_find(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out);

// Stores a value under a key (any views). Returns 1; 0 when this takes package container, with nothing done; -1 raised.
int ss_hash_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value);

// Removes the entry of a key (any view), if there is one. Returns 1, or 0 when this takes package container, with
// nothing done.
int ss_hash_erase(TVMFFIObject* map, const TVMFFIAny* key);

// Makes a Map or Dict of keys and values in turn (any views), as storing one after the other would. Returns 1 with *out
// a new reference, 0 when this takes package container, with nothing done, or -1 raised.
int ss_hash_build(int32_t type_index, const TVMFFIAny* args, int64_t pairs, TVMFFIObjectHandle* out);

// A function over the entries of a Map or Dict, which it retains. Returns 0, or -1 raised.
int ss_hash_iterator(TVMFFIObject* map, TVMFFIObjectHandle* out);

// ---- hash and equality of a class's own (key_hooks.c) --------------------------------------------------

// Calls what a type attribute holds: a C function or a Function. Returns 0, or -1 raised.
int ss_hash_hook(const TVMFFIAny* hook, const TVMFFIAny* key, uint64_t* out);
int ss_equal_hook(const TVMFFIAny* hook, const TVMFFIAny* a, const TVMFFIAny* b, int* out);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_CONTAINERS_H_
