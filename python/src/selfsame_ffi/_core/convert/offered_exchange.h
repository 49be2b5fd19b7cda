// The DLPack C exchange as classes of this package offer it; dlpack_exchange.h has the side that uses it.
#ifndef SELFSAME_CORE_CONVERT_OFFERED_EXCHANGE_H_
#define SELFSAME_CORE_CONVERT_OFFERED_EXCHANGE_H_

#include "convert/dlpack_exchange.h"

// Gives a static class its attribute with the table, which must live as long as the process. Once, when the core starts.
// 0, or -1 with an error set.
SS_HIDDEN int ss_exchange_offer(PyTypeObject* cls, const SsExchange* exchange);

// The wrapper of a new Tensor, which takes over the managed tensor, also when it fails. New reference; NULL with an error
// set.
SS_HIDDEN PyObject* ss_exchange_take(DLManagedTensorVersioned* managed);

// The function `current_stream` of a table: the stream that this thread uses on the device.
SS_HIDDEN int ss_exchange_stream(int32_t device_type, int32_t device_id, void** out);

#endif  // SELFSAME_CORE_CONVERT_OFFERED_EXCHANGE_H_
