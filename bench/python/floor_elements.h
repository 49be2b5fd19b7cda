// The floor of elements and loops; floor.c includes it.
#ifndef SELFSAME_BENCH_FLOOR_ELEMENTS_H_
#define SELFSAME_BENCH_FLOOR_ELEMENTS_H_

#include <Python.h>
#include <stdint.h>

// The least of an element and of a loop: a type that keeps ints or objects in memory of its own, and makes an int for each
// read, as a native container must.
typedef struct {
  int is_int;
  union {
    int64_t number;
    PyObject* object;  // owned
  };
} Element;

typedef struct {
  PyObject_HEAD Py_ssize_t count;
  Element items[];
} Elements;

typedef struct {
  PyObject_HEAD Elements* elements;
  Py_ssize_t next;
} ElementsIter;

static PyTypeObject elements_type, elements_iter_type;

static PyObject* new_elements(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  PyObject* list;
  if (kwargs != NULL || !PyArg_ParseTuple(args, "O!", &PyList_Type, &list)) return NULL;
  Py_ssize_t count = PyList_GET_SIZE(list);
  Elements* made = PyObject_Malloc(sizeof(Elements) + (size_t)count * sizeof(Element));
  if (made == NULL) return PyErr_NoMemory();
  PyObject_Init((PyObject*)made, type);
  made->count = count;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* item = PyList_GET_ITEM(list, i);
    made->items[i].is_int = PyLong_Check(item);
    if (made->items[i].is_int) {
      made->items[i].number = PyLong_AsLongLong(item);
    } else {
      Py_INCREF(item);
      made->items[i].object = item;
    }
  }
  return (PyObject*)made;
}

static void dealloc_elements(PyObject* self) {
  Elements* elements = (Elements*)self;
  for (Py_ssize_t i = 0; i < elements->count; i++) {
    if (!elements->items[i].is_int) Py_DECREF(elements->items[i].object);
  }
  PyObject_Free(self);
}

static PyObject* element_at(const Elements* elements, Py_ssize_t i) {
  const Element* item = &elements->items[i];
  if (item->is_int) return PyLong_FromLongLong(item->number);
  Py_INCREF(item->object);
  return item->object;
}

static PyObject* subscript_elements(PyObject* self, PyObject* key) {
  Py_ssize_t i = PyLong_AsSsize_t(key);
  if (i >= 0 && i < ((Elements*)self)->count) return element_at((Elements*)self, i);
  return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_IndexError, "Elements: index %zd", i);
}

static PyObject* iter_elements(PyObject* self) {
  ElementsIter* made = PyObject_New(ElementsIter, &elements_iter_type);
  if (made == NULL) return NULL;
  Py_INCREF(self);
  made->elements = (Elements*)self;
  made->next = 0;
  return (PyObject*)made;
}

static PyObject* next_element(PyObject* self) {
  ElementsIter* iter = (ElementsIter*)self;
  return iter->next < iter->elements->count ? element_at(iter->elements, iter->next++) : NULL;
}

static void dealloc_elements_iter(PyObject* self) {
  Py_DECREF((PyObject*)((ElementsIter*)self)->elements);
  PyObject_Free(self);
}

static PyMappingMethods elements_as_mapping = {.mp_subscript = subscript_elements};
static PyTypeObject elements_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor_ext.Elements",
                                     .tp_basicsize = sizeof(Elements),
                                     .tp_flags = Py_TPFLAGS_DEFAULT,
                                     .tp_new = new_elements,
                                     .tp_dealloc = dealloc_elements,
                                     .tp_as_mapping = &elements_as_mapping,
                                     .tp_iter = iter_elements};
static PyTypeObject elements_iter_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor_ext.ElementsIter",
                                          .tp_basicsize = sizeof(ElementsIter),
                                          .tp_flags = Py_TPFLAGS_DEFAULT,
                                          .tp_dealloc = dealloc_elements_iter,
                                          .tp_iter = PyObject_SelfIter,
                                          .tp_iternext = next_element};

#endif  // SELFSAME_BENCH_FLOOR_ELEMENTS_H_
