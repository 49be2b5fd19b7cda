// Private to selfsame: a table of tie records of this library's own, and how it joins the process's.
#ifndef SELFSAME_ABI_TIE_TIE_H_
#define SELFSAME_ABI_TIE_TIE_H_

#include "selfsame/tie.h"

// The table compiled into this library, whether or not it is the process's.
const SelfsameTieTable* ss_tie_own_table(void);

// The process's table: the registered one, or this library's own after registering it. NULL with an error in the
// thread's slot when the registered one has another version, or when registration fails. Any thread.
const SelfsameTieTable* ss_tie_join(void);

#endif  // SELFSAME_ABI_TIE_TIE_H_
