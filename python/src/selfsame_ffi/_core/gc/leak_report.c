// Filling in the leak report; full_collection.h says what it lists.
#include "gc/full_collection.h"

#include <stdlib.h>

#include "gc/graph.h"
#include "tie/imported_tensor.h"

typedef struct {
  int index;              // type index
  const char* reason;     // static text
  unsigned long unknown;  // how many of its owners nobody knows
} Row;

// Rows in memory of malloc: making Python objects of them may begin a collection, which makes another graph.
typedef struct {
  Row* rows;       // owned
  uint32_t count;  // of rows
} Report;

// Why a node is external; NULL when only its owners are the reason.
static const char* reason_of(const SsNode* node) {
  if (node->flags & SS_NODE_BUSY) return "call";
  if (node->flags & SS_NODE_WEAK) return "weak";
  if (node->flags & SS_NODE_UNREADABLE) return "unread";
  return node->strong > ss_owners_found(node) ? "owner" : NULL;
}

// The SsGraphReader of the report. On failure too the caller frees the rows.
static int fill_report(void* arg) {
  Report* report = arg;
  report->rows = calloc(2 * (size_t)ss_graph.count + 1, sizeof(Row));  // an object may have two reasons
  if (report->rows == NULL) return -1;
  for (uint32_t i = 0; i < ss_graph.count; i++) {
    const SsNode* node = &ss_graph.nodes[i];
    int retained = (node->flags & SS_NODE_RETAINED) != 0;
    const SsImportedTensor* imported = retained ? ss_imported_tensor_of(node->object) : NULL;
    if (imported != NULL && imported->exporter == NULL) {
      report->rows[report->count++] = (Row){kTVMFFITensor, "exporter", 1};
    }
    const char* reason = ss_is_internal(node) ? NULL : reason_of(node);
    if (reason == NULL) continue;
    uint32_t found = ss_owners_found(node);
    report->rows[report->count++] =
        (Row){retained ? node->object->type_index : -1, reason, node->strong > found ? node->strong - found : 0};
  }
  return 0;
}

PyObject* ss_leak_report(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  Report report = {NULL, 0};
  PyObject* list = ss_graph_request(fill_report, &report) < 0 ? PyErr_NoMemory() : PyList_New(0);
  for (uint32_t i = 0; list != NULL && i < report.count; i++) {
    const Row* row = &report.rows[i];
    if (ss_list_take(list, Py_BuildValue("(isk)", row->index, row->reason, row->unknown)) != 0) Py_CLEAR(list);
  }
  free(report.rows);
  return list;
}
