// A thread's calls into Go; see go_calls.h.
#include "go_calls.h"

#include <stddef.h>

#include "tie.h"

__thread SelfsameGoCalls* ss_go_calls SS_STATIC_TLS SS_HIDDEN;

SelfsameGoCalls* ss_go_calls_find(void) {
  const SelfsameTieTable* table = ss_tie_join();
  if (table == NULL) {
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    if (error != NULL) TVMFFIObjectDecRef(error);
    table = ss_tie_own_table();
  }
  ss_go_calls = table->go_calls();
  return ss_go_calls;
}
