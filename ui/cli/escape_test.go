package cli_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/term/ptytest"
)

// hostileID is a token's id on which a terminal would act: a colour, also in C1, a line
// feed, a deletion, separators, and characters that change the direction of writing.
const hostileID = "ape\x1b[31m\u009b31m\u0085\x7f\u2028\u2029\u202e\u2066\u200f\u061c日本"

func TestNoCommandPrintsWhatATerminalActsOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	id := string(chaintest.Must(json.Marshal(hostileID))(t))
	runs(t, "--db", dir, "exec", "--as", "creator", `{"mint":{"token_id":`+id+`,"owner":"$creator"}}`)
	story := filepath.Join(t.TempDir(), "story.yaml")
	runs(t, "--db", dir, "record", story)
	recorded := read(t, story)
	for _, args := range [][]string{
		{"query", `{"all_tokens":{}}`}, {"query", `{"all_nft_info":{"token_id":` + id + `}}`}, {"history"}, {"history", "--json"},
		{"why", "--as", "creator", "transfer", hostileID}, {"why", "--as", "creator", "transfer", hostileID, "--json"},
		{"why", hostileID}, {"why", hostileID, "--json"}, {"exec", "--dry-run", "--as", "creator", `{"burn":{"token_id":` + id + `}}`},
		{"exec", "--as", "creator", `{"burn":{"token_id":"` + "\u009b" + `"}}`}, {"why", "--as", "\u009bx", "mint"}, {"run", story}, {"export"},
	} {
		_, stdout, stderr := inside(t, append([]string{"--db", dir}, args...)...)
		for name, text := range map[string]string{"stdout": stdout, "stderr": stderr, "record": recorded} {
			if i := strings.IndexFunc(text, isHostile); i >= 0 {
				t.Errorf("%v: %s has %.100q", args, name, text[i:])
			}
		}
	}

	// A program that decodes the answer reads the id itself.
	var answer struct{ Tokens []string }
	tokens := runs(t, "--db", dir, "query", `{"all_tokens":{}}`)
	if err := json.Unmarshal([]byte(tokens), &answer); err != nil || !slices.Contains(answer.Tokens, hostileID) {
		t.Errorf("%q is read as %q, %v", tokens, answer.Tokens, err)
	}
	if out := runs(t, "run", story); !strings.Contains(out, "ok") {
		t.Errorf("the record plays as %q", out)
	}
}

// isHostile reports whether a terminal could act on a character.
func isHostile(r rune) bool {
	const hostile = "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufffd"
	isControl := unicode.IsControl(r) && r != '\n' && r != '\t'
	return isControl || strings.ContainsRune(hostile, r)
}

// Outside of UTF-8 the second byte of a letter can be a control character.
func TestTheExplorerWritesOnlyASCIIInALocaleThatIsNotUTF8(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	runs(t, "--db", dir, "exec", "--as", "creator", `{"mint":{"token_id":"ěž日本e\u0301","owner":"$creator","token_uri":"ipfs://ě"}}`)
	cmd := explorer(t, "--db", dir)
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, cmd)
	screen.WaitFor("CLOCK", `\u011b`)
	for _, tab := range []string{"2", "3", "4", "5", "6", "1", "j", "w"} {
		screen.Type(tab)
	}
	screen.Type(ptytest.CtrlC)
	screen.WaitExit()
	for i, c := range []byte(screen.Raw()) {
		if c >= utf8.RuneSelf {
			t.Fatalf("byte %d is %x in %.80q", i, c, screen.Raw()[max(0, i-40):])
		}
	}
}
