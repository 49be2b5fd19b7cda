// Type attribute columns: one value per type index. A column never moves; its array of values is replaced when it
// grows.
#include "type_attributes.h"

#include <stdlib.h>
#include <string.h>

#include "fork.h"
#include "name_table.h"
#include "raise.h"
#include "startup.h"

static SsNameTable columns;

SsAttributeColumn* ss_column_find(const TVMFFIByteArray* name) {
  SsNameNode* node = ss_name_table_find(&columns, name);
  return node == NULL ? NULL : (SsAttributeColumn*)((char*)node - offsetof(SsAttributeColumn, node));
}

SsAttributeColumn* ss_column_by_text(const char* data, size_t size) {
  TVMFFIByteArray name = {data, size};
  return ss_column_find(&name);
}

static SsAttributeColumn* column_add_locked(const TVMFFIByteArray* name) {
  SsAttributeColumn* column = calloc(1, sizeof(SsAttributeColumn));
  if (column == NULL) {
    ss_raise_no_memory("a type attribute");
    return NULL;
  }
  if (ss_name_table_insert(&columns, &column->node, name) != 0) {
    free(column);
    return NULL;
  }
  return column;
}

SsAttributeColumn* ss_column_add(const TVMFFIByteArray* name) {
  ss_tables_lock();
  SsAttributeColumn* result = column_add_locked(name);
  ss_tables_unlock();
  return result;
}

// Readers load the size first and the data second, so the data is replaced before the size grows. The old data is
// retired.
static TVMFFIAny* column_reach_locked(SsAttributeColumn* column, int32_t type_index) {
  TVMFFITypeAttrColumn* c = &column->column;
  TVMFFIAny* data = (TVMFFIAny*)c->data;
  if (type_index >= column->capacity) {
    int32_t wanted = column->capacity == 0 ? 160 : 2 * column->capacity;
    if (wanted <= type_index) wanted = type_index + 1;
    data = ss_table_memory((size_t)wanted, sizeof(TVMFFIAny));  // zero is None
    if (data == NULL) {
      ss_raise_no_memory("a type attribute");
      return NULL;
    }
    if (c->size != 0) memcpy(data, c->data, (size_t)c->size * sizeof(TVMFFIAny));
    void* old = (void*)c->data;
    __atomic_store_n(&c->data, data, __ATOMIC_RELEASE);
    ss_retire(old);
    column->capacity = wanted;
  }
  if (type_index >= c->size) __atomic_store_n(&c->size, type_index + 1, __ATOMIC_RELEASE);
  return &data[type_index];
}

TVMFFIAny* ss_column_reach(SsAttributeColumn* column, int32_t type_index) {
  ss_tables_lock();
  TVMFFIAny* result = column_reach_locked(column, type_index);
  ss_tables_unlock();
  return result;
}

void ss_column_fill(TVMFFIAny* value, const TVMFFIAny* owned) {
  // Readers see None until the first word changes, and the second word is stored before it.
  __atomic_store_n(&value->v_uint64, owned->v_uint64, __ATOMIC_RELAXED);
  uint64_t head;
  memcpy(&head, owned, sizeof(head));
  __atomic_store_n((uint64_t*)(void*)value, head, __ATOMIC_RELEASE);
}

static const TVMFFIAny* value_in(const SsAttributeColumn* column, int32_t type_index) {
  if (type_index >= __atomic_load_n(&column->column.size, __ATOMIC_ACQUIRE)) return NULL;
  const TVMFFIAny* data = __atomic_load_n(&column->column.data, __ATOMIC_ACQUIRE);
  return data[type_index].type_index != kTVMFFINone ? &data[type_index] : NULL;
}

int ss_column_filled(const SsAttributeColumn* column, int32_t type_index) {
  return value_in(column, type_index) != NULL;
}

const TVMFFIAny* ss_column_value(SsAttributeColumn** column, const char* name, int32_t type_index) {
  SsAttributeColumn* c = __atomic_load_n(column, __ATOMIC_ACQUIRE);
  if (c == NULL) {
    TVMFFIByteArray text = {name, strlen(name)};
    c = ss_column_find(&text);
    if (c == NULL) return NULL;
    __atomic_store_n(column, c, __ATOMIC_RELEASE);
  }
  return value_in(c, type_index);
}

int ss_column_has(SsAttributeColumn** column, const char* name, int32_t type_index) {
  return ss_column_value(column, name, type_index) != NULL;
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static const char name[] = "TVMFFIGetTypeAttrColumn";
  if (!ss_check_bytes(attr_name, name, "attr_name")) ss_exit_with_raised(name);
  SsAttributeColumn* column = ss_column_find(attr_name);
  if (column == NULL && ss_wait_ready()) column = ss_column_find(attr_name);
  if (column == NULL && ss_too_early(name)) ss_exit_with_raised(name);
  return column == NULL ? NULL : &column->column;
}
