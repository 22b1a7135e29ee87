package explain_test

import (
	"testing"

	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

func TestOnlyAGrantThatLastsLongerIsGained(t *testing.T) {
	bob := explain.Permission{Who: Address("bob"), Kind: "operator", Of: Address("alice")}
	var never cw721.Expiration
	for _, c := range []struct {
		name         string
		before       cw721.Expiration
		after        cw721.Expiration
		gained, lost int
	}{
		{"the same height", cw721.UntilHeight(10), cw721.UntilHeight(10), 0, 0},
		{"later", cw721.UntilHeight(10), cw721.UntilHeight(11), 1, 0},
		{"sooner", cw721.UntilTime(11), cw721.UntilTime(10), 0, 1},
		{"always never", never, never, 0, 0},
		{"never any more", never, cw721.UntilTime(10), 0, 1},
		{"never now", cw721.UntilHeight(10), never, 1, 0},
		{"from a height to a time", cw721.UntilHeight(10), cw721.UntilTime(1), 1, 1},
	} {
		before := map[explain.Permission]cw721.Expiration{bob: c.before}
		after := map[explain.Permission]cw721.Expiration{bob: c.after}
		gained, lost := explain.Gained(before, after), explain.Gained(after, before)
		Same(t, c.name+": gained", c.gained, len(gained))
		Same(t, c.name+": lost", c.lost, len(lost))
		if len(gained) == 1 {
			Same(t, c.name+": until", c.after, gained[0].Expires)
			Same(t, c.name+": before", c.before, *gained[0].Other)
		}
	}
	Same(t, "new", []explain.Gain{{Permission: bob, Expires: never}}, explain.Gained(nil, map[explain.Permission]cw721.Expiration{bob: never}))
}
