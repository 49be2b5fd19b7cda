// Private to selfsame: a thread's calls into Go, which must return in the reverse of the order in which they were begun
// (SelfsameGoCalls in tie.h).
#ifndef SELFSAME_INTERNAL_TIE_GO_CALLS_H_
#define SELFSAME_INTERNAL_TIE_GO_CALLS_H_

#include "selfsame/internal/attributes.h"
#include "selfsame/tie.h"

// The calling thread's entry in the process's tie table, once this library has asked for it.
extern __thread SelfsameGoCalls* ss_go_calls SS_STATIC_TLS SS_HIDDEN;

// Asks for it. Never NULL: without a tie table this library counts alone.
SelfsameGoCalls* ss_go_calls_find(void);

// Around a call from C into Go that may run foreign code. ss_go_call_begin returns what ss_go_call_end takes. Any
// thread.
static inline uint64_t ss_go_call_begin(void) {
  SelfsameGoCalls* calls = ss_go_calls;
  if (__builtin_expect(calls == NULL, 0)) calls = ss_go_calls_find();
  uint64_t outer = calls->innermost;
  calls->innermost = ++calls->last;
  return outer;
}
static inline void ss_go_call_end(uint64_t outer) { ss_go_calls->innermost = outer; }

#endif  // SELFSAME_INTERNAL_TIE_GO_CALLS_H_
