// Emptying unreachable native objects, each by the means that any owner has: elements are removed as the container's
// own removal does it, and fields are set to None, or to a container without elements, by the class's own setter.
// RATIONALE.md, "Why a cycle is broken by setters".
#include "gc/full_collection.h"

#include "gc/references.h"
#include "tie/python_owner.h"

static void release_values(TVMFFIAny* values, int64_t n) {
  for (int64_t i = 0; i < n; i++) ss_any_clear(&values[i]);
}

static void empty_list(TVMFFIObject* object) {
  TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, object);
  int64_t size = cell->size;
  cell->size = 0;
  release_values(cell->data, size);
}

static void empty_dict(TVMFFIObject* object) {
  SsMapCell* cell = ss_map_cell(object);
  uint64_t end = ss_map_walk_end(cell);
  int small = ss_map_is_small(cell);
  cell->size = 0;
  if (!small) cell->head = cell->tail = SS_NO_BUCKET;
  for (uint64_t i = 0; i < end; i++) {
    SsEntry* entry = ss_map_walk(cell, i);
    if (entry == NULL) continue;
    if (!small) *ss_map_control(cell, i) = SS_CONTROL_EMPTY;
    ss_any_clear(&entry->key);
    ss_any_clear(&entry->value);
  }
}

// A field that a class declared in Python has: its setter would refuse None, or run Python code inside tp_clear. The
// class states that the storage is what the type index says, and its setters only convert and store. So the collector
// may release what is in the storage.
static int is_python_field(const TVMFFIFieldInfo* field) {
  return (field->flags & SELFSAME_FIELD_PLAIN) && (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj);
}

static void empty_storage(TVMFFIObject* object, const SsOwnedField* owned) {
  void* address = (char*)object + owned->offset;
  if (owned->is_any) {
    ss_any_clear(address);
    return;
  }
  TVMFFIObject* before = *(TVMFFIObject**)address;
  *(TVMFFIObject**)address = NULL;
  ss_xdecref(before);
}

// Calls a field's setter, if that is no Python function: Python code must not run inside tp_clear. 0 when it took the
// value.
static int set_field(TVMFFIObject* object, const TVMFFIFieldInfo* field, const TVMFFIAny* value) {
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = (char*)object + field->offset}, *value};
  int rc;
  if (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    if (ss_callable_of(field->setter) != NULL) return 0;
    TVMFFISafeCallType call = SS_CELL(TVMFFIFunctionCell, field->setter)->safe_call;
    TVMFFIAny result = {.type_index = kTVMFFINone};
    rc = call(field->setter, args, 2, &result);
    if (rc == 0) ss_any_clear(&result);
  } else {
    TVMFFIFieldSetter setter;
    *(void**)&setter = field->setter;
    rc = setter(args[0].v_ptr, &args[1]);
  }
  if (rc != 0) ss_forget_raised();
  return rc;
}

// Makes a new Map without entries. NULL when that fails; sets no error.
static TVMFFIObject* make_map(void) {
  static const char name[] = "ffi.Map";
  TVMFFIByteArray bytes = {name, sizeof(name) - 1};
  TVMFFIObjectHandle maker = NULL;
  if (ss_api.TVMFFIFunctionGetGlobal(&bytes, &maker) != 0) ss_forget_raised();
  if (maker == NULL) return NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (SS_CELL(TVMFFIFunctionCell, maker)->safe_call(maker, NULL, 0, &result) != 0) ss_forget_raised();
  ss_decref(maker);
  if (result.type_index == kTVMFFIMap) return result.v_obj;
  ss_any_clear(&result);
  return NULL;
}

// A container without elements, of the type of the one that the field has; NULL for other values.
static TVMFFIObject* emptied(TVMFFIObject* object, const SsOwnedField* owned) {
  char* address = (char*)object + owned->offset;
  const TVMFFIObject* value = owned->is_any ? ss_object_in((const TVMFFIAny*)address) : *(TVMFFIObject* const*)address;
  if (value == NULL) return NULL;
  if (value->type_index == kTVMFFIMap) return make_map();
  TVMFFIObjectHandle array = NULL;
  if (value->type_index == kTVMFFIArray && ss_api.SelfsameArrayCreate(NULL, 0, &array) != 0) ss_forget_raised();
  return array;
}

// None, or an Array or Map without elements when the class refuses None.
static void empty_by_setter(TVMFFIObject* object, const SsOwnedField* owned) {
  TVMFFIAny none = {.type_index = kTVMFFINone};
  if (set_field(object, owned->field, &none) == 0) return;
  TVMFFIObject* container = emptied(object, owned);
  if (container == NULL) return;
  TVMFFIAny value = {.type_index = container->type_index, .v_obj = container};
  set_field(object, owned->field, &value);
  ss_decref(container);
}

static void empty_fields(TVMFFIObject* object) {
  const SsOwnedFields* owned = ss_owned_fields_of(object->type_index);
  for (int32_t i = 0; owned != NULL && i < owned->count; i++) {
    const TVMFFIFieldInfo* field = owned->fields[i].field;
    if (is_python_field(field)) {
      empty_storage(object, &owned->fields[i]);
    } else if (ss_is_settable(field)) {
      empty_by_setter(object, &owned->fields[i]);
    }
  }
}

void ss_break_cycle(TVMFFIObject* object) {
  ss_closure_clear(object);
  switch (object->type_index) {
    case kTVMFFIList:
      empty_list(object);
      break;
    case kTVMFFIDict:
      empty_dict(object);
      break;
    default:
      empty_fields(object);
  }
}
