// Functions of Python's that install handlers of signals, as they are after the import: see handlers.h.
//
// faulthandler ends the process at each fault that reaches it, also at one that Go would turn into a panic, so Go must see
// a fault first. faulthandler and signal install their handlers on top, whenever a program calls them: pytest and absl do
// so after their imports. Nothing tells that they were called, so the C function behind each of these Python functions is
// replaced. The Python functions stay, and all that a program made of them, such as `from faulthandler import enable`.
#include "handlers.h"

#include <signal.h>

#ifdef __linux__

#define FAULTS 3
static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE};  // those that Go handles
static const int interrupt = SIGURG;

// How CPython calls a function, which METH_ flags say.
typedef enum { NO_ARGUMENTS, KEYWORDS, FAST, FAST_KEYWORDS } Convention;

// A function of Python's in C.
typedef struct {
  Convention convention;  // of the original
  PyCFunction original;   // as PyMethodDef has it; NULL: not found
} Replaced;

static Replaced enable, disable, set_handler;

// One call of it.
typedef struct {
  const Replaced* function;  // which
  PyObject* self;            // the module
  PyObject* arguments;       // a tuple; NULL for the conventions FAST
  PyObject* const* array;    // the same for them
  Py_ssize_t count;          // of the array
  PyObject* keywords;        // a dict or a tuple of names, as the convention has it; NULL: none
  PyObject* result;          // NULL: an error is set
} Call;

static void run(void* data) {
  Call* c = data;
  void (*original)(void) = (void (*)(void))c->function->original;
  switch (c->function->convention) {
    case NO_ARGUMENTS:
      c->result = c->function->original(c->self, NULL);
      break;
    case KEYWORDS:
      c->result = ((PyCFunctionWithKeywords)original)(c->self, c->arguments, c->keywords);
      break;
    case FAST:
      c->result = ((PyObject * (*)(PyObject*, PyObject* const*, Py_ssize_t)) original)(c->self, c->array, c->count);
      break;
    case FAST_KEYWORDS:
      c->result = ((PyObject * (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)) original)(
          c->self, c->array, c->count, c->keywords);
      break;
  }
}

static PyObject* below_go(Call* call) {
  if (call->function != &set_handler) {
    ss_api.SelfsameBelowGo(faults, FAULTS, run, call);
  } else if (call->count > 0 && PyLong_Check(call->array[0]) && PyLong_AsLong(call->array[0]) == SIGURG) {
    ss_api.SelfsameBelowGo(&interrupt, 1, run, call);
  } else {
    PyErr_Clear();  // a number that is too large
    run(call);
  }
  return call->result;
}

static PyObject* disable_none(PyObject* self, PyObject* unused) {
  (void)unused;
  return below_go(&(Call){.function = &disable, .self = self});
}
static PyObject* enable_keywords(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return below_go(&(Call){.function = &enable, .self = self, .arguments = arguments, .keywords = keywords});
}
static PyObject* enable_fast(PyObject* self, PyObject* const* array, Py_ssize_t count, PyObject* keywords) {
  return below_go(&(Call){.function = &enable, .self = self, .array = array, .count = count, .keywords = keywords});
}
static PyObject* set_handler_fast(PyObject* self, PyObject* const* array, Py_ssize_t count) {
  return below_go(&(Call){.function = &set_handler, .self = self, .array = array, .count = count});
}

static const struct {
  const char* module;     // of Python
  const char* name;       // of the function in it
  int flags;              // of its PyMethodDef
  Convention convention;  // that these flags mean
  Replaced* replaced;     // what becomes of it
  void (*own)(void);      // what takes its place
} functions[] = {
    {"faulthandler", "disable", METH_NOARGS, NO_ARGUMENTS, &disable, (void (*)(void))disable_none},
    {"faulthandler", "enable", METH_VARARGS | METH_KEYWORDS, KEYWORDS, &enable, (void (*)(void))enable_keywords},
    {"faulthandler", "enable", METH_FASTCALL | METH_KEYWORDS, FAST_KEYWORDS, &enable, (void (*)(void))enable_fast},
    {"_signal", "signal", METH_FASTCALL, FAST, &set_handler, (void (*)(void))set_handler_fast},
};

int ss_handlers_init(void) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    PyObject* module = PyImport_ImportModule(functions[i].module);
    PyObject* function = module == NULL ? NULL : PyObject_GetAttrString(module, functions[i].name);
    Py_XDECREF(module);
    if (function == NULL) return -1;
    // Another type: a program replaced it by one of its own, and calls the original from there at most.
    if (PyCFunction_CheckExact(function) && functions[i].replaced->original == NULL) {
      PyMethodDef* method = ((PyCFunctionObject*)function)->m_ml;
      if (method->ml_flags == functions[i].flags) {
        *functions[i].replaced = (Replaced){functions[i].convention, method->ml_meth};
        method->ml_meth = (PyCFunction)functions[i].own;
      }
    }
    Py_DECREF(function);
  }
  return 0;
}

#else  // Go's handlers are left as they are there

int ss_handlers_init(void) { return 0; }

#endif
