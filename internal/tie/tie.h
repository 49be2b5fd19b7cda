// Private to selfsame: this library's tie table, and joining the process's.
#ifndef SELFSAME_INTERNAL_TIE_TIE_H_
#define SELFSAME_INTERNAL_TIE_TIE_H_

#include "selfsame/tie.h"

// The table compiled into this library, whether or not it is the process's.
const SelfsameTieTable* ss_tie_own_table(void);

// The process's table: the registered one, or this library's own after registering it. NULL: an error is raised,
// because the registered one has another version, or registration failed. Any thread.
const SelfsameTieTable* ss_tie_join(void);

#endif  // SELFSAME_INTERNAL_TIE_TIE_H_
