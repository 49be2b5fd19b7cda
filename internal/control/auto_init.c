// Calls constructors made from a class's fields. A call whose arguments fit sets the fields here; every other call
// falls back to auto_init.go, which has the same rules and reports the error.
#include "auto_init.h"

#include <stdlib.h>
#include <string.h>

#include "closure.h"
#include "go_calls.h"
#include "go_exports.h"
#include "plane.h"

enum { MAX_FIELDS = 64 };  // Go serves the constructors of classes with more fields

// The arguments of one call (borrowed) and the fields that they set.
typedef struct {
  const TVMFFIAny* value[MAX_FIELDS];  // by field; NULL if not given
  int32_t order[MAX_FIELDS];           // the given fields in the order of the arguments
  int32_t given;
} Binding;

static int bind(Binding* b, int32_t field, const TVMFFIAny* value) {
  if (field < 0 || b->value[field] != NULL) return 0;
  b->value[field] = value;
  b->order[b->given++] = field;
  return 1;
}

// The index of the field that a keyword names: the last one of that name. -1 when there is none, or the keyword is not
// a string.
static int32_t field_named(const SsConstructor* c, const TVMFFIAny* keyword) {
  TVMFFIByteArray name;
  if (keyword->type_index == kTVMFFIRawStr && keyword->v_c_str != NULL) {
    name.data = keyword->v_c_str;
    name.size = strlen(keyword->v_c_str);
  } else if ((keyword->type_index != kTVMFFISmallStr && keyword->type_index != kTVMFFIStr) ||
             !ss_any_bytes(keyword, &name)) {
    return -1;
  }
  for (int32_t i = c->num_fields - 1; i >= 0; i--) {
    const TVMFFIFieldInfo* field = &c->fields[i];
    if (field->name.size == name.size && memcmp(field->name.data, name.data, name.size) == 0 &&
        (field->flags & kTVMFFIFieldFlagBitMaskInitOff) == 0) {
      return i;
    }
  }
  return -1;
}

// Binds the arguments to fields and returns whether the call is complete. Runs no code of the class.
static int fits(const SsConstructor* c, const TVMFFIAny* args, int32_t num_args, Binding* b) {
  int32_t i = 0;
  for (; i < num_args; i++) {
    if (args[i].type_index >= kTVMFFIStaticObjectBegin && args[i].v_obj == c->kwargs) break;
    if (i >= c->num_positional || !bind(b, c->positional[i], &args[i])) return 0;
  }
  if (i < num_args && (num_args - i) % 2 == 0) return 0;  // the sentinel must be followed by pairs
  for (i++; i < num_args; i += 2) {
    if (!bind(b, field_named(c, &args[i]), &args[i + 1])) return 0;
  }
  for (int32_t field = 0; field < c->num_fields; field++) {
    int64_t flags = c->fields[field].flags;
    if (b->value[field] == NULL &&
        (flags & (kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskInitOff)) == 0) {
      return 0;
    }
  }
  return 1;
}

// Lets Go wrap the error that a setter raised in one that names the field. Always returns -1.
static int failed(const SsConstructor* c, int32_t field, int is_default) {
  return ss_may_enter_go("__ffi_init__") ? ss_go.ssgo_constructor_failed((void*)c, field, is_default) : -1;
}

static int call_go(const SsConstructor* c, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char name[] = "__ffi_init__";
  SS_ENTER_GO(name, -1);
  if (!ss_check_result(result, name) || (num_args > 0 && !ss_check_ptr(args, name, "args"))) return -1;
  uint64_t outer = ss_go_call_begin();
  int rc = ss_go.ssgo_constructor_call((void*)c, (void*)args, num_args, result);
  ss_go_call_end(outer);
  return rc;
}

static int fill(const SsConstructor* c, const Binding* b, void* obj) {
  for (int32_t i = 0; i < b->given; i++) {
    int32_t field = b->order[i];
    if (ss_field_set(&c->fields[field], obj, b->value[field]) != 0) return failed(c, field, 0);
  }
  for (int32_t field = 0; field < c->num_fields; field++) {
    if (b->value[field] != NULL || (c->fields[field].flags & kTVMFFIFieldFlagBitMaskHasDefault) == 0) continue;
    if (ss_field_set_default(&c->fields[field], obj) != 0) return failed(c, field, 1);
  }
  return 0;
}

static int call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const SsConstructor* c = self;
  if (c->num_fields > MAX_FIELDS) return call_go(c, args, num_args, result);
  Binding b;
  b.given = 0;
  memset(b.value, 0, (size_t)c->num_fields * sizeof(b.value[0]));
  if (num_args < 0 || (num_args > 0 && args == NULL) || result == NULL ||
      result->type_index >= kTVMFFIStaticObjectBegin || !fits(c, args, num_args, &b)) {
    return call_go(c, args, num_args, result);
  }
  TVMFFIObjectHandle obj = NULL;
  if (ss_object_create(c->type, &obj) != 0) return -1;
  if (fill(c, &b, obj) != 0) {
    ss_xdecref(obj);
    return -1;
  }
  ss_set_object(result, obj);
  return 0;
}

static void release(void* self) {
  if (ss_has_go()) ss_go.ssgo_constructor_release(self);
  free(self);
}

int ss_auto_init_new(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* fields, int32_t num_fields,
                     const int32_t* positional, int32_t num_positional, const void* kwargs, TVMFFIObjectHandle* out) {
  size_t size = sizeof(SsConstructor) + (size_t)num_fields * sizeof(*fields);
  SsConstructor* c = calloc(1, size + (size_t)num_positional * sizeof(*positional));
  if (c == NULL) return ss_raise_no_memory("a constructor");
  int32_t* order = (int32_t*)((char*)c + size);
  c->type = type;
  c->kwargs = kwargs;
  c->num_fields = num_fields;
  c->num_positional = num_positional;
  c->positional = order;
  if (num_fields != 0) memcpy(c->fields, fields, (size_t)num_fields * sizeof(*fields));
  if (num_positional != 0) memcpy(order, positional, (size_t)num_positional * sizeof(*positional));
  if (TVMFFIFunctionCreate(c, call, release, out) == 0) return 0;
  free(c);
  return -1;
}

const TVMFFIFieldInfo* ss_constructor_fields(const SsConstructor* constructor) { return constructor->fields; }
