package python

import (
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
)

// serviceTable has the functions of host.py, which Start finds.
type serviceTable struct {
	value, kept, importModule, text, typeName, equal                                         *selfsame.Function
	call, callValue, callKeywords, callMethod, callMethodKeywords, callMethodValue, interned *selfsame.Function
	callInterruptible, callMethodInterruptible, interrupt, forget                            *selfsame.Function
	attr, setAttr, deleteAttr, hasAttr, item, setItem, deleteItem, contains, length          *selfsame.Function
	iterate, following, leave, exec, eval, namespace, subclass, with, await, cancel, stop    *selfsame.Function
	exception, isKind, notes, tracebackText, numpyArray                                      *selfsame.Function
	keptIn, newTuple, newDict, implementing, callable                                        *selfsame.Function

	none    *Object // Python's None
	deleter uintptr // of the native objects of Python objects that the core of selfsame_ffi makes
}

var services serviceTable

func (s *serviceTable) find() error {
	for name, at := range map[string]**selfsame.Function{
		"value": &s.value, "kept": &s.kept, "import": &s.importModule, "text": &s.text, "type_name": &s.typeName, "equal": &s.equal,
		"call": &s.call, "call_value": &s.callValue, "call_keywords": &s.callKeywords, "call_method": &s.callMethod, "call_method_value": &s.callMethodValue, "interned": &s.interned,
		"call_method_keywords": &s.callMethodKeywords, "call_interruptible": &s.callInterruptible,
		"call_method_interruptible": &s.callMethodInterruptible, "interrupt": &s.interrupt, "forget": &s.forget,
		"attr": &s.attr, "set_attr": &s.setAttr, "delete_attr": &s.deleteAttr, "has_attr": &s.hasAttr, "item": &s.item,
		"set_item": &s.setItem, "delete_item": &s.deleteItem, "contains": &s.contains, "length": &s.length,
		"iterate": &s.iterate, "following": &s.following, "leave": &s.leave, "exec": &s.exec, "eval": &s.eval, "namespace": &s.namespace,
		"subclass": &s.subclass, "with": &s.with, "await": &s.await, "cancel": &s.cancel, "stop": &s.stop,
		"exception": &s.exception, "is_kind": &s.isKind, "notes": &s.notes, "traceback_text": &s.tracebackText,
		"numpy_array": &s.numpyArray, "kept_in": &s.keptIn, "new_tuple": &s.newTuple, "new_dict": &s.newDict,
		"implementing": &s.implementing, "callable": &s.callable,
	} {
		f, err := selfsame.GetFunc("selfsame.host." + name)
		if err != nil {
			return err
		}
		*at = f
	}
	none, err := selfsame.CallAs[*Object](s.kept, nil)
	if err != nil {
		return err
	}
	s.none, s.deleter = none, (*abi.Object)(stateOf(none).Address()).Deleter
	return nil
}

// ready returns an error as long as Python was not started.
func (s *serviceTable) ready() error {
	if s.value == nil {
		return selfsame.Errorf("RuntimeError", "python: Python was not started in this process; call python.Start first")
	}
	return nil
}
