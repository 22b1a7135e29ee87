package scenario

import (
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	explained "ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/core/wire"
)

// nobody is the message of a step that says that nobody can do something: a
// question of package reach, in the words of a file.
type nobody struct {
	Can     string   `wire:"can"`
	Token   *string  `wire:"token"`
	As      string   `wire:"as,optional"`
	Passive []string `wire:"passive,optional"`
	After   *At      `wire:"after"`
	Until   *At      `wire:"until"`
	Unmoved bool     `wire:"unmoved,optional"`
	Depth   uint32   `wire:"depth,optional"`
}

// readNobody reads the question of a step; text says what is wrong with it.
func readNobody(raw []byte) (n nobody, action cw721.Action, text string) {
	if err := wire.Decode(raw, &n); err != nil {
		field, text := explain(err)
		return n, action, strings.TrimPrefix(field+": "+text, ": ")
	}
	action, ok := cw721.ActionNamed(n.Can)
	switch {
	case !ok:
		return n, action, fmt.Sprintf("can: %q is no action, expected one like transfer, burn or offer-minter", n.Can)
	case action.OnToken && n.Token == nil:
		return n, action, fmt.Sprintf("token: expected the id of a token, as %s is about one", n.Can)
	}
	return n, action, ""
}

// question gives the question of a step, with addresses for names.
func (p *Player) question(v *chain.View, raw []byte) (q reach.Question, err error) {
	n, action, text := readNobody(raw)
	if text != "" {
		return q, &Error{Field: string(Nobody), Text: text}
	}
	asked := explained.Asked{Action: action, As: n.As, Passive: n.Passive, Unmoved: n.Unmoved, Depth: int(n.Depth)}
	if n.Token != nil {
		asked.Token = *n.Token
	}
	if q, err = asked.Question(v); err != nil {
		return q, err
	}
	if q.After, err = n.After.block(v); err == nil {
		q.Until, err = n.Until.block(v)
	}
	return q, err
}

// block gives a block on the way of the clock; nil for none.
func (a *At) block(v *chain.View) (*cw721.Block, error) {
	if a == nil || *a == (At{}) {
		return nil, nil
	}
	var w chain.When
	var err error
	if a.Height != nil {
		w, err = v.WhenAt(cw721.UntilHeight(*a.Height))
	} else {
		w, err = v.WhenAt(cw721.UntilTime(*a.Time))
	}
	return &w.Block, err
}

// atBlock is [At.block] the other way round.
func atBlock(v *chain.View, b *cw721.Block) *At {
	switch {
	case b == nil:
		return nil
	case v.Clock.At(b.Height) == b.Time:
		return &At{Height: &b.Height}
	}
	return &At{Time: &b.Time}
}

// search holds that nobody can do what a step says.
func (p *Player) search(s *Step) (miss *Mismatch, err error) {
	err = p.chain.View(func(v *chain.View) error {
		q, err := p.question(v, s.Message)
		var a reach.Answer
		if err == nil {
			a, err = reach.Ask(p.ctx, v, q)
		}
		switch wrong := (*reach.QuestionError)(nil); {
		case errors.As(err, &wrong):
			return &Error{Field: string(Nobody) + "." + wrong.Field, Text: wrong.Err.Error(), Err: err}
		case cw721.AsError(err) != nil:
			return &Error{Field: string(Nobody), Text: err.Error(), Err: err}
		case err != nil:
		case len(a.Refused) > 0: // it has other rules than those that were searched by
			miss = &Mismatch{What: "way", Expected: "what the rules allow", Got: explained.RefusedWay(v, a, 0)}
		case a.Verdict == reach.Way:
			miss = &Mismatch{What: "answer", Expected: "nobody", Got: explained.WhoCould(v, q, a) + ": " + strings.Join(wayLines(v, a), "; ")}
		}
		return err
	})
	return miss, err
}

// wayLines says the messages of the first way.
func wayLines(v *chain.View, a reach.Answer) (lines []string) {
	for _, s := range a.Ways[0] {
		sends, may := explained.StepWords(v, a, s)
		lines = append(lines, fmt.Sprintf("at height %s %s, allowed: %s", chain.Thousands(uint64(s.Block.Height)), sends, may))
	}
	return lines
}

// WayStep says that nobody can do what a search has found a way for, with the way in
// its note. It fails until what came before does not allow the way any more.
func WayStep(v *chain.View, q reach.Question, a reach.Answer) Step {
	n := nobody{
		Can: q.Action.Name, Token: &q.Token, Unmoved: q.Unmoved, Depth: uint32(q.Depth),
		After: atBlock(v, q.After), Until: atBlock(v, q.Until),
	}
	if q.As != "" {
		n.As = v.Call(q.As)
	}
	for _, who := range a.Passive {
		n.Passive = append(n.Passive, v.Call(who))
	}
	return Step{Kind: Nobody, Message: wire.Compact(n), Note: "There was a way: " + strings.Join(wayLines(v, a), "; ")}
}

// ProbeSteps are the steps that send one message at every block of a probe, and
// leave nothing behind. It fails with a [*RecordError] where one of the blocks lies
// behind the clock, which never goes back.
func ProbeSteps(v *chain.View, sender cw721.Address, message []byte, rows []explained.Probed) (steps []Step, err error) {
	for _, r := range rows {
		now, at := v.Clock.Block(), At{}
		if r.Block.Height < now.Height || r.Block.Time < now.Time {
			return nil, &RecordError{"the expiry lies behind the clock, where a scenario cannot go; undo to before it"}
		}
		if at.Height = &r.Block.Height; r.Block.Height == now.Height {
			at.Height = nil
		}
		if at.Time = &r.Block.Time; r.Block.Time == now.Time {
			at.Time = nil
		}
		s := Step{As: v.Call(sender), Kind: Preview, Message: message, Expect: &Expect{}}
		if at != (At{}) {
			s.At = &at
		}
		if e := r.Receipt.Refusal; e != nil {
			s.Expect = refusedWith(e.Kind, e.Text)
		}
		steps = append(steps, s)
	}
	return steps, nil
}
