package gen

import (
	"errors"
	"fmt"
	"testing"
)

type lateError struct{ by int }

func (e *lateError) Error() string { return fmt.Sprint("late by ", e.by) }

func TestANilOfATypeOfErrorsIsNoError(t *testing.T) {
	var none *lateError
	if err := Failed(none); err != nil {
		t.Errorf("got %v", err)
	}
	late := Failed(&lateError{2})
	if late == nil || late.Error() != "late by 2" {
		t.Errorf("got %v", late)
	}
	if as := As[*lateError](fmt.Errorf("again: %w", late)); as != late {
		t.Errorf("got %v", as)
	}
	if as := As[*lateError](nil); as != nil {
		t.Errorf("got %v", as)
	}
	defer func() {
		if r := recover(); r != errors.ErrUnsupported {
			t.Errorf("recovered %v", r)
		}
	}()
	As[*lateError](errors.ErrUnsupported)
}
