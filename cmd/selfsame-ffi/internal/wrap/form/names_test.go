package form

import "testing"

func TestNamesNumberWhatIsTaken(t *testing.T) {
	var n Names
	for _, want := range []string{"get_id", "get_id_2", "get_id_3"} {
		if got := n.Take("get_id"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
