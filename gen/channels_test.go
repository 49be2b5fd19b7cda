package gen

import (
	"errors"
	"slices"
	"testing"
)

func TestSendingPassesOnWhatIsSentAndItsFirstError(t *testing.T) {
	var got []int
	channel, end := Sending(func(n int) error {
		if got = append(got, n); n == 1 {
			return errors.New("no more")
		}
		return nil
	})
	for n := range 4 {
		channel <- n
	}
	defer func() {
		if err, ok := recover().(error); !ok || err.Error() != "no more" || !slices.Equal(got, []int{0, 1}) {
			t.Errorf("%v, got %v", err, got)
		}
	}()
	end()
}

func TestSendingEndsWhenGoClosesTheChannel(t *testing.T) {
	sum := 0
	channel, end := Sending(func(n int) error { sum += n; return nil })
	channel <- 3
	close(channel)
	if end(); sum != 3 {
		t.Error(sum)
	}
	if channel, end := Sending[int](nil); channel != nil {
		t.Error("a channel for no func")
	} else {
		end()
	}
}

func TestKeptSendingGoesOnUntilTheChannelIsClosed(t *testing.T) {
	done := make(chan int)
	channel := KeptSending(func(n int) error { done <- n; return errors.New("ignored") })
	channel <- 1
	channel <- 2
	close(channel)
	if first, second := <-done, <-done; first != 1 || second != 2 || KeptSending[int](nil) != nil {
		t.Error(first, second)
	}
}

func TestReceivingGivesTheValuesAndEndsEarly(t *testing.T) {
	channel, end := Receiving(slices.Values([]int{1, 2}))
	var got []int
	for n := range channel {
		got = append(got, n)
	}
	if end(); !slices.Equal(got, []int{1, 2}) {
		t.Error(got)
	}
	ended := false
	channel, end = Receiving(func(yield func(int) bool) {
		for yield(1) {
		}
		ended = true
	})
	<-channel
	if end(); !ended {
		t.Error("the loop over the values has not ended")
	}
	_, end = Receiving(func(func(int) bool) { panic("broken") })
	defer func() {
		if recover() != "broken" {
			t.Error("the panic of the loop is lost")
		}
	}()
	end()
}

func TestPlaceIsAPointerOrRefusesTheArgument(t *testing.T) {
	pointer, stored := Place(nil)
	*pointer.(*any) = 5
	if stored() != 5 {
		t.Error(stored())
	}
	own := new(int)
	if pointer, stored = Place(own); pointer != any(own) || stored() != any(own) {
		t.Error("a pointer is not passed on")
	}
	defer func() {
		if err, ok := recover().(error); !ok || err.Error() == "" {
			t.Error("a map is accepted")
		}
	}()
	Place(map[string]any{})
}
