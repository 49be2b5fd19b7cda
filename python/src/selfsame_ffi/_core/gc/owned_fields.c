// The owned fields of each type, found once from its reflection data by the rules in owned_fields.h.
#include "gc/owned_fields.h"

#include <pthread.h>
#include <stdlib.h>

// The result for one type, and the number of its fields at that time: more may be registered later.
typedef struct {
  const TVMFFITypeInfo* info;  // the type, which the type table owns
  int32_t fields;              // the number of fields that were read
  SsOwnedFields* owned;        // never freed: a cursor may still use it
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

static void add_field(SsOwnedFields* owned, const TVMFFIFieldInfo* field, SsOwnedKind kind) {
  int64_t end = field->offset + field->size;
  for (int32_t i = 0; i < owned->count; i++) {
    SsOwnedField* other = &owned->fields[i];
    if (other->offset != field->offset) continue;
    // A second name of the same place: keep the one that can be set, for breaking cycles.
    if (other->is_any == (kind == SS_OWNED_ANY) && !ss_is_settable(other->field)) other->field = field;
    return;
  }
  owned->fields[owned->count++] = (SsOwnedField){field->offset, field, kind == SS_OWNED_ANY};
  if (field->offset < owned->begin) owned->begin = field->offset;
  if (end > owned->end) owned->end = end;
}

static SsOwnedFields* find_fields(const TVMFFITypeInfo* info, int32_t fields) {
  SsOwnedFields* owned = calloc(1, sizeof(SsOwnedFields) + (size_t)fields * sizeof(SsOwnedField));
  if (owned == NULL) return NULL;
  for (int32_t level = 0; level <= info->type_depth; level++) {
    const TVMFFITypeInfo* at = level_of(info, level);
    for (int32_t i = 0; i < at->num_fields; i++) {
      SsOwnedKind kind = ss_owned_kind_of(&at->fields[i]);
      if (kind != SS_NOT_OWNED) add_field(owned, &at->fields[i], kind);
    }
  }
  return owned;
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

static const SsOwnedFields* owned_fields_locked(int32_t index) {
  if (index < kTVMFFIStaticObjectEnd) return NULL;
  if (SS_UNLIKELY(index >= known_size)) {
    // An index that no type has comes from memory that was copied while another thread freed it.
    if (index >= ss_api.SelfsameTypeIndexEnd() || grow(index) != 0) return NULL;
  }
  Known* entry = &known[index];
  if (entry->info == NULL) entry->info = ss_api.SelfsameFindTypeInfo(index);  // its address never changes
  if (entry->info == NULL) return NULL;
  int32_t fields = count_fields(entry->info);
  if (SS_UNLIKELY(fields != entry->fields)) {
    SsOwnedFields* owned = find_fields(entry->info, fields);
    if (owned == NULL) return NULL;
    entry->owned = owned;  // the old one is not freed: a cursor may still use it
    entry->fields = fields;
  }
  return entry->owned == NULL || entry->owned->count == 0 ? NULL : entry->owned;
}

// Without the GIL several threads may call at once. A thread that holds the mutex runs no Python code and does not
// sleep, so the collector, which stops all other threads, does not stop one that holds it.
const SsOwnedFields* ss_owned_fields_of(int32_t index) {
#if SS_FREE_THREADED
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const SsOwnedFields* owned = owned_fields_locked(index);
  pthread_mutex_unlock(&mutex);
  return owned;
#else
  return owned_fields_locked(index);
#endif
}
