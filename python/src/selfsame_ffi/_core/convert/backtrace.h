// Backtrace text: one `  File "<file>", line <n>, in <function>` line per frame, the most recent call first.
#ifndef SELFSAME_PY_BACKTRACE_H_
#define SELFSAME_PY_BACKTRACE_H_

#include "tie/core.h"

// The text of an exception's traceback. New reference to a str, NULL with an error set.
SS_HIDDEN PyObject* ss_backtrace_of(PyObject* exception);

// Adds the frames of a text to an exception's traceback, as callers of the frames that it has. Skips lines that are no
// frames, and frames for which there is no memory. Keeps the error that is set.
SS_HIDDEN void ss_backtrace_add(PyObject* exception, const char* text, size_t size);

#endif  // SELFSAME_PY_BACKTRACE_H_
