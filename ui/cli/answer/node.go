package answer

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/ui/widget"
)

// Node is something that happened, as it is written.
type Node struct {
	ID     history.ID    `wire:"id"`
	Parent history.ID    `wire:"parent"`
	Kind   history.Kind  `wire:"kind"`
	Block  Block         `wire:"block"`
	Sender cw721.Address `wire:"sender,optional"`
	Name   string        `wire:"sender_name,optional"`
	// Message is JSON as it was sent, or a string where that was not JSON. For
	// the clock it is the block before, and Answer the block after.
	Message wire.Raw `wire:"message"`
	Answer  wire.Raw `wire:"answer,optional"`
	Error   *Refusal `wire:"error"`
	Changes uint64   `wire:"changes"`
	// Current tells that the node is on the way to where the history stands:
	// it has happened, and was not undone.
	Current   bool     `wire:"current"`
	Snapshots []string `wire:"snapshots,optional"`

	move string // of the clock, in words
}

// NodeOf writes a node of the history, with the names that a view has.
func NodeOf(v *chain.View, n history.Node) Node {
	out := Node{
		ID: n.ID, Parent: n.Parent, Kind: n.Kind, Block: BlockOf(cw721.Block{Height: n.Height, Time: n.Time}),
		Sender: n.Sender, Message: wire.Raw(n.Message), Answer: n.Answer, Changes: n.Changes,
	}
	if n.Sender != "" {
		out.Name = v.NameOf(n.Sender)
	}
	if n.Kind == history.KindClock {
		out.move = explain.DescribeMove(n)
	}
	if !jsontext.Value(n.Message).IsValid() {
		out.Message = wire.AppendString(nil, n.Message)
	} else if compact := jsontext.Value(n.Message).Clone(); compact.Compact() == nil {
		out.Message = wire.Raw(compact) // line breaks would break up the answer
	}
	if r := n.Refusal; r != nil {
		out.Error = RefusalOf(&cw721.Error{Kind: r.Kind, Text: r.Text, Field: r.Field})
	}
	return out
}

// longestLine is how much of a message a line shows, in characters.
const longestLine = 100

// Line says in words what happened: one line, for people.
func (n Node) Line() string {
	words := []string{"height", chain.Thousands(uint64(n.Block.Height)), "·", chain.UTC(n.Block.Time), "UTC", "·"}
	switch {
	case n.Name != "":
		words = append(words, n.Name)
	case n.Sender != "":
		words = append(words, string(n.Sender))
	}
	switch n.Kind {
	case history.KindClock:
		words = append(words, n.move)
	case history.KindImport:
		words = append(words, "import of", strings.Trim(string(n.Message), `"`)) // it is "12 records"
	case history.KindMigrate:
		words = append(words, "migrate", short(string(n.Message)))
	default:
		words = append(words, short(string(n.Message)))
	}
	line := strings.Join(words, " ")
	switch {
	case n.Error != nil:
		line += " · refused: " + n.Error.Text
	case n.Changes == 0 && n.Kind != history.KindImport:
		line += " · changed nothing"
	}
	if len(n.Snapshots) > 0 {
		line += " · snapshot " + strings.Join(n.Snapshots, ", ")
	}
	return widget.Safe(line)
}

func short(s string) string {
	if r := []rune(s); len(r) > longestLine {
		return string(r[:longestLine]) + "…"
	}
	return s
}

// Refusal is how a refusal is written. Field names the member at fault where
// that is not the contract's own business to say.
type Refusal struct {
	Kind  cw721.Kind `wire:"kind"`
	Text  string     `wire:"text"`
	Field string     `wire:"field,optional"`
}

// RefusalOf writes why a message was refused, nil where it was not. The contract
// names no field of its own refusals.
func RefusalOf(e *cw721.Error) *Refusal {
	switch {
	case e == nil:
		return nil
	case e.Kind == cw721.KindContract:
		return &Refusal{Kind: e.Kind, Text: e.Text}
	}
	return &Refusal{e.Kind, e.Text, e.Field}
}
