// Many calls of a Go function in one: a batch, which has a column of values for each argument and one for the results.
// internal/engine/call/batch.go says why.
#ifndef SELFSAME_CORE_CONVERT_BATCH_H_
#define SELFSAME_CORE_CONVERT_BATCH_H_

#include "tie/core.h"

// Calls a Function for each item of a batch, whose columns the caller owns. 0, or -1 with an error set.
SS_HIDDEN int ss_invoke_batch(SsWrapper* function, SelfsameBatch* batch);

// Function of the module: call_batch(function, columns, count, dtype, out, parallel, partial=False, first=0). Calls a Function of
// Go for each of the first `count` items of the columns, which are lists, tuples or buffers of numbers. The results are
// numbers of `dtype`, or any values when it is "". They are stored in the buffer `out`, whose items must be such numbers;
// with None they are returned as a list. An error has the attribute `item`, the number of the item, unless no item has failed.
// With `partial` such an error is not raised but returned, in a tuple behind the list of the results before it. Items are
// counted from `first` on.
SS_HIDDEN PyObject* ss_call_batch(PyObject* module, PyObject* args);

// Function of the module: batch_kind(function, kind=None). Returns the number that the Function was given last, or gives it
// one. It is no attribute in the dict, which would make the wrapper stateful.
SS_HIDDEN PyObject* ss_batch_kind(PyObject* module, PyObject* args);

#endif  // SELFSAME_CORE_CONVERT_BATCH_H_
