// The floor of an object of a class with typed fields: a wrapper, and a native object that owns the converted values, with a
// List of its own for a list. floor.c includes it.
#ifndef SELFSAME_BENCH_FLOOR_RECORD_H_
#define SELFSAME_BENCH_FLOOR_RECORD_H_

#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_FIELDS = 8, RECORD_SMALL = 7 };

typedef struct {
  int32_t type_index;
  uint32_t size;  // of a short text
  int64_t bits;
} RecordValue;

typedef struct {
  uint64_t counts;
  int32_t type_index;
  void (*deleter)(void*);
  RecordValue* items;
  int64_t size;
} RecordList;

typedef struct {
  uint64_t counts;
  int32_t type_index;
  void (*deleter)(void*);
  int64_t a, b;
  double c, d;
  RecordValue e;
  uint8_t f;
  PyObject* g;    // owned: stands for its native object
  int64_t h;      // without a list
  RecordList* l;  // owned, or NULL
} RecordNative;

typedef struct {
  PyObject_HEAD RecordNative* native;
} Record;

static void delete_record(void* self) {
  RecordNative* native = self;
  Py_XDECREF(native->g);
  if (native->l != NULL) free(native->l->items);
  free(native->l);
  free(native);
}

static RecordList* record_list(PyObject* list) {
  RecordList* made = malloc(sizeof(RecordList));
  Py_ssize_t count = PyList_GET_SIZE(list);
  if (made == NULL) return NULL;
  *made = (RecordList){1, 70, NULL, malloc(((size_t)count + 1) * sizeof(RecordValue)), count};
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* item = PyList_GET_ITEM(list, i);
    if (!PyLong_CheckExact(item)) return made;  // no benchmark has such an item
    made->items[i] = (RecordValue){1, 0, PyLong_AsLongLong(item)};
  }
  return made;
}

static int record_fill(RecordNative* native, PyObject* const* args) {
  Py_ssize_t size;
  if (!PyLong_CheckExact(args[0]) || !PyLong_CheckExact(args[1]) || !PyFloat_CheckExact(args[2]) ||
      !PyFloat_CheckExact(args[3]) || !PyUnicode_CheckExact(args[4]) || !PyBool_Check(args[5])) {
    return -1;
  }
  const char* text = PyUnicode_AsUTF8AndSize(args[4], &size);
  if (text == NULL || size > RECORD_SMALL) return -1;
  native->a = PyLong_AsLongLong(args[0]);
  native->b = PyLong_AsLongLong(args[1]);
  native->c = PyFloat_AS_DOUBLE(args[2]);
  native->d = PyFloat_AS_DOUBLE(args[3]);
  native->e = (RecordValue){11, (uint32_t)size, 0};
  memcpy(&native->e.bits, text, (size_t)size);
  native->f = args[5] == Py_True;
  Py_INCREF(args[6]);
  native->g = args[6];
  if (PyList_CheckExact(args[7])) return (native->l = record_list(args[7])) == NULL ? -1 : 0;
  native->h = PyLong_AsLongLong(args[7]);
  return native->h == -1 && PyErr_Occurred() ? -1 : 0;
}

static PyObject* record_call(PyObject* cls, PyObject* const* args, size_t nargsf, PyObject* names) {
  if (PyVectorcall_NARGS(nargsf) != RECORD_FIELDS || names != NULL) {
    return PyErr_Format(PyExc_TypeError, "Record: expected 8 values");
  }
  RecordNative* native = calloc(1, sizeof(RecordNative));
  if (native == NULL) return PyErr_NoMemory();
  native->counts = 1;
  native->deleter = delete_record;
  Record* made = record_fill(native, args) == 0 ? PyObject_GC_New(Record, (PyTypeObject*)cls) : NULL;
  if (made == NULL) {
    delete_record(native);
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "Record: a value of another type");
  }
  made->native = native;
  PyObject_GC_Track(made);
  return (PyObject*)made;
}

static void record_dealloc(PyObject* self) {
  RecordNative* native = ((Record*)self)->native;
  PyObject_GC_UnTrack(self);
  if (__atomic_sub_fetch(&native->counts, 1, __ATOMIC_ACQ_REL) == 0) native->deleter(native);
  PyObject_GC_Del(self);
}

static int record_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((Record*)self)->native->g);
  return 0;
}

static PyTypeObject record_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor_ext.Record",
                                   .tp_basicsize = sizeof(Record),
                                   .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                   .tp_vectorcall = record_call,
                                   .tp_traverse = record_traverse,
                                   .tp_dealloc = record_dealloc};

#endif  // SELFSAME_BENCH_FLOOR_RECORD_H_
