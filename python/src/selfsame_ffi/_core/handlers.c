// Functions of Python's that install handlers of signals, as they are after the import: see module.h.
//
// faulthandler ends the process at each fault that reaches it, also at one that Go would turn into a panic, so Go must see
// a fault first. faulthandler and signal install their handlers on top, whenever a program calls them: pytest and absl do
// so after their imports. So the C function behind each of these Python functions is replaced.
#include "module.h"

#include <signal.h>

#include "tie/replaced_function.h"

#ifdef __linux__

#define FAULTS 3
static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE};  // those that Go handles

// How CPython calls a function, which METH_ flags say.
typedef enum { NO_ARGUMENTS, KEYWORDS, FAST, FAST_KEYWORDS } Convention;

// The C functions of Python's, as PyMethodDef has them. NULL: not found.
static PyCFunction enable, disable, set_handler;

// One call of one of them.
typedef struct {
  const PyCFunction* function;  // which
  Convention convention;        // of it
  PyObject* self;               // the module
  PyObject* arguments;          // a tuple; NULL for the conventions FAST
  PyObject* const* array;       // the same for them
  Py_ssize_t count;             // of the array
  PyObject* keywords;           // a dict or a tuple of names, as the convention has it; NULL: none
  PyObject* result;             // NULL: an error is set
} Call;

static void run(void* data) {
  Call* c = data;
  void (*original)(void) = (void (*)(void)) * c->function;
  switch (c->convention) {
    case NO_ARGUMENTS:
      c->result = (*c->function)(c->self, NULL);
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
    return call->result;
  }
  int number = call->count > 0 && PyLong_Check(call->array[0]) ? (int)PyLong_AsLong(call->array[0]) : 0;
  if (number == SIGURG || number == SIGINT) {
    ss_api.SelfsameBelowGo(&number, 1, run, call);
  } else {
    PyErr_Clear();  // a number that is too large
    run(call);
  }
  return call->result;
}

static PyObject* disable_none(PyObject* self, PyObject* unused) {
  (void)unused;
  return below_go(&(Call){&disable, NO_ARGUMENTS, self});
}
static PyObject* enable_keywords(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return below_go(&(Call){&enable, KEYWORDS, self, .arguments = arguments, .keywords = keywords});
}
static PyObject* enable_fast(PyObject* self, PyObject* const* array, Py_ssize_t count, PyObject* keywords) {
  return below_go(&(Call){&enable, FAST_KEYWORDS, self, .array = array, .count = count, .keywords = keywords});
}
static PyObject* set_handler_fast(PyObject* self, PyObject* const* array, Py_ssize_t count) {
  return below_go(&(Call){&set_handler, FAST, self, .array = array, .count = count});
}

static const struct {
  const char* module;     // of Python
  const char* name;       // of the function in it
  int flags;              // of its PyMethodDef
  PyCFunction* original;  // where its C function goes
  void (*own)(void);      // what takes its place
} functions[] = {
    {"faulthandler", "disable", METH_NOARGS, &disable, (void (*)(void))disable_none},
    {"faulthandler", "enable", METH_VARARGS | METH_KEYWORDS, &enable, (void (*)(void))enable_keywords},
    {"faulthandler", "enable", METH_FASTCALL | METH_KEYWORDS, &enable, (void (*)(void))enable_fast},
    {"_signal", "signal", METH_FASTCALL, &set_handler, (void (*)(void))set_handler_fast},
};

int ss_handlers_init(void) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (ss_replace_function(functions[i].module, functions[i].name, functions[i].flags, (PyCFunction)functions[i].own,
                            functions[i].original) != 0) {
      return -1;
    }
  }
  return 0;
}

#else  // Go's handlers are left as they are there

int ss_handlers_init(void) { return 0; }

#endif
