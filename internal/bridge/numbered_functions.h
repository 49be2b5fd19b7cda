// Private to selfsame: X(n) for n = p00 to pFF. Used to make numbered C functions, each with a context of its own.
#ifndef SELFSAME_INTERNAL_BRIDGE_SLOTS_H_
#define SELFSAME_INTERNAL_BRIDGE_SLOTS_H_

// clang-format off
#define SS_FRONT_SLOTS_16(X, p) \
  X(p##0) X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) \
  X(p##8) X(p##9) X(p##A) X(p##B) X(p##C) X(p##D) X(p##E) X(p##F)

#define SS_FRONT_SLOTS_256(X, p) \
  SS_FRONT_SLOTS_16(X, p##0) SS_FRONT_SLOTS_16(X, p##1) SS_FRONT_SLOTS_16(X, p##2) SS_FRONT_SLOTS_16(X, p##3) \
  SS_FRONT_SLOTS_16(X, p##4) SS_FRONT_SLOTS_16(X, p##5) SS_FRONT_SLOTS_16(X, p##6) SS_FRONT_SLOTS_16(X, p##7) \
  SS_FRONT_SLOTS_16(X, p##8) SS_FRONT_SLOTS_16(X, p##9) SS_FRONT_SLOTS_16(X, p##A) SS_FRONT_SLOTS_16(X, p##B) \
  SS_FRONT_SLOTS_16(X, p##C) SS_FRONT_SLOTS_16(X, p##D) SS_FRONT_SLOTS_16(X, p##E) SS_FRONT_SLOTS_16(X, p##F)
// clang-format on

#endif  // SELFSAME_INTERNAL_BRIDGE_SLOTS_H_
