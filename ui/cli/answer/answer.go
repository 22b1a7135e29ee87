// Package answer has the parts that the JSON answers of several commands share: a
// block, an expiry, a node of the history, a refusal. Each notion has the same member
// name in every answer, which is the contract's own if the contract has one (owner,
// spender, sender, token_id, expires). Beside an address stands the name of its account
// (owner_name). A member without a value is left out. Programs read these members, so
// their names never change.
package answer

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/ui/widget"
)

// Block is a block, in JSON.
type Block struct {
	Height          cw721.Height `wire:"height"`
	Time            cw721.Time   `wire:"time"`
	UTC             string       `wire:"utc,optional"`               // the time in RFC 3339; empty after the year 2262
	SecondsPerBlock uint64       `wire:"seconds_per_block,optional"` // set by [ClockOf] alone
}

// BlockOf returns a block for an answer, without the seconds per block.
func BlockOf(block cw721.Block) Block {
	jsonBlock := Block{Height: block.Height, Time: block.Time}
	if uint64(block.Time) <= math.MaxInt64 {
		jsonBlock.UTC = time.Unix(0, int64(block.Time)).UTC().Format(time.RFC3339Nano)
	}
	return jsonBlock
}

// Line describes the block for people, such as "height 1,105 · 2026-11-21 12:00:20 UTC".
func (b Block) Line() string {
	return "height " + human.Thousands(uint64(b.Height)) + " · " + human.TimeUTC(b.Time)
}

// ClockOf returns the block of a clock, with its seconds per block.
func ClockOf(clock chain.Clock) Block {
	block := BlockOf(clock.Block())
	block.SecondsPerBlock = clock.SecondsPerBlock
	return block
}

// Expiry is a grant (an approval or an operator) with its expiry, in JSON. The grant may
// have expired.
type Expiry struct {
	Kind        cw721.GrantKind  `wire:"kind"`
	TokenID     *string          `wire:"token_id"` // nil unless the grant is an approval
	Owner       cw721.Address    `wire:"owner"`
	OwnerName   string           `wire:"owner_name,optional"`
	Spender     cw721.Address    `wire:"spender"`
	SpenderName string           `wire:"spender_name,optional"`
	Expires     cw721.Expiration `wire:"expires"`

	summary string // the grant in words, without its expiry
}

// ExpiryOf returns a grant for an answer, with the names that its accounts have in the view.
func ExpiryOf(view *chain.View, entry expiry.Entry) Expiry {
	jsonGrant := Expiry{
		Kind:        entry.Kind,
		Owner:       entry.Owner,
		OwnerName:   view.NameOf(entry.Owner),
		Spender:     entry.Spender,
		SpenderName: view.NameOf(entry.Spender),
		Expires:     entry.Expires,
		summary:     explain.DescribeGrant(entry.Grant, human.TokenID(entry.Token), view.DisplayName).Name,
	}
	if entry.Kind == cw721.GrantApproval {
		jsonGrant.TokenID = &entry.Token // present even if the id is empty
	}
	return jsonGrant
}

// Line describes the grant for people, such as "the approval for bob on rose, until height 1,105".
func (e Expiry) Line() string { return widget.Safe(e.summary + ", until " + human.Expiry(e.Expires)) }

// Node is a node of the history, in JSON: a message or a move of the clock.
type Node struct {
	ID         history.ID    `wire:"id"`
	Parent     history.ID    `wire:"parent"`
	Kind       history.Kind  `wire:"kind"`
	Block      Block         `wire:"block"`
	Sender     cw721.Address `wire:"sender,optional"`
	SenderName string        `wire:"sender_name,optional"`
	// Message is the message in compact JSON, or a JSON string if the message was not
	// valid JSON. For a move of the clock, Message is the block before it and Answer the
	// block after it.
	Message      wire.Raw   `wire:"message"`
	Answer       wire.Raw   `wire:"answer,optional"`
	Error        *Refusal   `wire:"error"`                  // nil if the message was carried out
	Changes      uint64     `wire:"changes"`                // changed records of the contract
	ChainChanges uint64     `wire:"chain_changes,optional"` // changed records of the chain itself, such as the clock
	Batch        history.ID `wire:"batch,optional"`         // the first node of the batch; 0 if it was sent alone
	Current      bool       `wire:"current"`                // the head or an ancestor of it, so not undone
	Snapshots    []string   `wire:"snapshots,optional"`

	summary string // the message or clock move, in words
}

// NodeOf returns a node of the history for an answer. The sender has the name that its
// account has in the view. Current and Snapshots are left empty.
func NodeOf(view *chain.View, node history.Node) Node {
	jsonNode := Node{
		ID:         node.ID,
		Parent:     node.Parent,
		Kind:       node.Kind,
		Block:      BlockOf(node.Block()),
		Sender:     node.Sender,
		SenderName: view.NameOf(node.Sender),
		Message:    messageJSON(node.Message),
		Answer:     node.Answer,
		Changes:    view.ChangeCountOf(node.ID),
		Batch:      node.Batch,
		summary:    explain.DescribeNode(view.Contract(), node, view.DisplayName),
	}
	jsonNode.ChainChanges = node.ChangeCount - jsonNode.Changes

	if refusal := node.Refusal; refusal != nil {
		jsonNode.Error = RefusalOf(&cw721.Error{
			Kind:  refusal.Kind,
			Text:  refusal.Text,
			Field: refusal.Field,
		})
	}
	return jsonNode
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

// Line describes a node for people in one line, such as "height 1,105 · 2026-11-21 12:00:20
// UTC · alice: burn rose · refused: Caller is not owner".
func (n Node) Line() string {
	line := n.Block.Line() + " · "
	sender := cmp.Or(n.SenderName, string(n.Sender))
	if sender != "" {
		line += sender + ": "
	}
	line += n.summary
	switch {
	case n.Error != nil:
		line += " · refused: " + n.Error.Text
	case n.Changes+n.ChainChanges == 0 && n.Kind != history.KindImport:
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

// RefusalOf returns a refusal for an answer, or nil if there is none. It leaves out the
// field of the contract's own refusals, because a chain reports only their text.
func RefusalOf(refusal *cw721.Error) *Refusal {
	if refusal == nil {
		return nil
	}
	jsonRefusal := &Refusal{Kind: refusal.Kind, Text: refusal.Text}
	if refusal.Kind != cw721.KindContract {
		jsonRefusal.Field = refusal.Field
	}
	return jsonRefusal
}
