// Type attributes (type_attributes.c): a column per name, with one value per type index. Columns are found and read
// without a lock, on any thread; the functions that change them require the runtime's registration lock.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_TYPE_ATTRIBUTES_H_
#define SELFSAME_INTERNAL_PLANE_CORE_TYPE_ATTRIBUTES_H_

#include "name_table.h"

#pragma GCC visibility push(hidden)

// Never freed once published.
typedef struct {
  SsNameNode node;              // the attribute's name and its hash, in the table of names
  TVMFFITypeAttrColumn column;  // owned values by type index; readers take no lock
  int32_t capacity;             // of the column
} SsAttributeColumn;

SsAttributeColumn* ss_column_find(const TVMFFIByteArray* name);       // NULL when there is none; does not wait
SsAttributeColumn* ss_column_by_text(const char* data, size_t size);  // the same for Go, as ss_type_by_text
// Whether a type has a value in a column. Any thread, no lock.
int ss_column_filled(const SsAttributeColumn* column, int32_t type_index);
// Whether a type has a value in the column of this name; *column caches its address, NULL at first.
int ss_column_has(SsAttributeColumn** column, const char* name, int32_t type_index);
// The value that a type has in that column, borrowed from the registry; NULL when it has none.
const TVMFFIAny* ss_column_value(SsAttributeColumn** column, const char* name, int32_t type_index);

SsAttributeColumn* ss_column_add(const TVMFFIByteArray* name);  // NULL: MemoryError is raised
// Makes the column reach `type_index`. Returns the address of that type's value, or NULL with MemoryError raised.
TVMFFIAny* ss_column_reach(SsAttributeColumn* column, int32_t type_index);
// Moves an owned value to an address from ss_column_reach that holds None. Readers see None or the whole value.
void ss_column_fill(TVMFFIAny* value, const TVMFFIAny* owned);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_TYPE_ATTRIBUTES_H_
