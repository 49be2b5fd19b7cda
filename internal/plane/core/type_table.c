// The type table: chunks of pointers to entries, and a name table of keys. Chunks and entries never move.
#include "type_table.h"

#include <stdlib.h>
#include <string.h>

#include "fork.h"
#include "name_table.h"
#include "raise.h"
#include "selfsame/selfsame.h"
#include "startup.h"

#define CHUNK_BITS 10
#define CHUNK_SIZE (1 << CHUNK_BITS)

static SsType** chunks[SS_TYPE_LIMIT >> CHUNK_BITS];
static SsType* first_chunk[CHUNK_SIZE];  // spares the common indices one load
static SsNameTable keys;
static int32_t index_end;

SsType* ss_type_at(int32_t type_index) {
  if ((uint32_t)type_index < CHUNK_SIZE) return __atomic_load_n(&first_chunk[type_index], __ATOMIC_ACQUIRE);
  if ((uint32_t)type_index >= SS_TYPE_LIMIT) return NULL;
  SsType** chunk = __atomic_load_n(&chunks[type_index >> CHUNK_BITS], __ATOMIC_ACQUIRE);
  return chunk == NULL ? NULL : __atomic_load_n(&chunk[type_index & (CHUNK_SIZE - 1)], __ATOMIC_ACQUIRE);
}

int32_t ss_type_by_key(const TVMFFIByteArray* key) {
  SsNameNode* node = ss_name_table_find(&keys, key);
  if (node == NULL) return -1;
  return ((SsType*)((char*)node - offsetof(SsType, node)))->info.type_index;
}

int32_t ss_type_by_text(const char* data, size_t size) {
  TVMFFIByteArray key = {data, size};
  return ss_type_by_key(&key);
}

// The pointer for an index, with its chunk made when it is missing. NULL: out of memory.
static SsType** pointer_at(int32_t type_index) {
  if (type_index < CHUNK_SIZE) return &first_chunk[type_index];
  SsType*** chunk_at = &chunks[type_index >> CHUNK_BITS];
  if (*chunk_at == NULL) {
    SsType** chunk = calloc(CHUNK_SIZE, sizeof(SsType*));
    if (chunk == NULL) return NULL;
    __atomic_store_n(chunk_at, chunk, __ATOMIC_RELEASE);
  }
  return &(*chunk_at)[type_index & (CHUNK_SIZE - 1)];
}

static SsType* type_add_locked(const TVMFFIByteArray* key, int32_t type_index, int32_t depth, const SsType* parent,
                               int32_t num_slots, int32_t can_overflow) {
  SsType** place = pointer_at(type_index);
  SsType* type = ss_table_memory(1, sizeof(SsType));
  const TVMFFITypeInfo** ancestors = calloc((size_t)depth + 1, sizeof(TVMFFITypeInfo*));
  if (place == NULL || type == NULL || ancestors == NULL) {
    ss_table_free(type);
    free(ancestors);
    ss_raise_no_memory("a type");
    return NULL;
  }
  if (depth > 0) {
    memcpy(ancestors, parent->info.type_ancestors, (size_t)(depth - 1) * sizeof(TVMFFITypeInfo*));
    ancestors[depth - 1] = &parent->info;
  }
  type->num_slots = num_slots;
  type->allocated_slots = 1;
  type->can_overflow = can_overflow;
  type->info.type_index = type_index;
  type->info.type_depth = depth;
  type->info.type_ancestors = ancestors;
  // Published under its index first: a reader that finds the key will look up the index next.
  if (ss_copy_text(key, &type->info.type_key) != 0) {
    ss_table_free(type);
    free(ancestors);
    return NULL;
  }
  type->info.type_key_hash = ss_name_hash(key->data, key->size);
  __atomic_store_n(place, type, __ATOMIC_RELEASE);
  if (type_index >= index_end) __atomic_store_n(&index_end, type_index + 1, __ATOMIC_RELEASE);
  if (ss_name_table_insert(&keys, &type->node, key) != 0) {
    // No caller was given this index, but a thread that walks over all types may read the entry.
    __atomic_store_n(place, NULL, __ATOMIC_RELEASE);
    ss_retire(type);
    return NULL;
  }
  return type;
}

SsType* ss_type_add(const TVMFFIByteArray* key, int32_t type_index, int32_t depth, const SsType* parent,
                    int32_t num_slots, int32_t can_overflow) {
  ss_tables_lock();
  SsType* result = type_add_locked(key, type_index, depth, parent, num_slots, can_overflow);
  ss_tables_unlock();
  return result;
}

int ss_copy_text(const TVMFFIByteArray* from, TVMFFIByteArray* to) {
  to->data = NULL;
  to->size = 0;
  if (from->size == 0) return 0;
  char* text = malloc(from->size + 1);
  if (text == NULL) return ss_raise_no_memory("registered text");
  memcpy(text, from->data, from->size);
  text[from->size] = '\0';
  to->data = text;
  to->size = from->size;
  return 0;
}

// A larger copy of an array of fields or methods; the caller retires the old one, which readers may still use. All
// retired ones together are smaller than the new one. NULL: MemoryError is raised.
static void* grown(const void* items, int32_t count, int32_t* capacity, size_t item_size) {
  int32_t wanted = *capacity == 0 ? 4 : 2 * *capacity;
  void* fresh = ss_table_memory((size_t)wanted, item_size);
  if (fresh == NULL) {
    ss_raise_no_memory("a type's reflection data");
    return NULL;
  }
  if (count != 0) memcpy(fresh, items, (size_t)count * item_size);
  *capacity = wanted;
  return fresh;
}

// Defines the function that adds a field or a method to a type.
#define ADDER(name, Info, items, count, capacity)                        \
  int name(SsType* type, const Info* added) {                            \
    TVMFFITypeInfo* info = &type->info;                                  \
    ss_tables_lock();                                                    \
    Info* all = (Info*)info->items;                                      \
    if (info->count == type->capacity) {                                 \
      all = grown(all, info->count, &type->capacity, sizeof(*all));      \
    }                                                                    \
    if (all != NULL) {                                                   \
      all[info->count] = *added;                                         \
      if (all != info->items) ss_retire((void*)info->items);             \
      __atomic_store_n(&info->items, all, __ATOMIC_RELEASE);             \
      __atomic_store_n(&info->count, info->count + 1, __ATOMIC_RELEASE); \
    }                                                                    \
    ss_tables_unlock();                                                  \
    return all == NULL ? -1 : 0;                                         \
  }
ADDER(ss_type_add_field, TVMFFIFieldInfo, fields, num_fields, field_capacity)
ADDER(ss_type_add_method, TVMFFIMethodInfo, methods, num_methods, method_capacity)

void ss_type_set_metadata(SsType* type, const TVMFFITypeMetadata* metadata) {
  ss_tables_lock();
  type->metadata = *metadata;
  __atomic_store_n(&type->info.metadata, &type->metadata, __ATOMIC_RELEASE);
  ss_tables_unlock();
}

// ---- the functions of the C ABI ----------------------------------------------------------------------

const TVMFFITypeInfo* SelfsameFindTypeInfo(int32_t type_index) {
  SsType* type = ss_type_at(type_index);
  if (type == NULL && ss_wait_ready()) type = ss_type_at(type_index);
  return type == NULL ? NULL : &type->info;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  SsType* type = ss_type_at(type_index);
  if (__builtin_expect(type != NULL, 1)) return &type->info;
  const TVMFFITypeInfo* info = SelfsameFindTypeInfo(type_index);
  if (info == NULL) {
    if (ss_too_early("TVMFFIGetTypeInfo")) ss_exit_with_raised("TVMFFIGetTypeInfo");
    ss_raise("InternalError", "Check failed: (entry != nullptr) is false: Cannot find type info for type_index=%d",
             type_index);
    ss_exit_with_raised("TVMFFIGetTypeInfo");
  }
  return info;
}

// The key may contain any bytes, zero included.
static int raise_unknown_key(const TVMFFIByteArray* key) {
  static const char before[] = "Check failed: (it != type_key2index_.end()) is false: Cannot find type `";
  char message[sizeof(before) + 4096 + 1];
  size_t size = key->size > 4096 ? 4096 : key->size;
  memcpy(message, before, sizeof(before) - 1);
  if (size != 0) memcpy(message + sizeof(before) - 1, key->data, size);
  message[sizeof(before) - 1 + size] = '`';
  return ss_raise_bytes("InternalError", message, sizeof(before) + size);
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  static const char name[] = "TVMFFITypeKeyToIndex";
  if (!ss_check_ptr(out_tindex, name, "out_tindex") || !ss_check_bytes(type_key, name, "type_key")) return -1;
  int32_t type_index = ss_type_by_key(type_key);
  if (type_index < 0 && ss_wait_ready()) type_index = ss_type_by_key(type_key);
  if (type_index < 0) {
    if (ss_too_early(name)) return -1;
    return raise_unknown_key(type_key);
  }
  *out_tindex = type_index;
  return 0;
}

int32_t SelfsameTypeIndexEnd(void) {
  int32_t end = __atomic_load_n(&index_end, __ATOMIC_ACQUIRE);
  if (ss_wait_ready()) end = __atomic_load_n(&index_end, __ATOMIC_ACQUIRE);
  return end;
}
