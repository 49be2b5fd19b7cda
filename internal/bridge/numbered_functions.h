// Private to selfsame: SS_NUMBERED_256(X, p) expands to X(p00) ... X(pFF). It defines C functions that differ by a
// number only, for callbacks of the ABI that get no context argument: the number is the index of the context in an
// array.
#ifndef SELFSAME_INTERNAL_BRIDGE_NUMBERED_FUNCTIONS_H_
#define SELFSAME_INTERNAL_BRIDGE_NUMBERED_FUNCTIONS_H_

// clang-format off
#define SS_NUMBERED_16(X, p) \
  X(p##0) X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) \
  X(p##8) X(p##9) X(p##A) X(p##B) X(p##C) X(p##D) X(p##E) X(p##F)

#define SS_NUMBERED_256(X, p) \
  SS_NUMBERED_16(X, p##0) SS_NUMBERED_16(X, p##1) SS_NUMBERED_16(X, p##2) SS_NUMBERED_16(X, p##3) \
  SS_NUMBERED_16(X, p##4) SS_NUMBERED_16(X, p##5) SS_NUMBERED_16(X, p##6) SS_NUMBERED_16(X, p##7) \
  SS_NUMBERED_16(X, p##8) SS_NUMBERED_16(X, p##9) SS_NUMBERED_16(X, p##A) SS_NUMBERED_16(X, p##B) \
  SS_NUMBERED_16(X, p##C) SS_NUMBERED_16(X, p##D) SS_NUMBERED_16(X, p##E) SS_NUMBERED_16(X, p##F)
// clang-format on

#endif  // SELFSAME_INTERNAL_BRIDGE_NUMBERED_FUNCTIONS_H_
