// Python code that runs under a call into Go must end before calls into Go that the thread began earlier return, and
// after those that it began later have returned: Go ends the process otherwise (SelfsameGoCalls in tie.h). Python code
// that switches stacks, as greenlets do, may want to end in another order. So each piece of Python code that native
// code calls is put between ss_under_go_begin and ss_under_go_end, which lets it end only in its turn.
// RATIONALE.md, "Why a greenlet waits for its turn to return to Go".
#ifndef SELFSAME_CORE_TIE_GO_ORDER_H_
#define SELFSAME_CORE_TIE_GO_ORDER_H_

#include "tie/core.h"

// A greenlet that runs Python code under Go, above other Python code under Go.
typedef struct SsNestedGreenlet SsNestedGreenlet;

// Lies on the stack of the code that it describes, which may be copied away and back while that code is suspended: so
// nothing points to it.
typedef struct {
  uint64_t go;               // number of the innermost call into Go when the code began; 0: none was open
  SsNestedGreenlet* nested;  // NULL: not nested, or no greenlets in the program
} SsUnderGo;

typedef struct {
  SelfsameGoCalls* calls;       // the thread's open calls into Go
  int64_t pieces;               // of Python code under Go that have begun and not ended
  SsNestedGreenlet* greenlets;  // of those, the newest first
} SsGoOrder;
extern SS_HIDDEN __thread SsGoOrder ss_go_order SS_STATIC_TLS;

// Sets the Python callable that makes the thread run something else while a piece of code waits for its turn. It is
// called with the greenlet of the code that has to end first, or None when that is not known, and the number of calls
// so far. It returns when the waiting greenlet was switched to again, False when it knows no way to wait; what it
// raises was thrown into the waiting greenlet.
SS_HIDDEN void ss_go_order_set_wait(PyObject* wait);

// Attached threads only; may run Python code, keeps the error that is set.
SS_HIDDEN void ss_note_greenlet(SsUnderGo* under);
SS_HIDDEN int ss_await_turn(const SsUnderGo* under);

static inline SsUnderGo ss_under_go_begin(void) {
  SsUnderGo under = {0, NULL};
  if (SS_UNLIKELY(ss_go_order.calls == NULL)) ss_go_order.calls = ss_table->go_calls();
  under.go = ss_go_order.calls->innermost;
  if (under.go != 0 && SS_UNLIKELY(ss_go_order.pieces++ > 0)) ss_note_greenlet(&under);
  return under;
}

// To be called on the thread of ss_under_go_begin, just before the code returns to native code. Waits for the code's
// turn, while other greenlets run. Keeps the error that is set. 0, or -1 with an error set, which another greenlet
// threw into this one during the wait: it replaces the code's result or error. Ends the process when it cannot wait.
SS_HIDDEN void ss_forget_greenlet(SsUnderGo* under);
static inline int ss_under_go_end(SsUnderGo* under) {
  if (under->go == 0) return 0;
  int rc = SS_LIKELY(ss_go_order.calls->innermost <= under->go) ? 0 : ss_await_turn(under);
  ss_go_order.pieces--;
  if (SS_UNLIKELY(under->nested != NULL)) ss_forget_greenlet(under);
  return rc;
}

#endif  // SELFSAME_CORE_TIE_GO_ORDER_H_
