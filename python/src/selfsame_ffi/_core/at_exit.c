// An object that stands for what native code keeps of Python's: see module.h.
//
// Native code has Functions of Python callables, and the core has tables of classes, for the life of the process. A callable
// or class of a program keeps its module's globals. So an open file among them would not be flushed at exit, and no
// finalizer would run. The object owns these references instead, and tells CPython's collector of them. It lies in
// sys.modules, which CPython empties first, and refers to itself. So the collection that follows finds it dead together with
// what it owns, runs all finalizers, for which the Functions still work, and has the object let go then.
#include "module.h"

#include "convert/errors.h"
#include "tie/python_owner.h"
#include "types/types.h"
#include "wrapper/classes.h"

typedef struct {
  PyObject_HEAD;
  PyObject* self;   // owned
  SsClosure* lent;  // Functions whose callables it owns, and itself a reference to each
} Keeper;

static int traverse(PyObject* self, visitproc visit, void* arg) {
  const Keeper* keeper = (const Keeper*)self;
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  Py_VISIT(keeper->self);
  for (const SsClosure* c = keeper->lent; c != NULL; c = ss_closure_behind(c)) Py_VISIT(c->lent);
  int rc = ss_errors_traverse(visit, arg);
  if (rc == 0) rc = ss_declared_traverse(visit, arg);
  return rc != 0 ? rc : ss_classes_traverse(visit, arg);
}

static int clear(PyObject* self) {
  Keeper* keeper = (Keeper*)self;
  while (keeper->lent != NULL) {
    SsClosure* closure = keeper->lent;
    keeper->lent = ss_closure_behind(closure);
    Py_CLEAR(closure->lent);
    ss_decref(&closure->header);
  }
  ss_errors_clear();
  ss_classes_clear();
  Py_CLEAR(keeper->self);
  return 0;
}

static void dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_traverse, (void*)traverse}, {Py_tp_clear, (void*)clear}, {Py_tp_dealloc, (void*)dealloc}, {0, NULL}};
static PyType_Spec spec = {.name = "selfsame_ffi._core.KeptByNativeCode",
                           .basicsize = sizeof(Keeper),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};

int ss_let_go_at_exit(void) {
  static int is_done;
  if (is_done) return 0;
  is_done = 1;
  PyObject* modules = PyImport_GetModuleDict();  // borrowed
  PyTypeObject* type = (PyTypeObject*)PyType_FromSpec(&spec);
  PyObject* self = type == NULL ? NULL : type->tp_alloc(type, 0);
  Py_XDECREF(type);
  if (self == NULL) return -1;
  Keeper* keeper = (Keeper*)self;
  Py_INCREF(self);
  keeper->self = self;
  int rc = PyDict_SetItemString(modules, spec.name, self);
  if (rc == 0) keeper->lent = ss_closures_lend();
  Py_DECREF(self);  // without room in sys.modules it stays as it is, and nothing is let go
  return rc;
}
