package chain

import (
	"strings"

	"ephemera/core/cw721"
)

// ReceiverBehind tells from the refusal of a delivery what was at the address:
// the history keeps answers, not what people said about contracts. ok is false
// for a refusal that has another reason.
func ReceiverBehind(kind cw721.Kind, text string) (r Receiver, ok bool) {
	switch {
	case kind != KindChain:
		return "", false
	case strings.HasSuffix(text, ": no such contract"):
		return ReceiverPlain, true
	case strings.Contains(text, " rejected the token: "):
		return ReceiverRejects, true
	}
	return "", false
}
