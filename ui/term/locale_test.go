package term_test

import (
	"testing"

	"ephemera/ui/term"
)

func TestTheFirstLocaleThatIsSetSaysWhetherThereIsUTF8(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"LANG": "de_DE.UTF-8"}, false},
		{map[string]string{"LANG": "C.utf8"}, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, true},
		{map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, false},
	} {
		if got := term.LacksUTF8(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: got %t", c.env, got)
		}
	}
}
