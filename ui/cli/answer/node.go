package answer

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/ui/widget"
)

// Node is a node of the history, in JSON: a message or a move of the clock.
type Node struct {
	ID     history.ID    `wire:"id"`
	Parent history.ID    `wire:"parent"`
	Kind   history.Kind  `wire:"kind"`
	Block  Block         `wire:"block"`
	Sender cw721.Address `wire:"sender,optional"`
	Name   string        `wire:"sender_name,optional"`
	// Message is the message in compact JSON, or a JSON string if the message was not
	// valid JSON. For a move of the clock, Message is the block before it and Answer the
	// block after it.
	Message wire.Raw `wire:"message"`
	Answer  wire.Raw `wire:"answer,optional"`
	// Error is the refusal; nil if the message was carried out.
	Error   *Refusal `wire:"error"`
	Changes uint64   `wire:"changes"` // number of changed records
	// Batch is the first node of the batch that the message was sent in; 0 if it was sent
	// alone.
	Batch history.ID `wire:"batch,optional"`
	// Current is set if the node is the head of the history or an ancestor of the head,
	// so that it was not undone.
	Current   bool     `wire:"current"`
	Snapshots []string `wire:"snapshots,optional"`

	summary string // the message or clock move, in words
}

// NodeOf returns a node of the history for an answer. The name of its sender is that of
// the view. Current and Snapshots are left empty.
func NodeOf(v *chain.View, n history.Node) Node {
	out := Node{
		ID:      n.ID,
		Parent:  n.Parent,
		Kind:    n.Kind,
		Block:   BlockOf(cw721.Block{Height: n.Height, Time: n.Time}),
		Sender:  n.Sender,
		Message: messageJSON(n.Message),
		Answer:  n.Answer,
		Changes: n.Changes,
		Batch:   n.Batch,
		summary: explain.DescribeNode(v.Contract(), n, v.DisplayName),
	}
	if n.Sender != "" {
		out.Name = v.NameOf(n.Sender)
	}
	if r := n.Refusal; r != nil {
		out.Error = RefusalOf(&cw721.Error{Kind: r.Kind, Text: r.Text, Field: r.Field})
	}
	return out
}

// messageJSON returns a stored message in compact JSON, which has no line breaks. A
// message that is not valid JSON becomes a JSON string.
func messageJSON(message string) wire.Raw {
	value := jsontext.Value(message)
	if !value.IsValid() {
		return wire.AppendString(nil, message)
	}
	_ = value.Compact() // fails only for invalid JSON
	return wire.Raw(value)
}

// Line describes a node for people in one line: "height 1,105 · 2026-11-21 12:00:20
// UTC · alice: burn rose · refused: Caller is not owner".
func (n Node) Line() string {
	words := []string{"height", human.Thousands(uint64(n.Block.Height)), "·", human.Time(n.Block.Time), "UTC", "·"}
	sender := cmp.Or(n.Name, string(n.Sender))
	if sender != "" {
		words = append(words, sender+":")
	}
	words = append(words, n.summary)

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

// Refusal says why a message was refused, in JSON. Field names the member of the message
// that is at fault; it is empty if the contract itself refused.
type Refusal struct {
	Kind  cw721.Kind `wire:"kind"`
	Text  string     `wire:"text"`
	Field string     `wire:"field,optional"`
}

// RefusalOf returns a refusal as it stands in JSON output, or nil if e is nil. The contract's
// own refusals have no field there: their text is all that a chain reports.
func RefusalOf(e *cw721.Error) *Refusal {
	if e == nil {
		return nil
	}
	out := &Refusal{Kind: e.Kind, Text: e.Text}
	if e.Kind != cw721.KindContract {
		out.Field = e.Field
	}
	return out
}
