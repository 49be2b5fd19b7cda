// Private to selfsame: what the files of the data plane offer to each other and to the runtime package.
//
// Everything named ss_* is hidden: only TVMFFI* and Selfsame* leave the library.
#ifndef SELFSAME_ABI_PLANE_PLANE_H_
#define SELFSAME_ABI_PLANE_PLANE_H_

#include <pthread.h>

#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// ---- objects (alloc.c) -----------------------------------------------------------------

// Memory for an object from the process's allocator, contents undefined; NULL with MemoryError or ValueError raised.
void* ss_object_space(size_t size, size_t alignment, int32_t type_index);

// A deleter for objects that own nothing but their memory.
void ss_delete_plain(void* self, int flags);

// ---- values (any.c, string.c) ------------------------------------------------------------------------

// Equal content: strings and bytes across small and heap, everything else by type and bits.
int ss_any_equal(const TVMFFIAny* a, const TVMFFIAny* b);

// The bytes of a string (want SmallStr) or bytes (want SmallBytes) value, small or heap. Returns 0 for any other.
int ss_any_bytes(const TVMFFIAny* any, TVMFFIByteArray* out);

// A string on the heap, even when it is short: what consumers of TVMFFIDataTypeToString have always been given. Returns
// 0, or -1 raised.
int ss_string_concat(const TVMFFIByteArray* parts, size_t n, TVMFFIAny* out);

// ---- errors (error.c) --------------------------------------------------------------------------------

// Raises an error with a formatted message in the calling thread's slot. Always returns -1.
int ss_raise(const char* kind, const char* format, ...) __attribute__((format(printf, 2, 3)));
// The same for text that is not NUL-terminated, or has no format.
int ss_raise_bytes(const char* kind, const char* message, size_t size);
// Raises MemoryError, with what was tried for; works when no memory is left at all. Always returns -1.
int ss_raise_no_memory(const char* what);
// The error in the calling thread's slot, borrowed, or NULL.
const TVMFFIObject* ss_raised(void);
// The raised error's message, or "" when there is none. Valid until the slot changes.
const char* ss_raised_message(void);
// Prints the raised error as upstream's functions without a return code do, and exits with status 255.
void ss_exit_with_raised(const char* function) __attribute__((noreturn));

// Raises ValueError and returns 0 when a pointer argument is NULL or a byte array has a size but no data.
int ss_raise_null(const char* function, const char* argument);
int ss_raise_no_data(const TVMFFIByteArray* b, const char* function, const char* argument);
static inline int ss_check_ptr(const void* p, const char* function, const char* argument) {
  return __builtin_expect(p != NULL, 1) ? 1 : ss_raise_null(function, argument);
}
static inline int ss_check_bytes(const TVMFFIByteArray* b, const char* function, const char* argument) {
  if (__builtin_expect(b == NULL, 0)) return ss_raise_null(function, argument);
  return __builtin_expect(b->data != NULL || b->size == 0, 1) ? 1 : ss_raise_no_data(b, function, argument);
}

// ---- maps (name_table.c) ------------------------------------------------------------------------------------

// An insert-only hash map. Look-ups take no lock and run beside an insertion; insertions hold the owner's lock.
typedef struct ss_node {
  struct ss_node* older;  // the node inserted before this one
  uint64_t hash;
  TVMFFIByteArray key;  // owned by the node, NUL-terminated
} ss_node;

typedef struct ss_slots ss_slots;

typedef struct ss_map {
  ss_slots* slots;
  ss_node* newest;
  size_t count;
} ss_map;

uint64_t ss_hash(const char* data, size_t size);  // the ABI's type_key_hash
ss_node* ss_map_find(const ss_map* map, const TVMFFIByteArray* key);
// Fills in node->hash and node->key (a copy) and publishes the node. Returns 0, or -1 with MemoryError raised.
int ss_map_insert(ss_map* map, ss_node* node, const TVMFFIByteArray* key);

// Zeroed memory for what readers find without a lock; NULL when there is none (nothing is raised then).
void* ss_table_memory(size_t count, size_t size);
// Frees such memory that no reader can have seen. NULL is a no-op.
void ss_table_free(void* memory);
// Keeps such memory, when it is outgrown, for the readers that may still be in it: it stays, and leak checkers see that
// it is kept. NULL is a no-op.
void ss_retire(void* memory);

// ---- readiness (startup.c) -------------------------------------------------------------------------------

// For a look-up that missed: waits until the runtime's start is done. Returns 1 when the caller must look again,
// because the start may have added it since; 0 on the thread that runs the start, in a forked child, and when it is too
// early to wait.
int ss_wait_ready(void);
// Whether the caller runs before the start on the thread that will run it, so that it cannot wait. Raises RuntimeError
// naming `function` then.
int ss_too_early(const char* function);
void ss_start_begin(void);  // on the thread that runs the runtime's start
void ss_start_end(void);    // on the same thread

// Whether this process may enter Go. Raises RuntimeError naming `function` and returns 0 in a forked child, and when it
// is too early.
int ss_may_enter_go(const char* function);

int ss_in_forked_child(void);

// Stands at the head of every function that goes on in Go.
#define SS_ENTER_GO(function, failure)                \
  do {                                                \
    if (!ss_may_enter_go(function)) return (failure); \
  } while (0)

// ---- types (types.c) -----------------------------------------------------------------------------------

// What stands behind a TVMFFITypeInfo. Written under the runtime's registration lock.
typedef struct ss_type {
  TVMFFITypeInfo info;  // first: a TVMFFITypeInfo* from these tables is a ss_type*
  TVMFFITypeMetadata metadata;
  ss_node node;  // in the map of keys
  int32_t num_slots;
  int32_t allocated_slots;
  int32_t can_overflow;
  int32_t field_capacity;
  int32_t method_capacity;
} ss_type;

#define SS_TYPE_LIMIT (1 << 24)  // type indices end here

ss_type* ss_type_at(int32_t type_index);             // NULL when not registered; does not wait
int32_t ss_type_by_key(const TVMFFIByteArray* key);  // -1 when not registered; does not wait
// Publishes a new type: afterwards every reader finds it whole. Returns NULL with MemoryError raised.
ss_type* ss_type_add(const TVMFFIByteArray* key, int32_t type_index, int32_t depth, const ss_type* parent,
                     int32_t num_slots, int32_t can_overflow);
// A NUL-terminated copy in memory from malloc; {NULL, 0} for empty text. Returns 0, or -1 with MemoryError raised.
int ss_copy_text(const TVMFFIByteArray* from, TVMFFIByteArray* to);
// Appends to a type's fields or methods; the entry is copied as it is. Returns 0, or -1 with MemoryError raised.
int ss_type_add_field(ss_type* type, const TVMFFIFieldInfo* field);
int ss_type_add_method(ss_type* type, const TVMFFIMethodInfo* method);
void ss_type_set_metadata(ss_type* type, const TVMFFITypeMetadata* metadata);

// ---- objects through reflection (object_create.c) --------------------------------------------------------------

// Makes an object of a type: through its creator, else through its attribute __ffi_new__. Returns 0, or -1 raised.
int ss_object_create(const TVMFFITypeInfo* type, TVMFFIObjectHandle* out);
// Sets a field to a (borrowed) value, or to its default; the field must have one. Returns 0, or non-zero with an error
// in the slot.
int ss_field_set(const TVMFFIFieldInfo* field, void* obj, const TVMFFIAny* value);
int ss_field_set_default(const TVMFFIFieldInfo* field, void* obj);

// ---- type attributes (type_attributes.c) -------------------------------------------------------------------------

typedef struct ss_column {
  ss_node node;
  TVMFFITypeAttrColumn column;
  int32_t capacity;
} ss_column;

ss_column* ss_column_find(const TVMFFIByteArray* name);  // NULL when there is none; does not wait
// Whether a type has a value in the column of this name; *column caches where it lies, NULL at first. Any thread.
int ss_column_has(ss_column** column, const char* name, int32_t type_index);
ss_column* ss_column_add(const TVMFFIByteArray* name);  // NULL with MemoryError raised
// Makes the column reach `type_index`. Returns the cell, or NULL with MemoryError raised.
TVMFFIAny* ss_column_reach(ss_column* column, int32_t type_index);
// Fills a cell that was None with an owned value; readers see the old value or the new one, never half of it.
void ss_column_fill(TVMFFIAny* cell, const TVMFFIAny* owned);

// ---- global functions (global_functions.c) ------------------------------------------------------------------------

typedef struct ss_name {
  ss_node node;
  TVMFFIObject* function;  // owned; NULL while the name stands for nothing. Guarded by the node's lock
  uint64_t order;          // grows with every registration; 0 when removed
  TVMFFIMethodInfo info;   // name, doc, metadata, flags of the registration (method: none)
} ss_name;

ss_name* ss_name_find(const TVMFFIByteArray* name);  // registered or once registered; NULL when never; does not wait
TVMFFIObject* ss_name_function(ss_name* name);       // new reference, or NULL
// Puts `function` (borrowed, retained) under a name. Returns -1 with MemoryError raised, else 0. *old is the function
// it replaces, or NULL: the caller releases it, after letting go of its locks, because that may run any code.
int ss_name_put(const TVMFFIByteArray* name, TVMFFIObject* function, const TVMFFIMethodInfo* info, TVMFFIObject** old);
TVMFFIObject* ss_name_remove(ss_name* name);  // the function that was there (the caller releases it), or NULL
// The names in use, first come first. The caller frees the array with free(). Returns the count, or -1 raised.
int64_t ss_names_list(const TVMFFIByteArray** out);

// ---- big integers (bigint.c) ---------------------------------------------------------------------------

int64_t ss_bigint_hash_of(const TVMFFIObject* bigint);
// What the type attributes __any_hash__ and __any_equal__ of BigInt hold: C functions.
void* ss_bigint_hash(void);
void* ss_bigint_equal(void);

// ---- sequences (array.c) -------------------------------------------------------------------------------

// A new Array with room for n elements and none in it, or NULL raised.
TVMFFIObject* ss_array_new(int64_t n);
// Moves an owned value to the end of an Array that has room for it.
void ss_array_push(TVMFFIObject* array, const TVMFFIAny* owned);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_PLANE_H_
