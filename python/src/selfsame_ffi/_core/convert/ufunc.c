// A Go function of numbers as a ufunc of NumPy; see convert.h.
#include "convert/convert.h"

#include "convert/function.h"
#include "tie/attach.h"

enum { MAX_UFUNC_ARGS = 31 };  // NumPy 1 allows 32 operands

// The loop and the maker of ufuncs, as NumPy's headers declare them since version 1.7.
typedef void (*UfuncLoop)(char** args, const Py_ssize_t* dimensions, const Py_ssize_t* steps, void* data);
typedef PyObject* (*UfuncMaker)(UfuncLoop* loops, void** data, const char* types, int num_types, int num_in,
                                int num_out, int identity, const char* name, const char* doc, int unused);
enum { UFUNC_MAKER = 1, IDENTITY_NONE = -1 };  // the maker's place in the API

// What a ufunc calls. It lives as long as the process, as NumPy keeps addresses in it.
typedef struct {
  PyObject* function;                     // a Function wrapper, owned
  int32_t num_args;                       // of the function
  DLDataType dtypes[MAX_UFUNC_ARGS + 1];  // of the arguments, then of the result
  UfuncLoop loops[1];                     // what NumPy calls
  void* data[1];                          // what NumPy gives to the loop: this
  char types[MAX_UFUNC_ARGS + 1];         // NumPy's numbers of the types, those of the arguments first
  char *name, *doc;                       // owned
} Ufunc;

// Calls the function for elements of the arguments' arrays. NumPy calls it with or without the GIL, and looks for an
// error afterwards.
static void call_elements(char** args, const Py_ssize_t* dimensions, const Py_ssize_t* steps, void* data) {
  const Ufunc* ufunc = data;
  SelfsameColumn columns[MAX_UFUNC_ARGS + 1];
  for (int32_t i = 0; i <= ufunc->num_args; i++) {
    columns[i] = (SelfsameColumn){args[i], steps[i], ufunc->dtypes[i]};
  }
  SelfsameBatch batch = {dimensions[0], columns, ufunc->num_args, 0, -1};
  PyGILState_STATE attached = PyGILState_UNLOCKED;
  int had_gil = ss_have_gil();
  if (!had_gil) attached = ss_gilstate_ensure();
  // An earlier part of the same arrays may have failed: NumPy looks for an error only after the last.
  if (!PyErr_Occurred()) ss_invoke_batch(ss_wrapper(ufunc->function), &batch);
  if (!had_gil) PyGILState_Release(attached);
}

// The number that NumPy has for a type of numbers, which is also that of its C type; -1 for none.
static int type_number(DLDataType dtype) {
  enum { BOOL, BYTE, UBYTE, SHORT, USHORT, INT, UINT, LONG, ULONG, LONGLONG, ULONGLONG, FLOAT, DOUBLE };
  enum { INT64 = sizeof(long) == 8 ? LONG : LONGLONG, UINT64 = INT64 + 1 };  // long has 32 bits on Windows
  static const signed char ints[] = {BYTE, SHORT, INT, INT64}, uints[] = {UBYTE, USHORT, UINT, UINT64};
  int size = dtype.bits == 8 ? 0 : dtype.bits == 16 ? 1 : dtype.bits == 32 ? 2 : 3;
  switch (dtype.code) {
    case kDLBool:
      return BOOL;
    case kDLInt:
      return ints[size];
    case kDLUInt:
      return uints[size];
    case kDLFloat:
      return dtype.bits == 32 ? FLOAT : dtype.bits == 64 ? DOUBLE : -1;
    default:
      return -1;
  }
}

// Sets the types of the ufunc's operands. 0, or -1 with an error set.
static int set_types(Ufunc* ufunc, PyObject* dtypes) {
  for (int32_t i = 0; i <= ufunc->num_args; i++) {  // the result's is the first of `dtypes`
    const char* name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(dtypes, i == ufunc->num_args ? 0 : i + 1));
    if (name == NULL) return -1;
    ufunc->dtypes[i] = ss_number_type(name);
    int number = ufunc->dtypes[i].bits == 0 ? -1 : type_number(ufunc->dtypes[i]);
    if (number < 0) {
      PyErr_Format(PyExc_TypeError, "ufunc: expected numbers for every argument and the result, got '%s'", name);
      return -1;
    }
    ufunc->types[i] = (char)number;
  }
  return 0;
}

PyObject* ss_new_ufunc(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *capsule, *function, *dtypes;
  const char *name, *doc;
  if (!PyArg_ParseTuple(args, "OO!O!ss:new_ufunc", &capsule, &SsFunction_Type, &function, &PyTuple_Type, &dtypes, &name,
                        &doc)) {
    return NULL;
  }
  Py_ssize_t num_args = PyTuple_GET_SIZE(dtypes) - 1;
  if (num_args < 1 || num_args > MAX_UFUNC_ARGS) {
    return PyErr_Format(PyExc_TypeError, "ufunc: expected a function of 1 to %d arguments, got %zd", MAX_UFUNC_ARGS,
                        num_args);
  }
  void** api = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
  if (api == NULL) return NULL;
  UfuncMaker make;
  *(void**)&make = api[UFUNC_MAKER];
  Ufunc* ufunc = PyMem_Calloc(1, sizeof(*ufunc));
  if (ufunc == NULL) return PyErr_NoMemory();
  ufunc->num_args = (int32_t)num_args;
  ufunc->loops[0] = call_elements;
  ufunc->data[0] = ufunc;
  ufunc->name = strdup(name);
  ufunc->doc = strdup(doc);
  PyObject* made = NULL;
  if (ufunc->name == NULL || ufunc->doc == NULL) {
    PyErr_NoMemory();
  } else if (set_types(ufunc, dtypes) == 0) {
    made =
        make(ufunc->loops, ufunc->data, ufunc->types, 1, (int)num_args, 1, IDENTITY_NONE, ufunc->name, ufunc->doc, 0);
  }
  if (made != NULL) {
    Py_INCREF(function);
    ufunc->function = function;
    return made;
  }
  free(ufunc->name);
  free(ufunc->doc);
  PyMem_Free(ufunc);
  return NULL;
}
