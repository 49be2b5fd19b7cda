// Text from outside on a terminal (shown.c).
#ifndef SELFSAME_INTERNAL_PLANE_CORE_SHOWN_H_
#define SELFSAME_INTERNAL_PLANE_CORE_SHOWN_H_

#include <stddef.h>
#include <stdio.h>

#pragma GCC visibility push(hidden)

// Prints a text as Text of internal/shown does: characters that act stand there by their number, but newlines and tabs.
void ss_print_shown(FILE* to, const char* text, size_t size);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_SHOWN_H_
