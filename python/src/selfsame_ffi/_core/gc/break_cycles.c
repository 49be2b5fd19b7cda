// Emptying unreachable native objects, each by the means that any owner has: elements are removed as the container's
// own removal does it, and fields are set to None by the class's own setter. RATIONALE.md, "Why a cycle is broken
// by setters".
#include "gc/break_cycles.h"

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

// Discards the error that a setter raised.
static void discard_error(void) {
  TVMFFIObjectHandle error = NULL;
  ss_api.TVMFFIErrorMoveFromRaised(&error);
  ss_xdecref(error);
}

// A field that a class declared in Python has: its setter would convert, and that may run Python code. The class states
// that the storage is what the type index says. RATIONALE.md, "Why the fields of a class declared in Python are emptied
// in their storage".
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

static void set_none(TVMFFIObject* object, const TVMFFIFieldInfo* field) {
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = (char*)object + field->offset},
                       {.type_index = kTVMFFINone}};
  int rc;
  if (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    if (ss_callable_of(field->setter) != NULL) return;  // a Python setter must not run inside tp_clear
    TVMFFISafeCallType call = SS_CELL(TVMFFIFunctionCell, field->setter)->safe_call;
    TVMFFIAny result = {.type_index = kTVMFFINone};
    rc = call(field->setter, args, 2, &result);
    if (rc == 0) ss_any_clear(&result);
  } else {
    TVMFFIFieldSetter setter;
    *(void**)&setter = field->setter;
    rc = setter(args[0].v_ptr, &args[1]);
  }
  if (rc != 0) discard_error();
}

static void empty_fields(TVMFFIObject* object) {
  const SsOwnedFields* owned = ss_owned_fields_of(object->type_index);
  for (int32_t i = 0; owned != NULL && i < owned->count; i++) {
    const TVMFFIFieldInfo* field = owned->fields[i].field;
    if (is_python_field(field)) {
      empty_storage(object, &owned->fields[i]);
    } else if (ss_is_settable(field)) {
      set_none(object, field);
    }
  }
}

void ss_break_cycle(TVMFFIObject* object) {
  PyObject** callable = ss_callable_of(object);
  if (callable != NULL) Py_CLEAR(*callable);
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
