// What native code keeps of Python's, at the end of the interpreter.
#ifndef SELFSAME_CORE_AT_EXIT_H_
#define SELFSAME_CORE_AT_EXIT_H_

#include "tie/core.h"

// Has the interpreter see from here on who keeps the callables of native code's Functions, the registered classes and those
// of errors: an object that dies with the modules. Called once, by the thread that ends the interpreter. The caller holds
// the GIL. 0, or -1 with an error set.
SS_HIDDEN int ss_let_go_at_exit(void);

#endif  // SELFSAME_CORE_AT_EXIT_H_
