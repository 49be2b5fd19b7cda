// Functions of ours behind functions in C of Python's modules.
//
// Nothing tells that a program has called such a function, so its C function is replaced. The Python function stays, and all
// that a program has made of it, such as `from faulthandler import enable`.
#ifndef SELFSAME_CORE_TIE_REPLACED_FUNCTION_H_
#define SELFSAME_CORE_TIE_REPLACED_FUNCTION_H_

#include "tie/core.h"

// Puts `own` behind module.name, for the life of the process, if that is a function in C with these METH_ flags and
// *original is NULL, which then becomes the C function before. Otherwise it changes nothing: the function has another
// signature in this interpreter, or the program has put one of its own there. 0, or -1 with an error set.
SS_HIDDEN int ss_replace_function(const char* module, const char* name, int flags, PyCFunction own,
                                  PyCFunction* original);

#endif  // SELFSAME_CORE_TIE_REPLACED_FUNCTION_H_
