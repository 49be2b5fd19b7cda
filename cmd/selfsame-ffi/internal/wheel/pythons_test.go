package wheel

import "testing"

// Requirement: F7
func TestRequiredPythonsAreOneRangeWithWhatElseIsSaid(t *testing.T) {
	for _, c := range []struct {
		pythons        Pythons
		requires, want string
	}{
		{AllPythons, "", ">=3.9"},
		{AllPythons, ">=3.8", ">=3.9"},
		{AllPythons, ">=3", ">=3.9"},
		{AllPythons, ">=3.11", ">=3.11"},
		{AllPythons, ">= 3.10, <4", ">=3.10"},
		{AllPythons, ">=3.10,!=3.12.1,<3.14", ">=3.10,<3.14,!=3.12.1"},
		{AllPythons, ">=3.10.2,<3.13.0", ">=3.10.2,<3.13"},
		{AllPythons, ">=3.7.2,<3.12.10", ">=3.9,<3.12.10"},
		{AllPythons, ">=3.10.10", ">=3.10.10"},
		{AllPythons, "~=3.10", ">=3.9,~=3.10"},
		{Pythons{11, 11}, ">=3.9", ">=3.11,<3.12"},
		{Pythons{9, 14}, ">=3.10,<3.13", ">=3.10,<3.13"},
		{Pythons{9, 14}, "<3.99", ">=3.9,<3.15"},
	} {
		if got, err := c.pythons.Within(c.requires); got != c.want || err != nil {
			t.Errorf("%v within %q is %q, %v, want %q", c.pythons, c.requires, got, err, c.want)
		}
	}
}

// Requirement: F7
func TestPythonsThatARequirementExcludesAreAnError(t *testing.T) {
	for _, requires := range []string{">=3.14", "<3.13", ">=3.14.1"} {
		if got, err := (Pythons{13, 13}).Within(requires); err == nil {
			t.Errorf("3.13 within %q is %q, want an error", requires, got)
		}
	}
}
