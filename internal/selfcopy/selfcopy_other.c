// Systems on which no copy of a library is loaded: Windows has no fork, and on others a forked child has no Go.
#ifndef __linux__

#include <stdio.h>

#include "selfcopy.h"

void* ss_self_copy_load(volatile uint64_t* handover_variable, uint64_t value, char* message, size_t message_size) {
  (void)handover_variable;
  (void)value;
  snprintf(message, message_size, "copies of a library are loaded on Linux only");
  return NULL;
}

void* ss_self_copy_load_go(volatile uint64_t* handover_variable, uint64_t value, const SsCalled* functions,
                           size_t count, char* message, size_t message_size) {
  (void)functions;
  (void)count;
  return ss_self_copy_load(handover_variable, value, message, message_size);
}

void ss_self_copy_below_go(const int* numbers, int count, void (*change)(void* data), void* data) {
  (void)numbers;
  (void)count;
  change(data);
}

#endif  // not __linux__
