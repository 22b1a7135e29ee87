package scenario

import (
	"strings"

	"ephemera/core/chain"
	"ephemera/core/wire"
)

// DecodeWire reads a header.
func (h *Header) DecodeWire(decoder *wire.Decoder) error {
	return readObject(decoder, "the header", h)
}

// DecodeWire reads an object of names, each with an address or null.
func (a *Accounts) DecodeWire(decoder *wire.Decoder) error {
	return readMembers(decoder, func(name string) error {
		account := chain.Account{Name: name}
		err := readText(decoder, &account.Address, "an address in a string, or nothing")
		*a = append(*a, account)
		return err
	})
}

// AppendWire writes the accounts as an object, in their order.
func (a Accounts) AppendWire(dst []byte) []byte {
	return appendListAsObject(dst, a, func(account chain.Account) memberValue {
		if account.Address == "" {
			return memberValue{name: account.Name}
		}
		return memberValue{name: account.Name, value: account.Address}
	})
}

// DecodeWire reads an object of names, each with a way to receive tokens, such as
// {"$market": "accepts"}. The dollar sign is optional.
func (c *Contracts) DecodeWire(decoder *wire.Decoder) error {
	return readMembers(decoder, func(name string) error {
		contract := chain.Account{Name: strings.TrimPrefix(name, "$")}
		known := []chain.Receiver{chain.ReceiverAccepts, chain.ReceiverRejects, chain.ReceiverPlain}
		err := readOneOf(decoder, &contract.Receiver, "way to receive tokens", known)
		*c = append(*c, contract)
		return err
	})
}

// AppendWire writes the contracts as an object, in their order.
func (c Contracts) AppendWire(dst []byte) []byte {
	return appendListAsObject(dst, c, func(contract chain.Account) memberValue {
		return memberValue{name: contract.Name, value: string(contract.Receiver)}
	})
}

// DecodeWire reads an array of invariants in the form of steps. It fails for a step that is
// neither a query with an expected answer nor a claim that nobody can do something, and for
// one that moves the clock.
func (list *Invariants) DecodeWire(decoder *wire.Decoder) error {
	return readArray(decoder, "a list of queries", func() error {
		var invariant Step
		if err := invariant.DecodeWire(decoder); err != nil {
			return err
		}
		movesClock := invariant.At != nil || invariant.Advance != nil
		expectsAnswer := invariant.Kind == Query && invariant.Expect != nil
		canBeInvariant := expectsAnswer || invariant.Kind == Nobody
		if movesClock || !canBeInvariant {
			return errorAt(decoder,
				"invariant %d: expected query and expect, or nobody, and no clock move",
				len(*list)+1)
		}
		*list = append(*list, invariant)
		return nil
	})
}

// DecodeWire reads the member "deliver". It sets u to true if that is false.
func (u *Undelivered) DecodeWire(decoder *wire.Decoder) error {
	delivers := true
	err := readBool(decoder, &delivers)
	*u = Undelivered(!delivers)
	return err
}

// AppendWire writes the member "deliver", which is the opposite of u.
func (u Undelivered) AppendWire(dst []byte) []byte { return wire.Append(dst, !bool(u)) }

// DecodeWire reads an object of names, each with what the misconception believes.
func (list *Misconceptions) DecodeWire(decoder *wire.Decoder) error {
	return readMembers(decoder, func(name string) error {
		belief, err := decoder.Text("what is believed, in a string")
		*list = append(*list, Misconception{Name: name, Belief: belief})
		return err
	})
}

// AppendWire writes the misconceptions as an object, in their order.
func (list Misconceptions) AppendWire(dst []byte) []byte {
	return appendListAsObject(dst, list, func(m Misconception) memberValue {
		return memberValue{name: m.Name, value: m.Belief}
	})
}
