// Shape: a tuple of ints that owns a wrapper.
//
// A tuple varies in size, so it cannot be a wrapper, whose memory becomes a kept block. The native object's wrapper is
// a separate Python object: the tuple owns it, and it has a borrowed pointer to the tuple while that lives. So each
// fetch gives the same tuple while it lives, and an equal one afterwards.
#include "convert/convert.h"

#include "convert/builtin.h"
#include "wrapper/classes.h"
#include "convert/internal.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"
#include "convert/to_python.h"

typedef struct {
  SsWrapper base;   // the wrapper of any object
  PyObject* tuple;  // borrowed; NULL while there is none
} ShapeObject;

// Where a tuple keeps the wrapper that it owns: after its last item, where code that goes by its size does not look.
static PyObject** wrapper_of(PyObject* shape) { return &PyTuple_GET_ITEM(shape, PyTuple_GET_SIZE(shape)); }

TVMFFIObject* ss_shape_native(PyObject* shape) { return ss_wrapper(*wrapper_of(shape))->handle; }

static PyObject* make_tuple(const TVMFFIShapeCell* cell) {
  PyObject* tuple = PyType_GenericAlloc(&SsShape_Type, (Py_ssize_t)cell->size + 1);
  if (tuple == NULL) return NULL;
  Py_SET_SIZE(tuple, (Py_ssize_t)cell->size);
#if PY_VERSION_HEX >= 0x030E0000
  ((PyTupleObject*)tuple)->ob_hash = -1;  // not known yet
#endif
  for (size_t i = 0; i < cell->size; i++) {
    PyObject* extent = PyLong_FromLongLong(cell->data[i]);
    if (extent == NULL) {
      Py_DECREF(tuple);
      return NULL;
    }
    PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, extent);
  }
  return tuple;
}

// The live tuple of the wrapper. When there is none, `fresh` becomes it, unless NULL. New reference; the caller's own
// one when the result is `fresh`; or NULL. Sets no error.
static PyObject* tuple_of(PyObject* wrapper, PyObject* fresh) {
  PyObject* known;
  SS_BEGIN_CRITICAL_SECTION(wrapper);
  known = ((ShapeObject*)wrapper)->tuple;
  if (known == NULL || !ss_try_incref(known)) {  // known, but another thread is about to free it
    known = fresh;
    if (fresh != NULL) ((ShapeObject*)wrapper)->tuple = fresh;
  }
  SS_END_CRITICAL_SECTION();
  return known;
}

PyObject* ss_shape_fetch(TVMFFIObject* shape) {
  PyObject* wrapper = ss_fetch(shape);
  if (wrapper == NULL) return NULL;
  if (Py_TYPE(wrapper) != &SsShapeObject_Type) return wrapper;  // another class is registered for Shapes
  PyObject* tuple = tuple_of(wrapper, NULL);
  if (tuple != NULL) {
    // The wrapper has one reference, that of the tuple, so ss_fetch has taken one share at most.
    if (ss_takes_share(ss_wrapper(wrapper), ss_references(tuple) - 1)) {
      ss_incref(shape);
      ss_flags_add(ss_wrapper(wrapper), SS_SHARE);
    }
    Py_DECREF(wrapper);
    return tuple;
  }
  PyObject* fresh = make_tuple(SS_CELL(TVMFFIShapeCell, ss_wrapper(wrapper)->handle));
  if (fresh == NULL) {
    Py_DECREF(wrapper);
    return NULL;
  }
  // The wrapper may have another tuple now: allocating this one may have run Python code or other threads.
  *wrapper_of(fresh) = wrapper;
  ss_enable_try_incref(fresh);
  tuple = tuple_of(wrapper, fresh);
  if (tuple != fresh) Py_DECREF(fresh);
  return tuple;
}

static PyObject* shape_new(PyTypeObject* cls, PyObject* args, PyObject* kwargs) {
  (void)cls;
  static char* names[] = {"content", NULL};
  PyObject* content;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Shape", names, &content)) return NULL;
  PyObject* items = PySequence_Tuple(content);
  if (items == NULL) return NULL;
  Py_ssize_t count = PyTuple_GET_SIZE(items);
  TVMFFIAny* views = count > INT32_MAX ? NULL : PyMem_Malloc((size_t)(count + 1) * sizeof(TVMFFIAny));
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (views == NULL) PyErr_NoMemory();
  Py_ssize_t done = 0;
  while (views != NULL && done < count) {
    PyObject* number = PyNumber_Index(PyTuple_GET_ITEM(items, done));
    int ok = number != NULL && ss_view_int64(number, &views[done]) == 0;
    Py_XDECREF(number);
    if (!ok) break;
    done++;
  }
  if (views != NULL && done < count) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_OverflowError)) {
      PyObject* text = ss_repr_for_error(PyTuple_GET_ITEM(items, done));
      PyErr_Format(PyExc_ValueError, "Shape must be a tuple of integers (64 bits): item %zd is %V", done, text,
                   "one that cannot be printed");
      Py_XDECREF(text);
    }
  } else if (views != NULL && ss_call_builtin(SS_BUILTIN_SHAPE, views, (int32_t)count, &result) != 0) {
    result.type_index = kTVMFFINone;
  }
  PyMem_Free(views);
  Py_DECREF(items);
  return result.type_index == kTVMFFINone ? NULL : ss_value_take(&result);
}

static void shape_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyObject* wrapper = *wrapper_of(self);
  if (wrapper != NULL) {  // NULL when make_tuple failed
    *wrapper_of(self) = NULL;
    SS_BEGIN_CRITICAL_SECTION(wrapper);
    if (((ShapeObject*)wrapper)->tuple == self) ((ShapeObject*)wrapper)->tuple = NULL;
    SS_END_CRITICAL_SECTION();
    Py_DECREF(wrapper);
  }
  PyTuple_Type.tp_dealloc(self);
}

static int shape_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(*wrapper_of(self));
  return PyTuple_Type.tp_traverse(self, visit, arg);
}

// A pickle holds the extents, in every protocol: protocols 0 and 1 would otherwise pickle the tuple's own state.
static PyObject* reduce(PyObject* self, PyObject* unused) {
  (void)unused;
  PyObject* extents = PyTuple_GetSlice(self, 0, PyTuple_GET_SIZE(self));
  return extents == NULL ? NULL : Py_BuildValue("O(N)", (PyObject*)&SsShape_Type, extents);
}

static PyObject* itself(PyObject* self, PyObject* unused) {
  (void)unused;
  return ss_new_ref(self);
}

static PyObject* get_native(PyObject* self, void* closure) {
  (void)closure;
  PyObject* wrapper = *wrapper_of(self);
  return ss_new_ref(wrapper);
}

static PyGetSetDef getset[] = {
    {"_tvm_ffi_cached_object", get_native, NULL, "The native object behind the tuple.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL},
                                {"__reduce_ex__", reduce, METH_O, NULL},
                                {"__copy__", itself, METH_NOARGS, NULL},
                                {"__deepcopy__", itself, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

PyTypeObject SsShape_Type = {
    SS_TYPE("selfsame_ffi.Shape",
            "Shape(content)\n--\n\nThe extents of a tensor: a tuple of ints that native code shares.", 0,
            Py_TPFLAGS_HAVE_GC),
    .tp_dealloc = shape_dealloc,
    .tp_traverse = shape_traverse,
    .tp_methods = methods,
    .tp_getset = getset,
    .tp_new = shape_new,
};

PyTypeObject SsShapeObject_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi._core.ShapeObject", "The wrapper of the native object behind a Shape.",
                    &SsObject_Type, ShapeObject, 0),

};
