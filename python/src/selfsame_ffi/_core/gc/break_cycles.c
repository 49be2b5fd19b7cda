// Emptying dead natives, each in the way in which its owners may: elements are taken out as a removal takes them out,
// fields are set to None by the class's own setter.
#include "gc/break_cycles.h"

#include "gc/references.h"
#include "tie/python_owner.h"

static void release_values(TVMFFIAny* values, int64_t n) {
  for (int64_t i = 0; i < n; i++) ss_any_clear(&values[i]);
}

static void open_list(TVMFFIObject* object) {
  TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, object);
  int64_t size = cell->size;
  cell->size = 0;
  release_values(cell->data, size);
}

// Behind SsMapCell in a dense Dict.
typedef struct {
  uint32_t fib_shift;
  uint64_t list_head;
  uint64_t list_tail;
} DenseCell;

static void open_dict(TVMFFIObject* object) {
  SsMapCell* cell = SS_CELL(SsMapCell, object);
  int64_t places = ss_map_places(cell);
  int small = (cell->slots & SS_MAP_SMALL) != 0;
  cell->size = 0;
  if (!small) {
    DenseCell* dense = (DenseCell*)(cell + 1);
    dense->list_head = dense->list_tail = UINT64_MAX;
  }
  for (int64_t i = 0; i < places; i++) {
    TVMFFIAny* pair = ss_map_pair(cell->data, cell->slots, i);
    if (pair == NULL) continue;
    enum { EMPTY = 0xFF };
    if (!small) {
      char* block = cell->data + i / SS_MAP_BLOCK_SLOTS * SS_MAP_BLOCK_SIZE;
      block[i % SS_MAP_BLOCK_SLOTS] = (char)EMPTY;
    }
    release_values(pair, 2);
  }
}

static void drop_error(void) {
  TVMFFIObjectHandle error = NULL;
  ss_api.TVMFFIErrorMoveFromRaised(&error);
  ss_decref_null(error);
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
  if (rc != 0) drop_error();
}

static void open_fields(TVMFFIObject* object) {
  const SsOwnedFields* slots = ss_owned_fields_of(object->type_index);
  for (int32_t i = 0; slots != NULL && i < slots->count; i++) {
    const TVMFFIFieldInfo* field = slots->slots[i].field;
    if (ss_is_settable(field)) set_none(object, field);
  }
}

void ss_open(TVMFFIObject* object) {
  PyObject** callable = ss_callable_of(object);
  if (callable != NULL) Py_CLEAR(*callable);
  switch (object->type_index) {
    case kTVMFFIList:
      open_list(object);
      break;
    case kTVMFFIDict:
      open_dict(object);
      break;
    default:
      open_fields(object);
  }
}
