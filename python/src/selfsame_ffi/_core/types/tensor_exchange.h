// DLTensorTestWrapper: a class that offers the DLPack C exchange, for tests.
#ifndef SELFSAME_CORE_TYPES_TENSOR_EXCHANGE_H_
#define SELFSAME_CORE_TYPES_TENSOR_EXCHANGE_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsTensorTestWrapper_Type;

// Gives the class, which must be ready, its table of the DLPack C exchange. 0, or -1 with an error set.
SS_HIDDEN int ss_tensor_exchange_init(void);

#endif  // SELFSAME_CORE_TYPES_TENSOR_EXCHANGE_H_
