package history

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/explain"
	"ephemera/ui/widget"
)

func TestARowOfAMessageNeverLosesItsTokenOrItsAccount(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"approve dave for ape-0007 until height 1,125", 44, "approve dave for ape-0007 until 1,125"},
		{"approve dave for ape-0007 until height 1,125", 37, "approve dave for ape-0007 until 1,125"},
		{"approve dave for ape-0007 until height 1,125", 30, "approve dave for ape-0007 …"},
		{"approve dave for interchain-ape-season-2-000001 until 12:40:00", 38, "approve dave for interchain-a…000001 …"},
		{"transfer ape-0007 → cosmos1df6y7…7r7kq", 30, "transfer ape-0007 → cosm…7r7kq"},
		{"make erin an operator until 12:40:00", 30, "make erin an operator …"},
		{"approve carol for ape-0017 until 20:30:00", 38, "approve carol for ape-0017 until 20:30"},
		{"approve carol for ape-0017 until 20:30:05", 38, "approve carol for ape-0017 …"},
		{"clock +3 blocks to 1,105", 12, "clock +3 blocks to 1,105"}, // the column cuts its end
	} {
		if got := shortMessage(c.text, c.width); got != c.want {
			t.Errorf("shortMessage(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}

	ids := rapid.StringMatching(`[a-z0-9-]{1,40}`)
	rapid.Check(t, func(t *rapid.T) {
		id, who := ids.Draw(t, "id"), widget.Shorten(ids.Draw(t, "who"), 18)
		end := rapid.SampledFrom([]string{"", explain.BeforeExpiry + "12:40:00"}).Draw(t, "end")
		text := rapid.SampledFrom([]string{
			"approve " + who + " for " + id, "revoke " + who + " for " + id, "transfer " + id + " → " + who,
		}).Draw(t, "message")
		width := rapid.IntRange(30, 80).Draw(t, "width")
		got := shortMessage(text+end, width)
		if widget.Width(got) > width {
			t.Fatalf("%q is wider than %d", got, width)
		}
		for _, word := range []string{id, who} {
			head, tail := word[:1], word[max(0, len(word)-5):]
			isShown := func(shown string) bool { return strings.HasPrefix(shown, head) && strings.HasSuffix(shown, tail) }
			if !anyWord(got, isShown) {
				t.Fatalf("%q does not show both ends of %q", got, word)
			}
		}
	})
}

func anyWord(text string, has func(string) bool) bool {
	for word := range strings.FieldsSeq(text) {
		if has(word) {
			return true
		}
	}
	return false
}
