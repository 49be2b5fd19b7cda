// Deep copies that the runtime makes: see copying.h.
//
// copy.deepcopy asks each object for its copy, which costs a microsecond for each of a graph. The runtime copies a whole
// graph in a tenth of that. Its copy is the same where nothing of Python's own takes part: classes that say themselves how
// their objects are copied, attributes of wrappers, values that only Python can copy.
#include "types/copying.h"

#include "convert/errors.h"
#include "convert/function.h"
#include "convert/to_python.h"
#include "gc/references.h"
#include "types/types.h"
#include "wrapper/classes.h"
#include "wrapper/fetch.h"

enum {
  MOST_NOTED = 4096,                    // objects of types with greater indices are copied by Python
  DEEPEST = SS_FREE_THREADED ? 0 : 512  // without the GIL another thread may change what is inside of an object
};

typedef struct {
  uint64_t words[MOST_NOTED / 64];  // a bit for each type index, which stays set
} Types;

static Types cloned;     // the types whose objects are copied by __ffi_shallow_copy__ alone
static Types by_fields;  // those of them whose deep copies are these with copies of the fields

static void note(Types* types, long index) {
  __atomic_fetch_or(&types->words[index / 64], 1ULL << (index % 64), __ATOMIC_RELAXED);
}

static int is_noted(const Types* types, int32_t index) {
  return index < MOST_NOTED && (__atomic_load_n(&types->words[index / 64], __ATOMIC_RELAXED) >> (index % 64) & 1) != 0;
}

int ss_copying_is_cloned(int32_t index) { return is_noted(&cloned, index); }

// Whether the memory shows what an object's field has, and the runtime can set it.
static int is_readable(const TVMFFIFieldInfo* field) {
  int32_t index = field->field_static_type_index;
  if (ss_owned_kind_of(field) != SS_NOT_OWNED) return field->setter != NULL;
  return (index >= 0 && index < kTVMFFIStaticObjectBegin) || index == kTVMFFIStr || index == kTVMFFIBytes;
}

static int are_fields_readable(const TVMFFITypeInfo* info) {
  for (int32_t level = 0; level <= info->type_depth; level++) {
    const TVMFFITypeInfo* at = level < info->type_depth ? info->type_ancestors[level] : info;
    for (int32_t i = 0; i < at->num_fields; i++) {
      if (!is_readable(&at->fields[i])) return 0;
    }
  }
  return 1;
}

PyObject* ss_copying_note_cloned(PyObject* module, PyObject* args) {
  (void)module;
  int index, deeply;
  if (!PyArg_ParseTuple(args, "ip:note_cloned", &index, &deeply)) return NULL;
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
  if (info != NULL && index >= 0 && index < MOST_NOTED) {
    note(&cloned, index);
    if (deeply && are_fields_readable(info)) note(&by_fields, index);
  }
  Py_RETURN_NONE;
}

// ---- whether the runtime may copy --------------------------------------------------------------------------------

typedef struct {
  PyObject* memo;       // of copy.deepcopy, borrowed; NULL without one
  PyObject* seen;       // the addresses of objects with several owners that were looked at; NULL before the first one
  PyTypeObject* plain;  // the class that was found last to have no ideas of its own
} Walk;

static int is_container(int32_t index) {
  return index == kTVMFFIArray || index == kTVMFFIList || index == kTVMFFIMap || index == kTVMFFIDict;
}

static int is_plain(Walk* w, PyTypeObject* cls) {
  static PyObject *reduce_ex, *deepcopy, *getstate;
  if (cls == NULL || cls == w->plain) return 1;
  if (ss_copying_is_reduced_by_class(cls) || ss_copying_has_other(cls, &SsObject_Type, "__reduce_ex__", &reduce_ex) ||
      ss_copying_has_other(cls, &SsObject_Type, "__deepcopy__", &deepcopy) ||
      ss_copying_has_other(cls, &PyBaseObject_Type, "__getstate__", &getstate)) {
    return 0;
  }
  w->plain = cls;
  return 1;
}

// Whether a wrapper that lives, or is held, adds nothing to its native object, and no copy of it was made before.
static int adds_nothing(const Walk* w, PyObject* wrapper) {
  if (Py_REFCNT(wrapper) == 0 || ss_copying_has_state(wrapper)) return 0;
  if (w->memo == NULL || PyDict_GET_SIZE(w->memo) == 0 || (ss_flags(ss_wrapper(wrapper)) & SS_HELD)) return 1;
  PyObject* key = PyLong_FromVoidPtr(wrapper);
  int is_copied = key == NULL ? -1 : PyDict_Contains(w->memo, key);
  Py_XDECREF(key);
  if (is_copied < 0) PyErr_Clear();
  return is_copied == 0;
}

static int is_without_python(Walk* w, const TVMFFIObject* object) {
  PyTypeObject* registered = ss_class_registered(object->type_index);
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  uintptr_t word = record == NULL ? 0 : __atomic_load_n(&record->wrapper, __ATOMIC_ACQUIRE);
  if (word == 0) return is_plain(w, registered);
  PyObject* block = (PyObject*)(word & ~SELFSAME_TIE_TAGS);
  if (Py_TYPE(block) != registered || !is_plain(w, registered)) return 0;
  return (word & SELFSAME_TIE_INACTIVE) != 0 || adds_nothing(w, block);
}

// Notes an object with several owners. 1 when it was noted before, -1 with an error set.
static int see(Walk* w, const TVMFFIObject* object) {
  if (w->seen == NULL && (w->seen = PySet_New(NULL)) == NULL) return -1;
  PyObject* address = PyLong_FromVoidPtr((void*)object);
  Py_ssize_t before = PySet_GET_SIZE(w->seen);
  int rc = address == NULL ? -1 : PySet_Add(w->seen, address);
  Py_XDECREF(address);
  return rc != 0 ? -1 : PySet_GET_SIZE(w->seen) == before;
}

static int is_data(Walk* w, TVMFFIObject* object, int depth) {
  int32_t index = object->type_index;
  if (index == kTVMFFIBigInt) return 1;
  if (depth < 0 || (!is_container(index) && !is_noted(&by_fields, index)) || !is_without_python(w, object)) return 0;
  if (ss_strong(object) > 1) {
    int seen = see(w, object);
    if (seen != 0) {
      PyErr_Clear();
      return seen > 0;
    }
  }
  SsCursor cursor;
  TVMFFIObject* child = ss_cursor_start(&cursor, object) ? ss_cursor_next(&cursor) : NULL;
  while (child != NULL && is_data(w, child, depth - 1)) child = ss_cursor_next(&cursor);
  return child == NULL;
}

// ---- the copy -----------------------------------------------------------------------------------------------------

typedef struct {
  PyObject *memo, *kept;     // borrowed; a list of originals in the memo, NULL before the first one
  const TVMFFIObject* root;  // the object that is copied: copy.deepcopy notes its copy itself
} Memo;

// The memo has the number of each original, which it keeps alive, as copy.deepcopy does.
static int remember(Memo* m, PyObject* original, PyObject* copied) {
  if (m->kept == NULL) {
    PyObject* key = PyLong_FromVoidPtr(m->memo);
    PyObject* fresh = key == NULL ? NULL : PyList_New(0);
    m->kept = fresh == NULL ? NULL : PyDict_SetDefault(m->memo, key, fresh);
    Py_XDECREF(key);
    Py_XDECREF(fresh);
    if (m->kept == NULL) return -1;
  }
  PyObject* key = PyLong_FromVoidPtr(original);
  int rc = key == NULL || PyDict_SetItem(m->memo, key, copied) != 0 || !PyList_Check(m->kept) ||
           PyList_Append(m->kept, original) != 0;
  Py_XDECREF(key);
  return rc ? -1 : 0;
}

// Something else that is copied with the same memo may have the original too.
static int note_copied(void* context, TVMFFIObject* original, TVMFFIObject* made) {
  Memo* m = (Memo*)context;
  if (original == m->root) return 0;
  PyObject* wrapper = ss_fetch_borrowed(original);
  PyObject* copied = wrapper == NULL ? NULL : ss_fetch_borrowed(made);
  int rc = copied == NULL ? -1 : remember(m, wrapper, copied);
  Py_XDECREF(copied);
  Py_XDECREF(wrapper);
  return rc;
}

// Whether nothing else is copied with the memo: it is empty, and copy.deepcopy, which made it, alone has it, beside the
// arguments of this call. From CPython 3.14 on arguments may be borrowed, so that the count does not say it.
static int is_of_this_copy(PyObject* memo) {
  return PY_VERSION_HEX < 0x030E0000 && !SS_FREE_THREADED && PyDict_GET_SIZE(memo) == 0 && Py_REFCNT(memo) <= 2;
}

static PyObject* copied_pinned(PyObject* self, TVMFFIObject* native, PyObject* memo) {
  Walk walk = {.memo = memo};
  Memo noted = {.memo = memo, .root = native};
  TVMFFIAny view, made = {.type_index = kTVMFFINone};
  int rc = 0, is_alone = memo == NULL || is_of_this_copy(memo);
  ss_set_object(&view, native);
  SS_BEGIN_CRITICAL_SECTION(self);
  int is_native = Py_TYPE(self) == ss_class_registered(native->type_index) && is_data(&walk, native, DEEPEST);
  if (is_native) rc = ss_api.SelfsameDeepCopy(&view, &made, is_alone ? NULL : note_copied, &noted);
  SS_END_CRITICAL_SECTION();
  Py_XDECREF(walk.seen);
  if (rc == 0) return ss_value_take(&made);
  return PyErr_Occurred() ? NULL : (PyObject*)ss_raise_native_null();
}

PyObject* ss_copying_natively(PyObject* self, PyObject* memo) {
  TVMFFIObject* native = ss_pin(ss_wrapper(self));
  if (native == NULL) return ss_no_handle(self);
  PyObject* copied = copied_pinned(self, native, memo);
  ss_unpin(ss_wrapper(self));
  return copied;
}
