// Private to selfsame: C functions that differ by a number only, for callbacks of the ABI that get no context argument:
// the number is the index of the context in an array.
#ifndef SELFSAME_INTERNAL_BRIDGE_NUMBERED_FUNCTIONS_H_
#define SELFSAME_INTERNAL_BRIDGE_NUMBERED_FUNCTIONS_H_

// SS_NUMBERED_16(X, p) expands to X(p0) ... X(pF).
// clang-format off
#define SS_NUMBERED_16(X, p) \
  X(p##0) X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) \
  X(p##8) X(p##9) X(p##A) X(p##B) X(p##C) X(p##D) X(p##E) X(p##F)
// clang-format on

// SS_NUMBERED_ENTRIES(name, count, arguments, target) makes `count` functions with one or two arguments, which are
// pointers. Number n calls target(arguments, n), and SS_NUMBERED_ENTRY(name, n) is its address. The assembler writes
// them: a compiler takes a millisecond for each function, however short it is. SS_NUMBERED_TARGET(target) stands behind
// the declaration of target, a static function. SS_NUMBERED_COUNT(count) is how many there are: none for a processor
// that is not known here.

// The register of the argument behind one other and behind two.
#if defined(__x86_64__) && defined(_WIN32)
#define SS_BEHIND_1 "%edx"
#define SS_BEHIND_2 "%r8d"
#elif defined(__x86_64__)
#define SS_BEHIND_1 "%esi"
#define SS_BEHIND_2 "%edx"
#elif defined(__aarch64__)
#define SS_BEHIND_1 "w1"
#define SS_BEHIND_2 "w2"
#endif

// Each begins with the mark of a place that calls by address may go to, for processors that look for one.
#if defined(__x86_64__)
#define SS_CALL_WITH_NUMBER(arguments, target) "endbr64\nmovl $ss_number, " SS_BEHIND_##arguments "\njmp " #target "\n"
#elif defined(__aarch64__)
#define SS_CALL_WITH_NUMBER(arguments, target) "hint #34\nmov " SS_BEHIND_##arguments ", #ss_number\nb " #target "\n"
#endif

// Gives a function the same name for the assembler on all systems.
#define SS_NUMBERED_TARGET(target) __asm__(#target) __attribute__((used, noinline))

#ifdef SS_CALL_WITH_NUMBER
#define SS_NUMBERED_COUNT(count) (count)
#define SS_NUMBERED_ENTRY(name, n) ((void*)(uintptr_t)(name + 16 * (n)))
#define SS_NUMBERED_ENTRIES(name, count, arguments, target)                      \
  extern __attribute__((visibility("hidden"))) const char name[] __asm__(#name); \
  __asm__(".text\n.balign 16\n" #name ":\n.set ss_number, 0\n.rept " #count      \
          "\n" SS_CALL_WITH_NUMBER(arguments, target) ".balign 16\n.set ss_number, ss_number + 1\n.endr\n")
#else
#define SS_NUMBERED_COUNT(count) 0
#define SS_NUMBERED_ENTRY(name, n) NULL
#define SS_NUMBERED_ENTRIES(name, count, arguments, target) _Static_assert(count > 0, "no function would do")
#endif

#endif  // SELFSAME_INTERNAL_BRIDGE_NUMBERED_FUNCTIONS_H_
