// Compiler attributes under the names that selfsame's C code uses.
#ifndef SELFSAME_INTERNAL_ATTRIBUTES_H_
#define SELFSAME_INTERNAL_ATTRIBUTES_H_

#ifdef _WIN32  // what a library does not export is hidden
#define SS_HIDDEN
#define SS_EXPORT __declspec(dllexport)
#else
#define SS_HIDDEN __attribute__((visibility("hidden")))
#define SS_EXPORT __attribute__((visibility("default")))
#endif
// Marks a thread-local variable whose memory each thread has at a fixed distance, so that an access calls nothing. musl
// has such memory for the libraries of a process's start only. There an access calls a function that takes no lock.
#ifdef __linux__
#include <features.h>
#endif
#if defined(__linux__) && !defined(__GLIBC__)
#define SS_STATIC_TLS
#else
#define SS_STATIC_TLS __attribute__((tls_model("initial-exec")))
#endif
// Marks a function whose argument number `format_at` is that of printf, with what it prints from number `first` on.
#if defined(_WIN32) && !defined(__clang__)
#define SS_PRINTF(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#else
#define SS_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#endif

#define SS_LIKELY(x) __builtin_expect(!!(x), 1)
#define SS_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif  // SELFSAME_INTERNAL_ATTRIBUTES_H_
