// Filling in the leak report; leak_report.h says what it lists.
#include "gc/leak_report.h"

#include <stdlib.h>
#include <unistd.h>

#include "gc/cpython_gc.h"
#include "gc/full_collection.h"
#include "gc/graph.h"
#include "tie/imported_tensor.h"

typedef struct {
  int index;
  const char* reason;
  unsigned long unknown;
} Row;

// The rows are taken from the graph at once, because making Python objects of them may begin a collection, which makes
// another graph.
static struct {
  int wanted;  // without the GIL: the next collection shall fill in the rows
  Row* rows;
  uint32_t count;
} report;

// Why a node is external; NULL when only its owners are the reason.
static const char* reason_of(const SsNode* node) {
  if (node->flags & SS_NODE_BUSY) return "call";
  if (node->flags & SS_NODE_WEAK) return "weak";
  if (node->flags & SS_NODE_UNREADABLE) return "unread";
  return node->strong > ss_owners_found(node) ? "owner" : NULL;
}

static void fill_report(void) {
  free(report.rows);
  report.count = 0;
  ss_graph_fill(SS_ALL_WRAPPERS);
  report.rows = calloc(2 * (size_t)ss_graph.count + 1, sizeof(Row));  // an object may have two reasons
  for (uint32_t i = 0; report.rows != NULL && i < ss_graph.count; i++) {
    const SsNode* node = &ss_graph.nodes[i];
    int retained = (node->flags & SS_NODE_RETAINED) != 0;
    const SsImportedTensor* imported = retained ? ss_imported_tensor_of(node->object) : NULL;
    if (imported != NULL && imported->exporter == NULL) {
      report.rows[report.count++] = (Row){kTVMFFITensor, "exporter", 1};
    }
    const char* reason = ss_is_internal(node) ? NULL : reason_of(node);
    if (reason == NULL) continue;
    uint32_t found = ss_owners_found(node);
    report.rows[report.count++] =
        (Row){retained ? node->object->type_index : -1, reason, node->strong > found ? node->strong - found : 0};
  }
  ss_ownership_reset(&ss_graph);
}

void ss_leak_report_if_wanted(void) {
  if (!__atomic_load_n(&report.wanted, __ATOMIC_ACQUIRE)) return;
  fill_report();
  ss_graph_release_deaths();
  __atomic_store_n(&report.wanted, 0, __ATOMIC_RELEASE);
}

// Fills in the rows. 0, or -1 when that is not possible now.
static int ask_report(void) {
#if SS_FREE_THREADED
  int enabled = PyGC_Enable();
  __atomic_store_n(&report.wanted, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 100 && __atomic_load_n(&report.wanted, __ATOMIC_ACQUIRE); i++) {
    if (i > 0) {  // a collection on another thread kept this thread's from running
      Py_BEGIN_ALLOW_THREADS;
      usleep(1000);
      Py_END_ALLOW_THREADS;
    }
    PyGC_Collect();
  }
  if (!enabled) PyGC_Disable();
  return __atomic_exchange_n(&report.wanted, 0, __ATOMIC_ACQ_REL);
#else
  if (!ss_collection_idle()) return -1;
  fill_report();
  if (ss_table->postpone_deaths(0)) ss_table->run_postponed();
  return 0;
#endif
}

PyObject* ss_leak_report(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* list = PyList_New(0);
  if (list == NULL || ss_gc_kind == SS_GC_UNKNOWN || ask_report() != 0) return list;
  ss_graph_lock();
  Row* rows = report.rows;
  uint32_t count = report.count;
  report.rows = NULL;
  report.count = 0;
  ss_graph_unlock();
  for (uint32_t i = 0; list != NULL && rows != NULL && i < count; i++) {
    PyObject* row = Py_BuildValue("(isk)", rows[i].index, rows[i].reason, rows[i].unknown);
    if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  free(rows);
  return list;
}
