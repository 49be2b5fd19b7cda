// How a reflected field is read; see field_storage.h.
#include "types/field_storage.h"

#include "gc/owned_fields.h"
#include "selfsame/internal/loader.h"

// Reads by the getter before its name is looked up. For one look-up the dynamic linker walks all symbols of a library.
enum { READS_BEFORE_LOOKUP = 1000 };

static int forked;

void ss_field_storage_after_fork(void) { forked = 1; }

static SsFieldStorage storage_if_plain(const TVMFFIFieldInfo* field) {
  int32_t index = field->field_static_type_index;
  if (index == kTVMFFIInt && field->size == sizeof(int64_t)) return SS_PLAIN_INT;
  if (index == kTVMFFIBool && field->size == sizeof(uint8_t)) return SS_PLAIN_BOOL;
  if (index == kTVMFFIFloat && field->size == sizeof(double)) return SS_PLAIN_FLOAT;
  switch (ss_owned_kind_of(field)) {
    case SS_OWNED_OBJECT:
      return SS_PLAIN_OBJECT;
    case SS_OWNED_ANY:
      return SS_PLAIN_ANY;
    case SS_NOT_OWNED:
      break;
  }
  return SS_BY_GETTER;
}

SsFieldAccess ss_field_access_of(const TVMFFIFieldInfo* field) {
  SsFieldStorage if_plain = storage_if_plain(field);
  if (if_plain == SS_BY_GETTER) return (SsFieldAccess){SS_BY_GETTER, SS_BY_GETTER, 0};
  if (field->flags & SELFSAME_FIELD_PLAIN) return (SsFieldAccess){if_plain, if_plain, 0};
  return (SsFieldAccess){SS_BY_GETTER, if_plain, READS_BEFORE_LOOKUP};
}

// Whether the mangled name of a getter's template argument fits the storage. `argument` begins the rest of the name.
static int argument_fits(const char* argument, SsFieldStorage storage) {
  // A member of another type may register with the index and the size of a number and convert to another value.
  switch (storage) {
    case SS_PLAIN_INT:
      return argument[0] != '\0' && strchr("lmxy", argument[0]) != NULL && argument[1] == 'E';  // long, long long
    case SS_PLAIN_BOOL:
      return argument[0] == 'b' && argument[1] == 'E';
    case SS_PLAIN_FLOAT:
      return argument[0] == 'd' && argument[1] == 'E';
    case SS_PLAIN_OBJECT:
    case SS_PLAIN_ANY:
      return 1;  // gc/owned_fields.h tells how the kind of reference is proven
    case SS_BY_GETTER:
      break;
  }
  return 0;
}

// Takes the dynamic linker's lock. Another thread may hold that lock and wait for the GIL, in the initialiser of a
// library, so the caller must not hold the GIL.
static int is_published_getter(TVMFFIFieldGetter getter, SsFieldStorage storage) {
  // As the C++ ABI spells the name up to the template's argument.
  static const char head[] = "_ZN3tvm3ffi10reflection17ReflectionDefBase11FieldGetterI";
  void* address;
  memcpy(&address, &getter, sizeof(address));
  Dl_info symbol;
  if (dladdr(address, &symbol) == 0 || symbol.dli_saddr != address || symbol.dli_sname == NULL) return 0;
  size_t length = sizeof(head) - 1;
  return strncmp(symbol.dli_sname, head, length) == 0 && argument_fits(symbol.dli_sname + length, storage);
}

void ss_field_access_decide(SsFieldAccess* access, TVMFFIFieldGetter getter, const void* address,
                            const TVMFFIAny* value) {
  TVMFFIAny stored = ss_field_storage_value(access->if_plain, address);
  if (stored.type_index == kTVMFFINone && value->type_index == kTVMFFINone) return;
  __atomic_store_n(&access->reads_left, 0, __ATOMIC_RELAXED);
  int same = value->type_index == stored.type_index && value->zero_padding == stored.zero_padding &&
             value->v_uint64 == stored.v_uint64;
  if (!same || forked) return;
  PyThreadState* thread = PyEval_SaveThread();
  int plain = is_published_getter(getter, access->if_plain);
  PyEval_RestoreThread(thread);
  if (plain) __atomic_store_n(&access->storage, access->if_plain, __ATOMIC_RELAXED);
}
