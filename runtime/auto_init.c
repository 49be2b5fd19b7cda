// Calling a constructor made from a class's fields: arguments that fit are bound to the fields here; calls that do not
// fit go to Go (auto_init.go), which knows the same rules and what to say.
#include "auto_init.h"

#include <stdlib.h>
#include <string.h>

#include "closure.h"
#include "plane.h"
#include "go_exports.h"

enum { MAX_FIELDS = 64 };  // classes with more fields are served by Go

struct ss_init_plan {
  const TVMFFITypeInfo* type;
  const TVMFFIObject* kwargs;  // the sentinel; lives as long as the process
  uintptr_t id;                // of the constructor in Go
  int32_t num_fields;
  int32_t num_positional;
  int32_t positional[MAX_FIELDS];
  TVMFFIFieldInfo fields[];
};

// The values of one call, in the order in which they are set.
typedef struct {
  const TVMFFIAny* value[MAX_FIELDS];  // by field; NULL: not given
  int32_t order[MAX_FIELDS];
  int32_t given;
} binding;

static int bind(binding* b, int32_t field, const TVMFFIAny* value) {
  if (field < 0 || b->value[field] != NULL) return 0;
  b->value[field] = value;
  b->order[b->given++] = field;
  return 1;
}

// The field that a keyword names, -1 when there is none or it is no string. Of two fields with one name it is the
// later.
static int32_t field_named(const ss_init_plan* plan, const TVMFFIAny* keyword) {
  TVMFFIByteArray name;
  if (keyword->type_index == kTVMFFIRawStr && keyword->v_c_str != NULL) {
    name.data = keyword->v_c_str;
    name.size = strlen(keyword->v_c_str);
  } else if ((keyword->type_index != kTVMFFISmallStr && keyword->type_index != kTVMFFIStr) ||
             !ss_any_bytes(keyword, &name)) {
    return -1;
  }
  for (int32_t i = plan->num_fields - 1; i >= 0; i--) {
    const TVMFFIFieldInfo* field = &plan->fields[i];
    if (field->name.size == name.size && memcmp(field->name.data, name.data, name.size) == 0 &&
        (field->flags & kTVMFFIFieldFlagBitMaskInitOff) == 0) {
      return i;
    }
  }
  return -1;
}

// Binds the arguments and says whether they make a complete call. Nothing is called on the way.
static int fits(const ss_init_plan* plan, const TVMFFIAny* args, int32_t num_args, binding* b) {
  int32_t i = 0;
  for (; i < num_args; i++) {
    if (args[i].type_index >= kTVMFFIStaticObjectBegin && args[i].v_obj == plan->kwargs) break;
    if (i >= plan->num_positional || !bind(b, plan->positional[i], &args[i])) return 0;
  }
  if (i < num_args && (num_args - i) % 2 == 0) return 0;  // the sentinel, then pairs
  for (i++; i < num_args; i += 2) {
    if (!bind(b, field_named(plan, &args[i]), &args[i + 1])) return 0;
  }
  for (int32_t field = 0; field < plan->num_fields; field++) {
    int64_t flags = plan->fields[field].flags;
    if (b->value[field] == NULL &&
        (flags & (kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskInitOff)) == 0) {
      return 0;
    }
  }
  return 1;
}

// The setter's error is in the slot; Go says which field it is about.
static int failed(const ss_init_plan* plan, int32_t field, int is_default) {
  return ss_in_forked_child() ? -1 : ssgo_init_failed(plan->id, field, is_default);
}

static int fill(const ss_init_plan* plan, const binding* b, void* obj) {
  for (int32_t i = 0; i < b->given; i++) {
    int32_t field = b->order[i];
    if (ss_field_set(&plan->fields[field], obj, b->value[field]) != 0) return failed(plan, field, 0);
  }
  for (int32_t field = 0; field < plan->num_fields; field++) {
    if (b->value[field] != NULL || (plan->fields[field].flags & kTVMFFIFieldFlagBitMaskHasDefault) == 0) continue;
    if (ss_field_set_default(&plan->fields[field], obj) != 0) return failed(plan, field, 1);
  }
  return 0;
}

static int call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const ss_init_plan* plan = self;
  binding b;
  b.given = 0;
  memset(b.value, 0, (size_t)plan->num_fields * sizeof(b.value[0]));
  if (num_args < 0 || (num_args > 0 && args == NULL) || result == NULL ||
      result->type_index >= kTVMFFIStaticObjectBegin || !fits(plan, args, num_args, &b)) {
    return ss_closure_call((void*)plan->id, args, num_args, result);
  }
  TVMFFIObjectHandle obj = NULL;
  if (ss_object_create(plan->type, &obj) != 0) return -1;
  if (fill(plan, &b, obj) != 0) {
    ss_dec_ref(obj);
    return -1;
  }
  ss_set_object(result, obj);
  return 0;
}

static void release(void* self) {
  ss_init_plan* plan = self;
  if (!ss_in_forked_child()) ssgo_closure_release(plan->id);
  free(plan);
}

int ss_auto_init_new(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* fields, int32_t num_fields,
                     const int32_t* positional, int32_t num_positional, const void* kwargs, uintptr_t id,
                     TVMFFIObjectHandle* out) {
  if (num_fields > MAX_FIELDS) return ss_closure_new(id, NULL, out);
  ss_init_plan* plan = calloc(1, sizeof(ss_init_plan) + (size_t)num_fields * sizeof(*fields));
  if (plan == NULL) return ss_raise_no_memory("a constructor");
  plan->type = type;
  plan->kwargs = kwargs;
  plan->id = id;
  plan->num_fields = num_fields;
  plan->num_positional = num_positional;
  if (num_fields != 0) memcpy(plan->fields, fields, (size_t)num_fields * sizeof(*fields));
  if (num_positional != 0) memcpy(plan->positional, positional, (size_t)num_positional * sizeof(*positional));
  if (TVMFFIFunctionCreate(plan, call, release, out) == 0) return 0;
  free(plan);
  return -1;
}
