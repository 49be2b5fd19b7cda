// Handlers of signals that other code installs after Go's: see selfsame.h.
#include "selfcopy.h"
#include "selfsame/selfsame.h"

void SelfsameBelowGo(const int* numbers, int count, void (*change)(void* data), void* data) {
  ss_self_copy_below_go(numbers, count, change, data);
}
