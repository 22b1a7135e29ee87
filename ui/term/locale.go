package term

import "strings"

// NotUTF8 tells that the environment says of the terminal that it takes no
// UTF-8. Where it says nothing, it likely does.
func NotUTF8(env func(name string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first one that is set counts
		if v := strings.ToLower(env(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}
