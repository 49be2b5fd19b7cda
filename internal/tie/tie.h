// Private to selfsame: this library's tie table, and joining the process's.
#ifndef SELFSAME_INTERNAL_TIE_TIE_H_
#define SELFSAME_INTERNAL_TIE_TIE_H_

#include "selfsame/tie.h"

// The table compiled into this library, whether or not it is the process's.
const SelfsameTieTable* ss_tie_own_table(void);

// Installs the function that calls the deleters of natives that have had a record: `end` gets the native, its deleter and the
// deleter's flags, on the thread that releases the last reference. Any thread.
void ss_tie_set_end(void (*end)(TVMFFIObject* object, void (*deleter)(void* self, int flags), int flags));

// The process's table: the registered one, or this library's own after registering it. NULL: an error is raised,
// because the registered one has another version, or registration failed. Any thread.
const SelfsameTieTable* ss_tie_join(void);

#endif  // SELFSAME_INTERNAL_TIE_TIE_H_
