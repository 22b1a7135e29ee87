package explain

import (
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/reach"
)

// WhoCould says in one sentence what a search has come to: "carol can transfer
// rose at height 1,200 or later, by 2 messages".
func WhoCould(v *chain.View, q reach.Question, a reach.Answer) string {
	var token *string
	if q.Action.OnToken {
		token = &q.Token
	}
	what := doing(q.Action.Name, token) + bounds(q)
	who := "nobody"
	if q.As != "" {
		who = v.Call(q.As)
	}
	switch a.Verdict {
	case reach.Way:
		way := a.Ways[0]
		return fmt.Sprintf("%s can %s, by %s", Somebody(v, a, way[len(way)-1].As), what, messages(len(way)))
	case reach.None:
		return fmt.Sprintf("%s can %s, by any number of messages", cannot(who), what)
	}
	return fmt.Sprintf("%s can %s by at most %s; %s", cannot(who), what, messages(a.Depth), cmp.Or(a.Cut, "more were not tried"))
}

// cannot puts a no before "can".
func cannot(who string) string {
	if who == "nobody" {
		return who
	}
	return "there is no way in which " + who
}

func messages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return chain.Thousands(uint64(n)) + " messages"
}

// bounds says when the act is to happen.
func bounds(q reach.Question) (text string) {
	at := func(b *cw721.Block) string {
		return fmt.Sprintf("height %s (%s)", chain.Thousands(uint64(b.Height)), chain.InUTC(b.Time))
	}
	if q.After != nil {
		text = " at " + at(q.After) + " or later"
	}
	if q.Until != nil {
		text += " before " + at(q.Until)
	}
	return text
}

// Anyone is what the address is called that stands for everybody in no record.
const Anyone = "anyone"

// Somebody gives what people call an address of a way.
func Somebody(v *chain.View, a reach.Answer, who cw721.Address) string {
	if who == a.Anyone {
		return Anyone
	}
	return v.Call(who)
}

// StepWords says one step of a way: "bob sends {…}", where names stand for
// addresses as they may in a message that is typed, and by what he may:
// "operator until height 1,100".
func StepWords(v *chain.View, a reach.Answer, s reach.Step) (sends, may string) {
	msg := string(cw721.Encode(s.Message))
	for _, who := range a.Actors {
		if name := v.NameOf(who); name != "" {
			msg = strings.ReplaceAll(msg, `"`+string(who)+`"`, `"$`+name+`"`)
		}
	}
	return fmt.Sprintf("%s sends %s", Somebody(v, a, s.As), msg), inBrief(s.Decision.Passed())
}

// RefusedWay says where a compiled contract does otherwise than the rules: which
// message of a way it refuses.
func RefusedWay(v *chain.View, a reach.Answer, i int) string {
	way := a.Refused[i].Way
	sends, may := StepWords(v, a, way[len(way)-1])
	return fmt.Sprintf("the compiled contract does otherwise: it refuses message %d of a way, where %s, allowed: %s: “%s”", len(way), sends, may, a.Refused[i].Err.Text)
}

// RealEnd says until when a grant lasts, by itself and really: "the approval for
// bob on rose: until height 1,100, really without expiry".
func RealEnd(v *chain.View, g cw721.Grant, really cw721.Expiration) string {
	text := grantText(v, g) + ": " + until(g.Expires)
	if really != g.Expires {
		text += ", really " + until(really)
	}
	return text
}
