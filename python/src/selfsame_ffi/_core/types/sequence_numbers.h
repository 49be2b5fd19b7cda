// The elements of an Array or List as numbers side by side in memory.
#ifndef SELFSAME_CORE_TYPES_SEQUENCE_NUMBERS_H_
#define SELFSAME_CORE_TYPES_SEQUENCE_NUMBERS_H_

#include "tie/core.h"

// Function of the module: sequence_numbers(sequence). Returns (format, bytearray): a copy of all elements as float64 ("d") if
// one of them is a float, else as int64 ("q") if one is an int, else as bools ("?"); without elements as float64. Raises
// TypeError for an element that is no number of 64 bits.
SS_HIDDEN PyObject* ss_sequence_numbers(PyObject* module, PyObject* sequence);

#endif  // SELFSAME_CORE_TYPES_SEQUENCE_NUMBERS_H_
