// Lists, tuples and dicts to native containers.
#include "convert_parts.h"
#include "error.h"
#include "function.h"

typedef struct {
  TVMFFIAny* views;
  SsTemps temps;
} Block;

static int block_new(Block* block, Py_ssize_t count) {
  block->temps = (SsTemps){0};
  block->views = PyMem_Malloc((size_t)(count + 1) * (sizeof(TVMFFIAny) + sizeof(SsTemp)));
  if (block->views == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  block->temps.items = (SsTemp*)(block->views + count);
  return 0;
}

static TVMFFIObject* array_from_items(PyObject* items) {
  Py_ssize_t count = PyTuple_GET_SIZE(items);
  Block block;
  if (block_new(&block, count) != 0) return NULL;
  TVMFFIObjectHandle array = NULL;
  Py_ssize_t done = 0;
  while (done < count && ss_to_view(PyTuple_GET_ITEM(items, done), &block.views[done], &block.temps) == 0) done++;
  if (done < count) {
    ss_prefix_error("item %zd: ", done);
  } else if (ss_api.SelfsameArrayCreate(block.views, count, &array) != 0) {
    ss_raise_native();
    array = NULL;
  }
  if (done > 0) ss_views_done(&block.temps, &PyTuple_GET_ITEM(items, 0), done);
  PyMem_Free(block.views);
  return array;
}

TVMFFIObject* ss_array_from_sequence(PyObject* sequence) {
  if (Py_EnterRecursiveCall(" while converting a nested list to an Array") != 0) return NULL;
  // A tuple of its own: Python code that runs during the conversion cannot change it.
  PyObject* items = PySequence_Tuple(sequence);
  TVMFFIObject* array = items == NULL ? NULL : array_from_items(items);
  Py_XDECREF(items);
  Py_LeaveRecursiveCall();
  return array;
}

TVMFFIObject* ss_map_from_dict(PyObject* dict) {
  static const char name[] = "ffi.Map";
  TVMFFIByteArray key = {name, sizeof(name) - 1};
  TVMFFIObjectHandle maker = NULL;
  if (ss_api.TVMFFIFunctionGetGlobal(&key, &maker) != 0) {
    ss_raise_native();
    return NULL;
  }
  if (maker == NULL) {
    PyErr_SetString(PyExc_TypeError, "a dict needs the runtime's Map, which this runtime does not have");
    return NULL;
  }
  TVMFFIObject* map = NULL;
  if (Py_EnterRecursiveCall(" while converting a nested dict to a Map") == 0) {
    PyObject* flat = PyList_New(0);
    PyObject *item, *value;
    Py_ssize_t position = 0;
    int ok = flat != NULL;
    while (ok && PyDict_Next(dict, &position, &item, &value)) {
      ok = PyList_Append(flat, item) == 0 && PyList_Append(flat, value) == 0;
    }
    PyObject* pairs = ok ? PyList_AsTuple(flat) : NULL;
    if (pairs != NULL) {
      TVMFFIAny result;
      if (ss_call_raw(maker, 0, &PyTuple_GET_ITEM(pairs, 0), PyTuple_GET_SIZE(pairs), &result) == 0) {
        if (result.type_index >= kTVMFFIStaticObjectBegin) {
          map = result.v_obj;
        } else {
          PyErr_SetString(PyExc_TypeError, "ffi.Map did not return an object");
        }
      }
    }
    Py_XDECREF(pairs);
    Py_XDECREF(flat);
    Py_LeaveRecursiveCall();
  }
  ss_decref(maker);
  return map;
}
