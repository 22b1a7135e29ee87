package scenario

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// outcome is what a message led to: an answer as JSON, a response, or a
// refusal.
type outcome struct {
	answer   []byte
	response *cw721.Response
	refusal  *cw721.Error
	// difference is set where the built-in contract did otherwise.
	difference *chain.Difference
}

// json gives the whole answer.
func (o outcome) json() []byte {
	if o.response != nil {
		return wire.Encode(*o.response)
	}
	return o.answer
}

func (o outcome) String() string {
	if o.refusal == nil {
		return "ok: " + string(o.json())
	}
	return sayRefusal(o.refusal.Kind, o.refusal.Text)
}

func sayRefusal(kind cw721.Kind, text string) string { return fmt.Sprintf("error %s: %s", kind, text) }

// String says in one line what is expected.
func (e *Expect) String() string {
	switch {
	case e.Any:
		return "any"
	case e.Whole != nil:
		return "ok: " + string(e.Whole)
	case e.Has != nil:
		return "ok, with " + string(e.Has)
	case !e.Refused:
		return "ok"
	case e.Part != "":
		return fmt.Sprintf("an error with the text %q in it", e.Part)
	case e.Kind == "" && e.Text == nil:
		return "an error"
	case e.Text == nil:
		return fmt.Sprintf("an error of kind %s", e.Kind)
	case e.Kind == "":
		return fmt.Sprintf("an error: %s", *e.Text)
	}
	return sayRefusal(e.Kind, *e.Text)
}

// compare tells how an outcome differs from what is expected; nil for not at
// all.
func (e *Expect) compare(o outcome, address func(string) string) *Mismatch {
	if e.Any {
		return nil
	}
	miss := &Mismatch{What: "answer", Expected: clip(e.String())}
	switch {
	case e.Refused && o.refusal != nil:
		if e.fits(o.refusal) {
			return nil
		}
		miss.What = "refusal"
	case !e.Refused && o.refusal == nil:
		m := matcher{address: address}
		e.compareAnswer(&m, o)
		if len(m.found) == 0 {
			return nil
		}
		miss.Differences, miss.More = m.found, m.more
	}
	miss.Got = clip(o.String())
	return miss
}

func (e *Expect) fits(refusal *cw721.Error) bool {
	return (e.Kind == "" || e.Kind == refusal.Kind) &&
		(e.Text == nil || *e.Text == refusal.Text) &&
		strings.Contains(refusal.Text, e.Part)
}

func (e *Expect) compareAnswer(m *matcher, o outcome) {
	switch {
	case e.Has != nil:
		m.part(e.Has, o.json())
	case e.Whole != nil && o.response == nil:
		m.whole(e.Whole, o.answer)
	case e.Whole != nil:
		got := o.json()
		if string(got) == string(e.Whole) {
			return
		}
		want, errWant := parse(e.Whole)
		have, errHave := parse(got)
		if errWant != nil || errHave != nil {
			m.differ("", string(e.Whole), string(got))
			return
		}
		m.members("", want, have, m.same)
	}
}

// refusedWith expects a refusal. The texts of the contract's own kinds are the
// same everywhere; others tell how a message was spelled.
func refusedWith(kind cw721.Kind, text string) *Expect {
	e := &Expect{Refused: true, Kind: kind}
	if kind == cw721.KindContract || kind == chain.KindChain {
		e.Text = &text
	}
	return e
}
