#include "wrapper/weak_references.h"

#include <pthread.h>

#include "wrapper/weak_references.h"

// CPython's slots, the same in both classes but for tp_call.
static PyTypeObject type;
static PyNumberMethods number;
static PySequenceMethods sequence;
static PyMappingMethods mapping;

// The functions for the slots: each calls CPython's, and has one or two proxies among its arguments.
#define ONE(name, result_type, original, parameters, arguments) \
  static result_type name parameters {                          \
    PyObject* kept = ss_weakly_counted(a);                      \
    result_type result = original arguments;                    \
    Py_XDECREF(kept);                                           \
    return result;                                              \
  }
#define TWO(name, original, parameters, arguments)                        \
  static PyObject* name parameters {                                      \
    PyObject *kept = ss_weakly_counted(a), *other = ss_weakly_counted(b); \
    PyObject* result = original arguments;                                \
    Py_XDECREF(kept);                                                     \
    Py_XDECREF(other);                                                    \
    return result;                                                        \
  }
#define UNARY(slot) ONE(slot, PyObject*, number.slot, (PyObject * a), (a))
#define BINARY(slot) TWO(slot, number.slot, (PyObject * a, PyObject * b), (a, b))
#define TERNARY(slot) TWO(slot, number.slot, (PyObject * a, PyObject * b, PyObject * c), (a, b, c))

#define UNARIES(X) X(nb_negative) X(nb_positive) X(nb_absolute) X(nb_invert) X(nb_int) X(nb_float) X(nb_index)
// clang-format off
#define BINARIES(X) \
  X(nb_add) X(nb_subtract) X(nb_multiply) X(nb_remainder) X(nb_divmod) X(nb_lshift) X(nb_rshift) X(nb_and) \
  X(nb_xor) X(nb_or) X(nb_floor_divide) X(nb_true_divide) X(nb_matrix_multiply) X(nb_inplace_add) \
  X(nb_inplace_subtract) X(nb_inplace_multiply) X(nb_inplace_remainder) X(nb_inplace_lshift) \
  X(nb_inplace_rshift) X(nb_inplace_and) X(nb_inplace_xor) X(nb_inplace_or) X(nb_inplace_floor_divide) \
  X(nb_inplace_true_divide) X(nb_inplace_matrix_multiply)
// clang-format on
#define TERNARIES(X) X(nb_power) X(nb_inplace_power)

UNARIES(UNARY)
BINARIES(BINARY)
TERNARIES(TERNARY)
ONE(nb_bool, int, number.nb_bool, (PyObject * a), (a))
ONE(sq_length, Py_ssize_t, sequence.sq_length, (PyObject * a), (a))
ONE(sq_contains, int, sequence.sq_contains, (PyObject * a, PyObject* b), (a, b))
ONE(mp_length, Py_ssize_t, mapping.mp_length, (PyObject * a), (a))
ONE(mp_subscript, PyObject*, mapping.mp_subscript, (PyObject * a, PyObject* b), (a, b))
ONE(mp_ass_subscript, int, mapping.mp_ass_subscript, (PyObject * a, PyObject* b, PyObject* c), (a, b, c))
ONE(get_attribute, PyObject*, type.tp_getattro, (PyObject * a, PyObject* b), (a, b))
ONE(set_attribute, int, type.tp_setattro, (PyObject * a, PyObject* b, PyObject* c), (a, b, c))
ONE(text, PyObject*, type.tp_str, (PyObject * a), (a))
ONE(iterator, PyObject*, type.tp_iter, (PyObject * a), (a))
ONE(next, PyObject*, type.tp_iternext, (PyObject * a), (a))
TWO(compare, type.tp_richcompare, (PyObject * a, PyObject* b, int operator), (a, b, operator))
ONE(called, PyObject*, type.tp_call, (PyObject * a, PyObject* b, PyObject* c), (a, b, c))

// Its methods in C, which both classes have: __bytes__ and __reversed__.
static PyCFunction methods[2];
ONE(first_method, PyObject*, methods[0], (PyObject * a, PyObject* none), (a, none))
ONE(second_method, PyObject*, methods[1], (PyObject * a, PyObject* none), (a, none))

static void replace(void) {
  static PyNumberMethods own_number;
  static PySequenceMethods own_sequence;
  static PyMappingMethods own_mapping;
  PyTypeObject* types[] = {&_PyWeakref_ProxyType, &_PyWeakref_CallableProxyType};
  own_number = number = *types[0]->tp_as_number;
  own_sequence = sequence = *types[0]->tp_as_sequence;
  own_mapping = mapping = *types[0]->tp_as_mapping;
  type = *types[1];
#define OWN_NUMBER(slot) own_number.slot = slot;
  UNARIES(OWN_NUMBER)
  BINARIES(OWN_NUMBER)
  TERNARIES(OWN_NUMBER)
  OWN_NUMBER(nb_bool)
  own_sequence.sq_length = sq_length;
  own_sequence.sq_contains = sq_contains;
  own_mapping.mp_length = mp_length;
  own_mapping.mp_subscript = mp_subscript;
  own_mapping.mp_ass_subscript = mp_ass_subscript;
  for (int i = 0; i < 2; i++) {
    PyTypeObject* it = types[i];
    it->tp_as_number = &own_number;
    it->tp_as_sequence = &own_sequence;
    it->tp_as_mapping = &own_mapping;
    it->tp_getattro = get_attribute;
    it->tp_setattro = set_attribute;
    it->tp_str = text;
    it->tp_richcompare = compare;
    it->tp_iter = iterator;
    it->tp_iternext = next;
  }
  types[1]->tp_call = called;
  static const PyCFunction own_methods[] = {first_method, second_method};
  PyMethodDef* method = types[0]->tp_methods;
  for (int i = 0; i < 2 && method != NULL && method->ml_name != NULL; i++, method++) {
    if (method->ml_flags != METH_NOARGS) continue;
    methods[i] = method->ml_meth;
    __atomic_store_n(&method->ml_meth, own_methods[i], __ATOMIC_RELEASE);
  }
}

void ss_weak_proxies_watch(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, replace);
}
