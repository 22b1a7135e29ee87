package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/term/ptytest"
)

// What a token can be called that a terminal would act on: a colour, the same in
// C1, a line that is written over, an order that is turned round, and more.
const hostileID = "ape\x1b[31m\u009b31m\u0085\x7f\u2028\u2029\u202e\u2066\u200f\u061c日本"

func TestNothingThatATerminalActsOnIsPrinted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	id, _ := json.Marshal(hostileID)
	runs(t, "--db", dir, "exec", "--as", "creator", `{"mint":{"token_id":`+string(id)+`,"owner":"$creator"}}`)
	story := filepath.Join(t.TempDir(), "story.yaml")
	runs(t, "--db", dir, "record", story)
	recorded := chaintest.Must(os.ReadFile(story))(t)
	for _, args := range [][]string{
		{"query", `{"all_tokens":{}}`}, {"query", `{"all_nft_info":{"token_id":` + string(id) + `}}`}, {"history"}, {"history", "--json"},
		{"why", "--as", "creator", "transfer", hostileID}, {"why", "--as", "creator", "transfer", hostileID, "--json"},
		{"why", hostileID}, {"why", hostileID, "--json"}, {"exec", "--dry-run", "--as", "creator", `{"burn":{"token_id":` + string(id) + `}}`},
		{"exec", "--as", "creator", `{"burn":{"token_id":"` + "\u009b" + `"}}`}, {"why", "--as", "\u009bx", "mint"}, {"run", story}, {"export"},
	} {
		_, out, said := inside(t, append([]string{"--db", dir}, args...)...)
		for what, text := range map[string]string{"stdout": out, "stderr": said, "record": string(recorded)} {
			if bad := acts(text); bad != "" {
				t.Errorf("%v: %s has %q in %.200q", args, what, bad, text)
			}
		}
	}
	// Any program reads the same.
	var answer struct{ Tokens []string }
	_, out, _ := ephemera(t, "--db", dir, "query", `{"all_tokens":{}}`)
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Tokens) != 2 || answer.Tokens[0] != hostileID && answer.Tokens[1] != hostileID {
		t.Errorf("%q is read as %q, %v", out, answer.Tokens, err)
	}
	if out := runs(t, "run", story); !strings.Contains(out, "ok") {
		t.Errorf("the record plays as %q", out)
	}
}

// acts gives the first character that a terminal could act on.
func acts(text string) string {
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || strings.ContainsRune("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c", r) || r == utf8.RuneError {
			return string(r)
		}
	}
	return ""
}

// Where the locale is not UTF-8, the second byte of a letter can be a control
// character.
func TestInALocaleThatIsNotUTF8TheExplorerWritesASCIIAlone(t *testing.T) {
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
