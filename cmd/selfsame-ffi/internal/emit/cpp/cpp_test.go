package cpp

import "testing"

// Requirement: D12

func TestDefaultsAreNumbersAndTextsOfCpp(t *testing.T) {
	for python, want := range map[string]string{
		"1": "1", "-2.5e-3": "-2.5e-3", `"a\x7fb"`: `"a\177b"`, `"??/"`: `"\?\?/"`, "None": "{}", "0x10": "", "1_000": "", "inf": "", "nan": "",
		"Infinity": "", "010": "", "system(\"x\")": "", "'a'": "", "`a`": "", "...": "", "": "",
		"9223372036854775807": "9223372036854775807", "9223372036854775808": "", "18446744073709551615": "", "-9223372036854775809": "",
		"-9223372036854775807": "-9223372036854775807", "-9223372036854775808": "-9223372036854775807 - 1", "1e19": "1e19",
	} {
		if got, ok := value(python); got != want || ok != (want != "") {
			t.Errorf("%s: got %s, %v, expected %s", python, got, ok, want)
		}
	}
}
