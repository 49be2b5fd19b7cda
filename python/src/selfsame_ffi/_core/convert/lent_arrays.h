// Arrays of NumPy and JAX, whose memory the core reads without a call of __dlpack__.
//
// NumPy's arrays are read by the layout that its C interface fixes for releases 1 and 2. JAX exports by Python code, so
// its arrays are read by the buffer protocol, which shows the same memory. What these ways do not cover goes by
// __dlpack__, whose error says what is wrong.
//
// Why arrays of NumPy and JAX are read without __dlpack__. NumPy's makes a managed tensor and a capsule, JAX's is
// Python code that takes several microseconds. Only the very classes are read so: NumPy's own table has the one, JAX's
// module the other. Subclasses go by __dlpack__, and so do read-only arrays, other byte orders, devices and rare types.
// pybind11 reads NumPy's arrays by their layout too. The Tensor has a copy of the extents, because another thread may
// give the array other ones during the call. `scripts/bench.sh --tensors` measures the calls.
#ifndef SELFSAME_CORE_CONVERT_LENT_ARRAYS_H_
#define SELFSAME_CORE_CONVERT_LENT_ARRAYS_H_

#include "convert/lent_tensors.h"

// The classes of the arrays, once one of each was met: strong references, never given up; or NULL.
extern SS_HIDDEN PyTypeObject *ss_numpy_array, *ss_jax_array;

static inline int ss_is_known_array(const PyTypeObject* cls) {
  return cls == __atomic_load_n(&ss_numpy_array, __ATOMIC_RELAXED) ||
         cls == __atomic_load_n(&ss_jax_array, __ATOMIC_RELAXED);
}

// Finds out whether a class that has __dlpack__ is one of them. Sets no error.
SS_HIDDEN void ss_note_array_class(PyTypeObject* cls);

// The data, extent and stride in elements of a NumPy array of one dimension whose elements are numbers or bools in native
// order, side by side or not. 1: *dl is set, with the extent in extents[0] and the stride in extents[1]; 0: any other value.
// The array keeps the memory. Sets no error.
SS_HIDDEN int ss_describe_numbers(PyObject* value, DLTensor* dl, int64_t extents[2]);

// Lends a value of a class for which ss_is_known_array holds. 1: lent as ss_lend_export does. 0, without an error: the
// value goes by __dlpack__.
SS_HIDDEN int ss_lend_array(PyObject* value, TVMFFIAny* out, SsLentTensor** all);

// A Tensor that owns such a value, or its buffer. New reference; NULL, without an error: the value goes by __dlpack__.
SS_HIDDEN TVMFFIObject* ss_tensor_of_array(PyObject* value);

#endif  // SELFSAME_CORE_CONVERT_LENT_ARRAYS_H_
