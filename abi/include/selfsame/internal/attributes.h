// Compiler attributes under the names that selfsame's C code uses.
#ifndef SELFSAME_INTERNAL_ATTRIBUTES_H_
#define SELFSAME_INTERNAL_ATTRIBUTES_H_

#define SS_HIDDEN __attribute__((visibility("hidden")))
#define SS_LIKELY(x) __builtin_expect(!!(x), 1)
#define SS_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif  // SELFSAME_INTERNAL_ATTRIBUTES_H_
