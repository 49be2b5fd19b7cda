// The storage of fields; see storage.h.
#include "types/field_storage.h"

#include <dlfcn.h>

#include "gc/owned_fields.h"

SsFieldStorage ss_field_storage_if_plain(const TVMFFIFieldInfo* field) {
  int32_t index = field->field_static_type_index;
  if (index == kTVMFFIInt && field->size == sizeof(int64_t)) return SS_PLAIN_INT;
  if (index == kTVMFFIBool && field->size == sizeof(uint8_t)) return SS_PLAIN_BOOL;
  if (index == kTVMFFIFloat && field->size == sizeof(double)) return SS_PLAIN_FLOAT;
  switch (ss_owned_field_kind(field)) {
    case SS_OWNED_OBJECT:
      return SS_PLAIN_OBJECT;
    case SS_OWNED_ANY:
      return SS_PLAIN_ANY;
    case SS_NOT_OWNED:
      break;
  }
  return SS_BY_GETTER;
}

static int forked;

void ss_field_storage_after_fork(void) { forked = 1; }

int ss_getter_only_reads(TVMFFIFieldGetter getter, SsFieldStorage storage) {
  // As the C++ ABI spells it up to the template's argument.
  static const char head[] = "_ZN3tvm3ffi10reflection17ReflectionDefBase11FieldGetterI";
  void* address;
  memcpy(&address, &getter, sizeof(address));
  Dl_info symbol;
  if (forked || address == NULL || dladdr(address, &symbol) == 0 || symbol.dli_saddr != address ||
      symbol.dli_sname == NULL || strncmp(symbol.dli_sname, head, sizeof(head) - 1) != 0) {
    return 0;
  }
  // A member of another type may have the index and the size of a number, and a conversion of its own.
  const char* argument = symbol.dli_sname + sizeof(head) - 1;
  switch (storage) {
    case SS_PLAIN_INT:
      return strchr("lmxy", argument[0]) != NULL && argument[0] != '\0' && argument[1] == 'E';  // long, long long
    case SS_PLAIN_BOOL:
      return argument[0] == 'b' && argument[1] == 'E';
    case SS_PLAIN_FLOAT:
      return argument[0] == 'd' && argument[1] == 'E';
    case SS_PLAIN_OBJECT:
    case SS_PLAIN_ANY:
      return 1;  // slots.h says how the kind of reference is known
    case SS_BY_GETTER:
      break;
  }
  return 0;
}
