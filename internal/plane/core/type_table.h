// The table of types (type_table.c): found by index and by key without a lock, on any thread. The functions that change
// it require the runtime's registration lock.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_TYPE_TABLE_H_
#define SELFSAME_INTERNAL_PLANE_CORE_TYPE_TABLE_H_

#include "name_table.h"

#pragma GCC visibility push(hidden)

#define SS_TYPE_LIMIT (1 << 24)  // type indices end here

// An entry. It is never freed once published.
typedef struct {
  TVMFFITypeInfo info;          // first: a TVMFFITypeInfo* from this table is an SsType*
  TVMFFITypeMetadata metadata;  // what info.metadata points to, once it is set
  SsNameNode node;              // in the table of keys
  int32_t num_slots;            // child slots reserved behind this index, the type's own included
  int32_t allocated_slots;      // how many of them are in use
  int32_t can_overflow;         // further children get indices elsewhere
  int32_t field_capacity;       // of info.fields, which the entry owns
  int32_t method_capacity;      // of info.methods, which the entry owns
} SsType;

SsType* ss_type_at(int32_t type_index);                  // NULL when not registered; does not wait
int32_t ss_type_by_key(const TVMFFIByteArray* key);      // -1 when not registered; does not wait
int32_t ss_type_by_text(const char* data, size_t size);  // the same for Go, which need not pin a text in two arguments

// Publishes a new type: a reader that finds it finds all of it. NULL: MemoryError is raised.
SsType* ss_type_add(const TVMFFIByteArray* key, int32_t type_index, int32_t depth, const SsType* parent,
                    int32_t num_slots, int32_t can_overflow);
// Appends to a type's fields or methods; the entry is copied as it is. Returns 0, or -1 with MemoryError raised.
int ss_type_add_field(SsType* type, const TVMFFIFieldInfo* field);
int ss_type_add_method(SsType* type, const TVMFFIMethodInfo* method);
void ss_type_set_metadata(SsType* type, const TVMFFITypeMetadata* metadata);

// A NUL-terminated copy in memory from malloc; {NULL, 0} for empty text. Returns 0, or -1 with MemoryError raised.
int ss_copy_text(const TVMFFIByteArray* from, TVMFFIByteArray* to);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_TYPE_TABLE_H_
