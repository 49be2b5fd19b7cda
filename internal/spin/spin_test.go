package spin

import (
	"runtime"
	"testing"
)

func TestLookFindsAValueThatWasSentBefore(t *testing.T) {
	c := NewChannel[int]()
	c.looks = most
	seen := c.Sent()
	c.Send(7)
	if v, found := c.Look(seen); !found || v != 7 {
		t.Fatalf("Look = %d, %t", v, found)
	}
	if n := len(c.values); n != 0 {
		t.Errorf("%d values are left", n)
	}
}

func TestLookInVainLeavesTheNextValueToASleepingReceiver(t *testing.T) {
	c := NewChannel[int]()
	c.looks = most
	if v, found := c.Look(c.Sent()); found {
		t.Fatalf("found %d in an empty channel", v)
	}
	if c.looks >= most {
		t.Errorf("looks %d times after a look in vain", c.looks)
	}
	go c.Send(7)
	if v := <-c.Values(); v != 7 {
		t.Errorf("received %d", v)
	}
}

func TestLookEndsWithoutLooksWhenItHasOftenBeenInVain(t *testing.T) {
	c := NewChannel[int]()
	c.looks = most
	for range 20 {
		c.Look(c.Sent())
	}
	if c.looks != 0 {
		t.Errorf("looks %d times", c.looks)
	}
}

func TestOneProcessorIsLeftToTheSender(t *testing.T) {
	c := NewChannel[int]()
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	c.Look(c.Sent()) // in vain: the processors are counted again
	if c := NewChannel[int](); c.looks != 0 {
		t.Errorf("looks %d times", c.looks)
	}
}

func TestAValueIsReceivedOnceOfManyThatBothSidesSend(t *testing.T) {
	asked, answered := NewChannel[int](), NewChannel[int]()
	const rounds = 10_000
	go func() {
		for i := range rounds {
			answered.Send(2 * asked.Receive(uint32(i)))
		}
	}()
	for i := range rounds {
		seen := answered.Sent()
		asked.Send(i)
		if v := answered.Receive(seen); v != 2*i {
			t.Fatalf("round %d: %d", i, v)
		}
	}
}
