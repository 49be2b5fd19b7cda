// TensorView: a tensor that native code lends to a callback for the time of the call, as a DLTensor*. It owns nothing.
// When the call has returned, it has no tensor any more, and each use raises an error.
#ifndef SELFSAME_CORE_CONVERT_TENSOR_VIEW_H_
#define SELFSAME_CORE_CONVERT_TENSOR_VIEW_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsTensorView_Type;

// What every description of a tensor says. New references, NULL with an error set.
SS_HIDDEN PyObject* ss_dl_shape(const DLTensor* dl);
SS_HIDDEN PyObject* ss_dl_device(const DLTensor* dl);   // as (type, index)
SS_HIDDEN PyObject* ss_dl_strides(const DLTensor* dl);  // also of a contiguous tensor that has no array of strides
SS_HIDDEN PyObject* ss_dl_size(const DLTensor* dl, Py_ssize_t dimension);
SS_HIDDEN int64_t ss_dl_numel(const DLTensor* dl);
SS_HIDDEN int ss_dl_is_contiguous(const DLTensor* dl);

// The views that were made for one call.
typedef struct SsTensorView SsTensorView;

// A view of `dl`, which outlives the call of ss_tensor_views_end; added to *all. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_tensor_view_new(const DLTensor* dl, SsTensorView** all);

// Takes the tensors away from the views. The caller owns a reference to each of them.
SS_HIDDEN void ss_tensor_views_end(SsTensorView* all);

// A view of a TensorView's tensor as an argument of a call. 0, or -1 with RuntimeError set when its call has ended.
SS_HIDDEN int ss_tensor_view_lend(PyObject* view, TVMFFIAny* out);

// Once, when the module is made. 0, or -1 with an error set.
SS_HIDDEN int ss_tensor_view_init(void);

#endif  // SELFSAME_CORE_CONVERT_TENSOR_VIEW_H_
