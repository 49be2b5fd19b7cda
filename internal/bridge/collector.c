// This library's entry in the process's list of collectors, through which other frontends run Go's.
#include "bridge.h"
#include "go_calls.h"
#include "go_state.h"

static int initialising;  // atomic

void ss_bridge_initialising(int on) { __atomic_store_n(&initialising, on, __ATOMIC_RELEASE); }

// In a forked child it finds nothing until a call has brought Go back: it is not worth loading a copy of the library.
static int64_t collect(SelfsameCollector* self) {
  (void)self;
  if (!ss_bridge_go_runs() || __atomic_load_n(&initialising, __ATOMIC_ACQUIRE)) return 0;
  uint64_t outer = ss_go_call_begin();
  int64_t found = ss_bridge_go->entries.collect();
  ss_go_call_end(outer);
  return found;
}

static SelfsameCollector own = {.name = "Go", .collect = collect};  // `pending` is set before it is added
static int added;  // only this library's Go calls ss_bridge_add_collector, once each

void ss_bridge_add_collector(const SelfsameTieTable* table, uint64_t kept, uint64_t settled) {
  __atomic_store_n(&own.kept, (const int64_t*)(uintptr_t)kept, __ATOMIC_RELEASE);
  __atomic_store_n(&own.settled, (const int64_t*)(uintptr_t)settled, __ATOMIC_RELEASE);
  if (!added) {
    added = 1;
    own.pending = ss_bridge_pending;
    table->add_collector(&own);
  }
}

int64_t ss_bridge_collect_others(const SelfsameTieTable* table) {
  int64_t found = 0;
  for (SelfsameCollector* c = table->collectors(); c != NULL; c = c->next) {
    if (c != &own) found += c->collect(c);
  }
  return found;
}
