// Errors that Go keeps; see kept_errors.h.
#include "convert/kept_errors.h"

#include "convert/errors.h"
#include "convert/in_flight.h"
#include "selfsame/internal/error_links.h"
#include "tie/python_owner.h"

struct SsNotedError {
  SsNotedError* older;  // the one that was noted before; owned
  TVMFFIObject* error;  // a weak reference
  int calls;            // ss_flights.calls when it was made
};

enum { MAX_NOTED = 64 };  // in one call; older ones are looked at before the call ends

// ---- what an exception is made again from ----

// A tuple (class, arguments, attributes or None).
static PyTypeObject recipe_type;

// The Python object that an Error owns, the exception or the recipe. Borrowed; NULL for an Error without.
static PyObject* owned_object(const TVMFFIErrorCell* cell) {
  TVMFFIObject* extra = ss_error_context(cell);
  return extra == NULL || extra->type_index != kTVMFFIOpaquePyObject ? NULL : ss_opaque_python_object(extra);
}

static PyObject* recipe_of(const TVMFFIErrorCell* cell) {
  PyObject* owned = owned_object(cell);
  return owned != NULL && Py_TYPE(owned) == &recipe_type ? owned : NULL;
}

int ss_error_is_kept(const TVMFFIErrorCell* cell) { return recipe_of(cell) != NULL; }

// The state of an exception as its own __reduce__ gives it, or what every exception has. New reference, NULL without
// memory. Sets no error.
static PyObject* make_recipe(PyObject* exception) {
  PyObject* type = (PyObject*)Py_TYPE(exception);
  PyObject* state = PyObject_CallMethod(exception, "__reduce__", NULL);
  Py_ssize_t size = state != NULL && PyTuple_CheckExact(state) ? PyTuple_GET_SIZE(state) : 0;
  int usual = (size == 2 || size == 3) && PyTuple_GET_ITEM(state, 0) == type &&
              PyTuple_CheckExact(PyTuple_GET_ITEM(state, 1)) &&
              (size == 2 || PyTuple_GET_ITEM(state, 2) == Py_None || PyDict_CheckExact(PyTuple_GET_ITEM(state, 2)));
  PyObject *args = NULL, *attributes = NULL;
  if (usual) {
    args = PyTuple_GET_ITEM(state, 1);
    Py_INCREF(args);
    if (size == 3) {
      attributes = PyTuple_GET_ITEM(state, 2);
      Py_INCREF(attributes);
    }
  } else {
    PyErr_Clear();
    args = PyObject_GetAttrString(exception, "args");
    PyErr_Clear();
    attributes = PyObject_GetAttrString(exception, "__dict__");
  }
  PyErr_Clear();
  Py_XDECREF(state);
  int has_attributes = attributes != NULL && PyDict_Check(attributes) && PyDict_Size(attributes) != 0;
  PyObject* copied = has_attributes ? PyDict_Copy(attributes) : Py_None;
  if (!has_attributes) Py_INCREF(copied);
  Py_XDECREF(attributes);
  PyObject* recipe = NULL;
  if (args != NULL && PyTuple_Check(args) && copied != NULL) {
    PyObject* items = Py_BuildValue("((OOO))", type, args, copied);
    if (items != NULL) recipe = PyTuple_Type.tp_new(&recipe_type, items, NULL);
    Py_XDECREF(items);
  }
  Py_XDECREF(args);
  Py_XDECREF(copied);
  PyErr_Clear();
  return recipe;
}

PyObject* ss_error_remake(const TVMFFIErrorCell* cell) {
  PyObject* recipe = recipe_of(cell);
  if (recipe == NULL) return NULL;
  Py_INCREF(recipe);
  PyObject *type = PyTuple_GET_ITEM(recipe, 0), *args = PyTuple_GET_ITEM(recipe, 1);
  PyObject *attributes = PyTuple_GET_ITEM(recipe, 2), *made = PyObject_Call(type, args, NULL);
  if (made == NULL && ss_class_refuses()) {  // its __init__ takes others than those that the exception has
    PyErr_Clear();
    made = ((PyTypeObject*)type)->tp_new((PyTypeObject*)type, args, NULL);
  }
  PyObject* dict = NULL;
  if (made != NULL && PyExceptionInstance_Check(made) && attributes != Py_None) {
    dict = PyObject_GetAttrString(made, "__dict__");
    if (dict == NULL || PyDict_Update(dict, attributes) != 0) Py_CLEAR(made);
  }
  Py_XDECREF(dict);
  if (made != NULL && !PyExceptionInstance_Check(made)) Py_CLEAR(made);
  if (made == NULL && PyErr_Occurred() && ss_class_refuses()) PyErr_Clear();
  Py_DECREF(recipe);
  return made;
}

// ---- letting go of exceptions ----

PyObject* ss_error_exception(const TVMFFIErrorCell* cell) {
  PyObject* owned = owned_object(cell);
  if (owned == NULL || !PyExceptionInstance_Check(owned)) return NULL;
  return ss_new_ref(owned);
}

static int go_has_a_handle(TVMFFIObject* error) {
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, error);
  return record != NULL && __atomic_load_n(&record->go, __ATOMIC_RELAXED) != 0;
}

// Replaces the exception that an Error owns, if the Error has no more owners than `owners`. A thread that reads the extra
// context owns a reference of its own. If it took that before the replacement, the count says so afterwards; if it took it
// later, it sees the replacement. Go reads nothing behind the extra context without such a reference.
static void let_go(TVMFFIObject* error, uint32_t owners) {
  TVMFFIErrorCell* cell = SS_CELL(TVMFFIErrorCell, error);
  PyObject* exception = ss_error_exception(cell);
  if (exception == NULL) return;
  PyObject* recipe = make_recipe(exception);
  TVMFFIObject* made = recipe == NULL ? NULL : ss_opaque_alloc(recipe, (TVMFFIAny){.type_index = kTVMFFINone});
  Py_XDECREF(recipe);
  if (made == NULL) {  // without memory the Error keeps its exception
    if (recipe != NULL) ss_forget_raised();
  } else {
    TVMFFIObject* old = __atomic_exchange_n(&cell->extra_context, made, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&error->combined_ref_count, __ATOMIC_SEQ_CST) << 32 == (uint64_t)owners << 32) {
      ss_decref(old);
    } else {
      // Somebody may read either of them now. The Error gets its exception back, and the other one is never freed.
      __atomic_store_n(&cell->extra_context, old, __ATOMIC_SEQ_CST);
    }
  }
  Py_DECREF(exception);
}

// Takes over a strong reference to an Error, and lets go of its exception, and of those of its causes, where Go alone owns
// the Error.
static void settle(TVMFFIObject* error) {
  uint32_t owners = 2;  // the reference taken over, and Go's
  TVMFFIObject* at = error;
  for (int depth = 0; depth < SS_MAX_CAUSES; depth++) {
    int has_handle = go_has_a_handle(at);
    if (depth == 0 && !has_handle) break;
    if (depth > 0) owners = has_handle ? 2 : 1;  // the Error that it caused, and Go's
    if (at->type_index != kTVMFFIError || ss_strong(at) != owners) break;
    let_go(at, owners);
    at = ss_error_cause(SS_CELL(TVMFFIErrorCell, at));
    if (at == NULL) break;
  }
  ss_decref(error);
}

// Ends a note, which the caller has taken off the list: letting go may run any code.
static void end_note(SsNotedError* noted) {
  TVMFFIObject* error = noted->error;
  PyMem_Free(noted);
  int lives = ss_promote(error);
  ss_weak_decref(error);
  if (lives) settle(error);
}

static void end_newest(void) {
  SsNotedError* noted = ss_flights.noted;
  ss_flights.noted = noted->older;
  end_note(noted);
}

// Ends the oldest note of a call that has many.
static void end_oldest(int calls) {
  SsNotedError** last = NULL;
  int count = 0;
  for (SsNotedError** at = &ss_flights.noted; *at != NULL && (*at)->calls == calls; at = &(*at)->older) {
    last = at;
    count++;
  }
  if (count < MAX_NOTED) return;
  SsNotedError* oldest = *last;
  *last = oldest->older;
  end_note(oldest);
}

void ss_kept_errors_note(TVMFFIObject* error) {
  int calls = ss_flights.calls;
  if (calls == 0) return;
  // Native code that calls a failing callback in a loop, and drops the Errors, leaves one note.
  while (ss_flights.noted != NULL && ss_flights.noted->calls == calls && ss_strong(ss_flights.noted->error) == 0) {
    end_newest();
  }
  end_oldest(calls);
  SsNotedError* noted = PyMem_Malloc(sizeof(SsNotedError));
  if (noted == NULL) return;
  ss_weak_incref(error);
  *noted = (SsNotedError){ss_flights.noted, error, calls};
  ss_flights.noted = noted;
}

void ss_kept_errors_ended(void) {
  while (ss_flights.noted != NULL && ss_flights.noted->calls > ss_flights.calls) end_newest();
}

// ---- the type ----

static PyTypeObject recipe_type = {
    SS_TYPE("selfsame_ffi._core.Recipe", "What an exception is made again from: class, arguments, attributes.", 0, 0),
};

int ss_kept_errors_init(void) {
  recipe_type.tp_base = &PyTuple_Type;  // not a constant where CPython is another library, as on Windows
  return PyType_Ready(&recipe_type);
}
