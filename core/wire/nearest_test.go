package wire

import (
	"strings"
	"testing"
)

func TestTheNearestNameIsOneThatWasLikelyMeant(t *testing.T) {
	names := []string{"spender", "token_id", "expires", "token_uri", "undo", "redo", "sig"}
	for word, want := range map[string]string{
		"expirse": "expires", "expire": "expires", "exp": "expires", "Expires": "expires", "spnder": "spender", "token_url": "token_uri", "tokenid": "token_id",
		"reod": "redo", "udno": "undo", "sgi": "sig", "isg": "sig", "gis": "", "expires": "expires",
		"junk": "", "x": "", "": "", "owner": "", strings.Repeat("expires", 10_000): "",
	} {
		if got := NearestName(word, names); got != want {
			t.Errorf("%.20q was taken for %q, expected %q", word, got, want)
		}
	}
}

func TestAVersionKnowsNotWhatItIsWithout(t *testing.T) {
	type item struct {
		Old string  `wire:"old"`
		New *string `wire:"new"`
	}
	var v item
	_, err := DecodeWith(Options{AbsentNames: []string{"new"}}, []byte(`{"old":"a","new":"b"}`), &v)
	if err == nil || !strings.Contains(err.Error(), "unknown field `new`, expected `old`") {
		t.Errorf("it is read as %+v, %v", v, err)
	}
	b := "b"
	if got := string(EncodeWithout([]string{"new"}, item{"a", &b})); got != `{"old":"a"}` {
		t.Errorf("it is written as %s", got)
	}
	var ignored []UnknownMember
	_, err = DecodeWith(Options{AbsentNames: []string{"new"}, IgnoresUnknown: true, IgnoredMembers: &ignored}, []byte(`{"new":[1,{"x":null}],"old":"a","x":1,"x":2}`), &v)
	if err != nil || v.Old != "a" || v.New != nil || len(ignored) != 3 || ignored[0].Field != "new" || strings.Join(ignored[2].KnownNames, " ") != "old" {
		t.Errorf("it is read as %+v, %v, with %v ignored", v, err, ignored)
	}
	if _, err := DecodeWith(Options{IgnoresUnknown: true, IgnoredMembers: &ignored}, []byte(`{"old":"a","old":"b"}`), &v); err == nil {
		t.Error("a member was read twice")
	}
}
