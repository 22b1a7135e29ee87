package cw721

import (
	"errors"
	"fmt"

	"ephemera/core/cw721/weburl"
	"ephemera/core/wire"
)

// Kind sorts refusals by what was wrong.
type Kind string

// The kinds of refusal that a contract gives.
const (
	KindParse    Kind = "parse"     // the message does not decode (spec §2)
	KindAddress  Kind = "address"   // an address is not one (spec §3.1)
	KindURL      Kind = "url"       // a URL is not one (spec §10)
	KindNotFound Kind = "not_found" // no such token (spec §11)
	KindContract Kind = "contract"  // a rule of the contract says no (spec §12)
)

// Error is a refusal: the message was understood as far as it goes and turned
// down, and nothing changed. Trouble with the store is never an Error.
type Error struct {
	Kind Kind
	// Text is the contract's own text, exact for every kind but parse and
	// not_found, where the original prints the name of a Rust type.
	Text string
	// Field is the dotted path of the member at fault, when one is.
	Field string
	// Offset is where in the message a parse error was noticed, in bytes.
	Offset int64
	// Parse is what the reader of messages found, for a refusal of kind parse.
	Parse *wire.Error
	// Decision is set when the refusal is a verdict about the sender's rights.
	Decision *Decision
}

// Error gives the text, behind the member at fault where the text does not name
// it.
func (e *Error) Error() string {
	if e.Field != "" && e.Kind != KindParse {
		return e.Field + ": " + e.Text
	}
	return e.Text
}

// Is makes two refusals equal when kind and text are, for errors.Is.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && e.Kind == t.Kind && e.Text == t.Text
}

// AsError gives the refusal in err's chain, or nil when err is none.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

func refuse(text string) *Error { return &Error{Kind: KindContract, Text: text} }

// The contract's own texts (spec §12).
var (
	errNotOwner          = refuse("Caller is not the contract's current owner")
	errRenounced         = refuse("Contract ownership has been renounced")
	errNotPendingOwner   = refuse("Caller is not the contract's pending owner")
	errNoPendingTransfer = refuse("There isn't a pending ownership transfer")
	errTransferExpired   = refuse("A pending ownership transfer exists but it has expired")
	errNotMinter         = refuse("Caller is not minter")
	errNotCreator        = refuse("Caller is not collection creator")
	errTokenIDClaimed    = refuse("token_id already claimed")
	errAlreadyExpired    = refuse("Cannot set approval that is already expired")
	errNoApproval        = refuse("Approval not found not found")
	errNotMinterOwner    = refuse("Caller is not the minter owner (manager)")
	errMinterAdded       = refuse("Address is already an additional minter")
	errNoSuchMinter      = refuse("Address is not an additional minter")
	errTooManyMinters    = refuse("Maximum number of additional minters (10) reached")
	errNoWithdrawAddress = refuse("No withdraw address set")
	errEmptyName         = refuse("Collection name must not be empty")
	errEmptySymbol       = refuse("Collection symbol must not be empty")
	errEmptyDescription  = refuse("Collection description must not be empty")
	errLongDescription   = refuse("Collection description too long. Max length is 512 characters.")
	errShareTooHigh      = refuse("InvalidRoyalties: Share cannot be greater than 10%")
	errShareIncrease     = refuse("InvalidRoyalties: Share increase cannot be greater than 2%")
	errTraitType         = refuse("Trait type in metadata must not be empty")
	errTraitValue        = refuse("Trait value in metadata must not be empty")
	errTraitDisplay      = refuse("Trait display type in metadata must not be empty")
)

// withField names the member that a refusal is about.
func (e *Error) withField(field string) *Error {
	c := *e
	c.Field = field
	return &c
}

func notFound(id string) *Error {
	return &Error{Kind: KindNotFound, Text: fmt.Sprintf("token %s not found", wire.AppendString(nil, id)), Field: "token_id"}
}

// urlMember is a member that holds a URL, nil where it holds none.
type urlMember struct {
	field string
	url   *string
}

// checkURLs refuses the first that is no URL; in goes before its field.
func checkURLs(in string, links ...urlMember) error {
	for _, l := range links {
		if l.url == nil {
			continue
		}
		if text := weburl.Fault(*l.url); text != "" {
			return &Error{Kind: KindURL, Text: text, Field: in + l.field}
		}
	}
	return nil
}

// parseError wraps what the reader found, with the kind of message in the
// place of the original's Rust type (spec §2.1).
func parseError(what string, err error) error {
	var w *wire.Error
	if !errors.As(err, &w) {
		return err
	}
	return &Error{
		Kind:   KindParse,
		Text:   "Error parsing into type " + what + ": " + w.Error(),
		Field:  w.Field,
		Offset: w.Offset,
		Parse:  w,
	}
}
