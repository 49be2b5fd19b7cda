// The results of a batch of calls as Python values.
#ifndef SELFSAME_CORE_CONVERT_BATCH_RESULTS_H_
#define SELFSAME_CORE_CONVERT_BATCH_RESULTS_H_

#include "selfsame/selfsame.h"
#include "tie/core.h"

// The type of numbers that a name of NumPy stands for, such as "float64". 0 bits for "" and every other name.
SS_HIDDEN DLDataType ss_number_type(const char* name);

// A new list of the `count` values of a column that has no gaps. Takes over the values, also on failure. NULL with an
// error set. May run Python code.
SS_HIDDEN PyObject* ss_batch_list(const SelfsameColumn* column, Py_ssize_t count);

#endif  // SELFSAME_CORE_CONVERT_BATCH_RESULTS_H_
