// The slots of each type, found once from its reflection data. The rules are in slots.h.
#include "gc/owned_fields.h"

#include <pthread.h>
#include <stdlib.h>

static int has_prefix(const char* text, size_t size, const char* prefix) {
  size_t n = strlen(prefix);
  return size >= n && memcmp(text, prefix, n) == 0;
}

// Where the type's name begins in a field's metadata, which is JSON with the schema as JSON text in it:
// {"type_schema":"{\"type\":\"ffi.Array\",...}"}. NULL when it is not written so.
static const char* schema_type(const TVMFFIFieldInfo* field, size_t* left) {
  static const char key[] = "\"type_schema\":\"{\\\"type\\\":\\\"";
  const char* text = field->metadata.data;
  size_t size = field->metadata.size, n = sizeof(key) - 1;
  for (size_t i = 0; text != NULL && i + n <= size; i++) {
    if (memcmp(text + i, key, n) == 0) {
      *left = size - i - n;
      return text + i + n;
    }
  }
  return NULL;
}

// Optional<T> that is one pointer: T is an object, whose key has a dot or is a Tuple. Older headers store an
// Optional<int32_t> in 8 bytes too.
static int is_optional_object(const char* schema, size_t left) {
  static const char head[] = "Optional\\\",\\\"args\\\":[{\\\"type\\\":\\\"";
  if (!has_prefix(schema, left, head)) return 0;
  const char* inner = schema + sizeof(head) - 1;
  left -= sizeof(head) - 1;
  if (has_prefix(inner, left, "std::")) return 0;
  for (size_t i = 0; i < left && inner[i] != '\\'; i++) {
    if (inner[i] == '.') return 1;
  }
  return has_prefix(inner, left, "Tuple\\");
}

SsOwnedKind ss_owned_field_kind(const TVMFFIFieldInfo* field) {
  int32_t index = field->field_static_type_index;
  if (field->flags & SELFSAME_FIELD_PLAIN) {
    if (index >= kTVMFFIStaticObjectBegin && field->size == sizeof(void*)) return SS_OWNED_OBJECT;
    return index == kTVMFFIAny && field->size == sizeof(TVMFFIAny) ? SS_OWNED_ANY : SS_NOT_OWNED;
  }
  size_t left = 0;
  const char* schema = schema_type(field, &left);
  if (schema == NULL) return SS_NOT_OWNED;
  if (field->size == sizeof(void*)) {
    if (index == kTVMFFIObject) return SS_OWNED_OBJECT;
    if (index > kTVMFFIObject && has_prefix(schema, left, "ffi.")) return SS_OWNED_OBJECT;
    return index == kTVMFFIAny && is_optional_object(schema, left) ? SS_OWNED_OBJECT : SS_NOT_OWNED;
  }
  if (field->size == sizeof(TVMFFIAny) && index == kTVMFFIAny) {
    return has_prefix(schema, left, "Any\\") || has_prefix(schema, left, "Variant\\") ? SS_OWNED_ANY : SS_NOT_OWNED;
  }
  return SS_NOT_OWNED;
}

// What was found for a type, and for how many fields: more may be registered later.
typedef struct {
  const TVMFFITypeInfo* info;
  int32_t fields;
  SsOwnedFields* slots;
} Known;

static Known* known;
static int32_t known_size;

static const TVMFFITypeInfo* level_of(const TVMFFITypeInfo* info, int32_t level) {
  return level < info->type_depth ? info->type_ancestors[level] : info;
}

static int32_t count_fields(const TVMFFITypeInfo* info) {
  int32_t count = 0;
  for (int32_t level = 0; level <= info->type_depth; level++) count += level_of(info, level)->num_fields;
  return count;
}

static void add_slot(SsOwnedFields* slots, const TVMFFIFieldInfo* field, SsOwnedKind kind) {
  int64_t end = field->offset + field->size;
  for (int32_t i = 0; i < slots->count; i++) {
    SsOwnedField* slot = &slots->slots[i];
    if (slot->offset != field->offset) continue;
    // A second name of the same place. One that may be set is the one to empty it by.
    if (slot->is_any == (kind == SS_OWNED_ANY) && !ss_is_settable(slot->field)) slot->field = field;
    return;
  }
  slots->slots[slots->count++] = (SsOwnedField){field->offset, field, kind == SS_OWNED_ANY};
  if (field->offset < slots->begin) slots->begin = field->offset;
  if (end > slots->end) slots->end = end;
}

static SsOwnedFields* find_slots(const TVMFFITypeInfo* info, int32_t fields) {
  SsOwnedFields* slots = calloc(1, sizeof(SsOwnedFields) + (size_t)fields * sizeof(SsOwnedField));
  if (slots == NULL) return NULL;
  for (int32_t level = 0; level <= info->type_depth; level++) {
    const TVMFFITypeInfo* at = level_of(info, level);
    for (int32_t i = 0; i < at->num_fields; i++) {
      SsOwnedKind kind = ss_owned_field_kind(&at->fields[i]);
      if (kind != SS_NOT_OWNED) add_slot(slots, &at->fields[i], kind);
    }
  }
  return slots;
}

static int grow(int32_t index) {
  int32_t size = known_size == 0 ? 512 : known_size;
  while (size <= index) size *= 2;
  Known* bigger = realloc(known, sizeof(Known) * (size_t)size);
  if (bigger == NULL) return -1;
  memset(bigger + known_size, 0, sizeof(Known) * (size_t)(size - known_size));
  known = bigger;
  known_size = size;
  return 0;
}

static const SsOwnedFields* slots_of(int32_t index) {
  if (index < kTVMFFIStaticObjectEnd) return NULL;
  if (SS_UNLIKELY(index >= known_size)) {
    // A number that is no type's comes only from memory that was read while it was freed.
    if (index >= ss_api.SelfsameTypeIndexEnd() || grow(index) != 0) return NULL;
  }
  Known* entry = &known[index];
  if (entry->info == NULL) entry->info = ss_api.SelfsameFindTypeInfo(index);  // its address never changes
  if (entry->info == NULL) return NULL;
  int32_t fields = count_fields(entry->info);
  if (SS_UNLIKELY(fields != entry->fields)) {
    SsOwnedFields* slots = find_slots(entry->info, fields);
    if (slots == NULL) return NULL;
    entry->slots = slots;  // the one before stays: somebody may be walking along it
    entry->fields = fields;
  }
  return entry->slots == NULL || entry->slots->count == 0 ? NULL : entry->slots;
}

// Without the GIL several threads may ask at once. A holder of the mutex runs no Python code and does not
// sleep, so the collector, which stops threads elsewhere, can take it too.
const SsOwnedFields* ss_owned_fields_of(int32_t index) {
#if SS_FREE_THREADED
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const SsOwnedFields* slots = slots_of(index);
  pthread_mutex_unlock(&mutex);
  return slots;
#else
  return slots_of(index);
#endif
}
