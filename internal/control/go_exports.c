// The table of the Go functions that C calls: see go_exports.h.
#include "go_exports.h"

#include "core/child.h"

SsGo ss_go = {
#define X(name) .name = name,
    SSGO_ENTRIES(X)
#undef X
};

__attribute__((constructor)) static void offer(void) {
  ss_offer_entries((SsGoEntry*)(void*)&ss_go, sizeof ss_go / sizeof(SsGoEntry));
}
