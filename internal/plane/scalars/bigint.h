// BigInt (bigint.c): its hash and equality as a key of Map and Dict. Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_SCALARS_BIGINT_H_
#define SELFSAME_INTERNAL_PLANE_SCALARS_BIGINT_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

int64_t ss_bigint_hash_of(const TVMFFIObject* bigint);
// The C functions that the type attributes __any_hash__ and __any_equal__ of BigInt hold.
void* ss_bigint_hash(void);
void* ss_bigint_equal(void);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_SCALARS_BIGINT_H_
