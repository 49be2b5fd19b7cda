// Looking at wrappers, records and live objects.
#include "debug.h"

#include "classes.h"
#include "queue.h"
#include "tie_states.h"

PyObject* ss_debug_tie(PyObject* module, PyObject* object) {
  (void)module;
  if (!ss_is_wrapper(object)) {
    return PyErr_Format(PyExc_TypeError, "tie: expected a selfsame object, got %.100s", Py_TYPE(object)->tp_name);
  }
  SsWrapper* wrapper = ss_wrapper(object);
  TVMFFIObject* native = wrapper->handle;
  uint64_t counts = native == NULL ? 0 : __atomic_load_n(&native->combined_ref_count, __ATOMIC_RELAXED);
  return Py_BuildValue("{s:s,s:O,s:O,s:k,s:k}", "state", ss_state_name(wrapper), "stateful",
                       wrapper->flags & SS_STATEFUL ? Py_True : Py_False, "record",
                       native != NULL && SelfsameTieFind(ss_table, native) != NULL ? Py_True : Py_False, "strong",
                       (unsigned long)(uint32_t)counts, "weak", (unsigned long)(counts >> 32));
}

PyObject* ss_debug_counters(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  ss_queue_drain();
  return Py_BuildValue("{s:L,s:L,s:L,s:L,s:L,s:L,s:L}", "wrappers", (long long)ss_counts.live_wrappers, "held",
                       (long long)ss_counts.held_wrappers, "kept_blocks", (long long)ss_counts.kept_blocks,
                       "kept_bytes", (long long)ss_counts.kept_bytes, "records", (long long)ss_table->live_records(),
                       "releases_queued", (long long)ss_queue_total(), "releases_waiting",
                       (long long)ss_queue_waiting());
}

PyObject* ss_debug_live_objects(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* result = PyDict_New();
  int32_t end = ss_api.SelfsameTypeIndexEnd();
  for (int32_t i = kTVMFFIStaticObjectBegin; result != NULL && i < end; i++) {
    int64_t live = ss_api.SelfsameLiveObjects(i);
    const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(i);
    if (live == 0 || info == NULL) continue;
    PyObject* key = ss_text(&info->type_key);
    PyObject* number = PyLong_FromLongLong(live);
    if (key == NULL || number == NULL || PyDict_SetItem(result, key, number) != 0) Py_CLEAR(result);
    Py_XDECREF(key);
    Py_XDECREF(number);
  }
  return result;
}
