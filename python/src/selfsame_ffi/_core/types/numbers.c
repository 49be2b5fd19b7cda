// The buffer protocol of numbers in memory of Go: that of a Tensor over the memory, which their class makes.
#include "types/types.h"

#include "wrapper/tp_slots.h"
#include "wrapper/classes.h"

static int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = NULL;
  PyObject* tensor = PyObject_CallMethod(self, "__ffi_memory__", NULL);
  int rc = tensor == NULL ? -1 : PyObject_GetBuffer(tensor, view, flags);
  Py_XDECREF(tensor);
  return rc;
}

static PyBufferProcs as_buffer = {.bf_getbuffer = get_buffer};

PyTypeObject SsNumbers_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi._core.NumbersBase", "The native half of selfsame_ffi.GoNumbers.", &SsObject_Type,
                    SsWrapper, Py_TPFLAGS_BASETYPE),
    .tp_as_buffer = &as_buffer,
};
