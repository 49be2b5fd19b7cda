// What one field's memory owns, as far as its registration proves it. RATIONALE.md, "Why a raw pointer's field can be told
// from an owner's". Any thread; takes no lock.
#ifndef SELFSAME_INTERNAL_OWNED_FIELD_H_
#define SELFSAME_INTERNAL_OWNED_FIELD_H_

#include <string.h>

#include "selfsame/c_api.h"
#include "selfsame/selfsame.h"

typedef enum { SS_NOT_OWNED, SS_OWNED_OBJECT, SS_OWNED_ANY } SsOwnedKind;

static inline int ss_text_begins(const char* text, size_t size, const char* prefix) {
  size_t n = strlen(prefix);
  return size >= n && memcmp(text, prefix, n) == 0;
}

// The type's name in a field's metadata, which is JSON that contains the schema as JSON text:
// {"type_schema":"{\"type\":\"ffi.Array\",...}"}. *left is the number of bytes from the result on. NULL when the
// metadata has another form.
static inline const char* ss_schema_type(const TVMFFIFieldInfo* field, size_t* left) {
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

// Whether the schema is that of an Optional<T> that is one pointer: T is an object type, whose key has a dot, or a
// Tuple. Older headers store an Optional<int32_t> in 8 bytes too.
static inline int ss_is_optional_object(const char* schema, size_t left) {
  static const char head[] = "Optional\\\",\\\"args\\\":[{\\\"type\\\":\\\"";
  if (!ss_text_begins(schema, left, head)) return 0;
  const char* inner = schema + sizeof(head) - 1;
  left -= sizeof(head) - 1;
  if (ss_text_begins(inner, left, "std::")) return 0;
  for (size_t i = 0; i < left && inner[i] != '\\'; i++) {
    if (inner[i] == '.') return 1;
  }
  return ss_text_begins(inner, left, "Tuple\\");
}

// SS_OWNED_OBJECT: an owning object pointer or NULL. SS_OWNED_ANY: an owned TVMFFIAny.
static inline SsOwnedKind ss_owned_kind_of(const TVMFFIFieldInfo* field) {
  int32_t index = field->field_static_type_index;
  if (field->flags & SELFSAME_FIELD_PLAIN) {
    if (index >= kTVMFFIStaticObjectBegin && field->size == sizeof(void*)) return SS_OWNED_OBJECT;
    return index == kTVMFFIAny && field->size == sizeof(TVMFFIAny) ? SS_OWNED_ANY : SS_NOT_OWNED;
  }
  size_t left = 0;
  const char* schema = ss_schema_type(field, &left);
  if (schema == NULL) return SS_NOT_OWNED;
  if (field->size == sizeof(void*)) {
    if (index == kTVMFFIObject) return SS_OWNED_OBJECT;
    if (index > kTVMFFIObject && ss_text_begins(schema, left, "ffi.")) return SS_OWNED_OBJECT;
    return index == kTVMFFIAny && ss_is_optional_object(schema, left) ? SS_OWNED_OBJECT : SS_NOT_OWNED;
  }
  if (field->size == sizeof(TVMFFIAny) && index == kTVMFFIAny) {
    return ss_text_begins(schema, left, "Any\\") || ss_text_begins(schema, left, "Variant\\") ? SS_OWNED_ANY
                                                                                              : SS_NOT_OWNED;
  }
  return SS_NOT_OWNED;
}

// The object that a field of a kind has at an address, borrowed; NULL for none.
static inline TVMFFIObject* ss_owned_object_at(SsOwnedKind kind, const void* address) {
  if (kind == SS_OWNED_OBJECT) return *(TVMFFIObject* const*)address;
  if (kind == SS_NOT_OWNED) return NULL;
  const TVMFFIAny* any = (const TVMFFIAny*)address;
  return any->type_index >= kTVMFFIStaticObjectBegin ? any->v_obj : NULL;
}

#endif  // SELFSAME_INTERNAL_OWNED_FIELD_H_
