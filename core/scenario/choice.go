package scenario

import "ephemera/core/wire"

// Reply is what a file says of one choice besides its text.
type Reply struct {
	// Why says why it is wrong, to whoever chose it.
	Why string
	// Believes names the misconception of whoever chose it; see the lesson
	// package.
	Believes string
}

// choice reads one choice: its text alone, or with what is said of it.
func (a *Ask) choice(d *wire.Decoder) error {
	var chosen string
	var r Reply
	var err error
	if d.Kind() == '"' {
		err = text(d, &chosen, "a string")
	} else if k := d.Kind(); k != '{' {
		return d.FailType("a string, or an object with text, why and believes", k)
	} else {
		err = object(d, "a choice", choiceMembers, func(name string) error {
			into := map[string]*string{"text": &chosen, "why": &r.Why, "believes": &r.Believes}[name]
			return text(d, into, "a string")
		})
	}
	a.Choices = append(a.Choices, chosen)
	if r != (Reply{}) {
		if a.Replies == nil {
			a.Replies = map[string]Reply{}
		}
		a.Replies[chosen] = r
	}
	return err
}

func (a *Ask) choicesJSON() []byte {
	out := []byte{'['}
	for i, c := range a.Choices {
		if i > 0 {
			out = append(out, ',')
		}
		r, more := a.Replies[c]
		if !more {
			out = wire.AppendString(out, c)
			continue
		}
		var f fields
		f.add("text", wire.AppendString(nil, c))
		f.text("why", r.Why)
		f.text("believes", r.Believes)
		out = append(out, joinFields(f)...)
	}
	return append(out, ']')
}
