// Backtrace text: one `  File "<file>", line <n>, in <function>` line per frame, the most recent call first.
#ifndef SELFSAME_CORE_CONVERT_BACKTRACE_H_
#define SELFSAME_CORE_CONVERT_BACKTRACE_H_

#include "tie/core.h"

// A text in memory of PyMem_Malloc, not NUL-terminated. `data` is NULL without memory.
typedef struct {
  char* data;   // owned
  size_t size;  // in bytes
} SsBacktrace;

// The text of an exception's traceback. It has only the outermost and the innermost frames of a long traceback, such as
// that of an exception that was raised again and again. The caller frees the text with ss_backtrace_free. Keeps the
// error that is set.
//
// Why a backtrace of Python frames is bounded. CPython adds entries to an exception's traceback each time it is raised,
// so one that a program raises again and again would be written out longer at each crossing: 3,000 times take the
// published package 60 times as long. The text has the 256 outermost frames, those of the latest raise, and the 256
// innermost ones, where the error began.
SS_HIDDEN SsBacktrace ss_backtrace_of(PyObject* exception);
static inline void ss_backtrace_free(SsBacktrace* text) { PyMem_Free(text->data); }

// The part of `longer` behind the frames of `shorter`, when its first frames are those. 1: *rest is a view of that part
// of `longer`, possibly empty; 0: they differ. Lines that are no frames are not compared.
SS_HIDDEN int ss_backtrace_rest(TVMFFIByteArray longer, TVMFFIByteArray shorter, TVMFFIByteArray* rest);

// Adds the frames of a text to an exception's traceback, as callers of the frames that it has. Skips lines that are no
// frames, and frames for which there is no memory. Keeps the error that is set.
SS_HIDDEN void ss_backtrace_add(PyObject* exception, const char* text, size_t size);

#endif  // SELFSAME_CORE_CONVERT_BACKTRACE_H_
