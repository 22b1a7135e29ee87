package cw721

import (
	"errors"

	"ephemera/core/cw721/weburl"
	"ephemera/core/wire"
)

// Kind is the kind of cause for which the contract refuses a message.
type Kind string

// The kinds of refusal that a contract gives.
const (
	KindParse    Kind = "parse"     // the message cannot be decoded (spec §2)
	KindAddress  Kind = "address"   // an address is malformed or of another chain (spec §3.1)
	KindURL      Kind = "url"       // a URL is malformed (spec §10)
	KindNotFound Kind = "not_found" // the token does not exist (spec §11)
	KindContract Kind = "contract"  // a rule of the contract forbids the message (spec §12)
)

// Error is a refusal of a message by the contract. A refused message changes
// nothing. A failure of the store is never an Error.
type Error struct {
	Kind Kind
	// Text is the contract's own text. It is exact except for the kinds parse and
	// not_found, where the public contract prints the name of a Rust type.
	Text   string
	Field  string // the dotted path of the message's member at fault, if there is one
	Offset int64  // where in the message a parse error was detected, in bytes
	// Parse is the decoder's error, for the kind parse. It is nil for a compiled contract's.
	Parse *wire.Error
	// Decision is the decision that refused the message, if the sender lacks a
	// permission.
	Decision *Decision
}

// Error returns the text of the refusal. It puts the member at fault before the text, as in
// "owner: …", unless none is known or the text is that of the built-in contract's parse error,
// which names it.
func (e *Error) Error() string {
	if e.Field == "" || e.Parse != nil {
		return e.Text
	}
	return e.Field + ": " + e.Text
}

// Is reports whether target is an [*Error] of the same kind and text, for
// [errors.Is].
func (e *Error) Is(target error) bool {
	targetRefusal, ok := target.(*Error)
	return ok && e.Kind == targetRefusal.Kind && e.Text == targetRefusal.Text
}

// AsError returns the first [*Error] in err's chain, or nil if there is none.
func AsError(err error) *Error {
	refusal, _ := errors.AsType[*Error](err) // nil if there is none
	return refusal
}

func newRefusal(text string) *Error { return &Error{Kind: KindContract, Text: text} }

// The contract's own texts (spec §12).
var (
	errNotOwner          = newRefusal("Caller is not the contract's current owner")
	errRenounced         = newRefusal("Contract ownership has been renounced")
	errNotPendingOwner   = newRefusal("Caller is not the contract's pending owner")
	errNoPendingTransfer = newRefusal("There isn't a pending ownership transfer")
	errTransferExpired   = newRefusal("A pending ownership transfer exists but it has expired")
	errNotMinter         = newRefusal("Caller is not minter")
	errNotCreator        = newRefusal("Caller is not collection creator")
	errTokenIDClaimed    = newRefusal("token_id already claimed")
	errAlreadyExpired    = newRefusal("Cannot set approval that is already expired")
	errNoApproval        = newRefusal("Approval not found not found")
	errNotMinterOwner    = newRefusal("Caller is not the minter owner (manager)")
	errAlreadyMinter     = newRefusal("Address is already an additional minter")
	errNoSuchMinter      = newRefusal("Address is not an additional minter")
	errTooManyMinters    = newRefusal("Maximum number of additional minters (10) reached")
	errNoWithdrawAddress = newRefusal("No withdraw address set")
	errEmptyName         = newRefusal("Collection name must not be empty")
	errEmptySymbol       = newRefusal("Collection symbol must not be empty")
	errEmptyDescription  = newRefusal("Collection description must not be empty")
	errLongDescription   = newRefusal("Collection description too long. Max length is 512 characters.")
	errShareTooHigh      = newRefusal("InvalidRoyalties: Share cannot be greater than 10%")
	errShareIncrease     = newRefusal("InvalidRoyalties: Share increase cannot be greater than 2%")
	errTraitType         = newRefusal("Trait type in metadata must not be empty")
	errTraitValue        = newRefusal("Trait value in metadata must not be empty")
	errTraitDisplay      = newRefusal("Trait display type in metadata must not be empty")
)

func (e *Error) withField(field string) *Error {
	refusal := *e
	refusal.Field = field
	return &refusal
}

// refuseEmpty returns refusal, at the dotted path field, for an empty text that is not nil.
func refuseEmpty(text *string, refusal *Error, field string) error {
	if text == nil || *text != "" {
		return nil
	}
	return refusal.withField(field)
}

// urlMember is a member of a message that must be a URL if it is present.
type urlMember struct {
	field string  // the member's name, such as "image"
	url   *string // nil if the member is absent
}

// checkURLs returns an [*Error] of kind url for the first member that is no URL. Its path is
// pathPrefix and then the member's field.
func checkURLs(pathPrefix string, members ...urlMember) error {
	for _, member := range members {
		if member.url == nil {
			continue
		}
		if fault := weburl.FindFault(*member.url); fault != "" {
			return &Error{Kind: KindURL, Text: fault, Field: pathPrefix + member.field}
		}
	}
	return nil
}

// parseError converts a [*wire.Error] into an [*Error] of kind parse, which has typeName where
// the public contract prints the name of a Rust type (spec §2.1). It returns nil and other errors
// unchanged.
func parseError(typeName string, err error) error {
	cause, isDecodeError := errors.AsType[*wire.Error](err)
	if !isDecodeError {
		return err
	}
	return &Error{
		Kind:   KindParse,
		Text:   "Error parsing into type " + typeName + ": " + cause.Error(),
		Field:  cause.Field,
		Offset: cause.Offset,
		Parse:  cause,
	}
}
