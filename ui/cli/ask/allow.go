package ask

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
)

// allowedGain is one line of a file that lists what may be gained. An empty text means any.
type allowedGain struct {
	line  string // the line and where it is, for people
	kind  string
	who   cw721.Address
	of    cw721.Address // the giver of a grant
	token *string       // nil for any
	// until is the latest moment at which the grant may expire; nil for any moment, but
	// not never.
	until *cw721.Expiration
	// isUsed is set when the line has permitted a gain.
	isUsed bool
}

// readAllowed reads the file of --allow: each line permits somebody to gain something between
// the two states. A # begins a comment. It fails with a
// [*command.UsageError] for a line that cannot be read, and for an unknown name.
func (d *diff) readAllowed() error {
	if d.allowFile == "" {
		return nil
	}
	file, err := command.OpenFile(d.allowFile)
	if err != nil {
		return err
	}
	defer file.Close()

	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		words := explain.SplitWords(lines.Text())

		// Drop the comment, and skip an empty line.
		if end := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "#") }); end >= 0 {
			words = words[:end]
		}
		if len(words) == 0 {
			continue
		}
		gain, err := d.parseAllowed(fmt.Sprintf("%s:%d", d.allowFile, n), words)
		if err != nil {
			return err
		}
		d.allowed = append(d.allowed, gain)
	}
	return lines.Err()
}

// parseAllowed reads the words of a line: KIND WHO [TOKEN | of OWNER] [until MOMENT]. place
// is where the line is, such as "allow.txt:3".
func (d *diff) parseAllowed(place string, words explain.Words) (*allowedGain, error) {
	gain := &allowedGain{line: fmt.Sprintf("%s: %s", place, strings.Join(words, " "))}
	gain.kind = words.Next()
	isKnown := gain.kind == "*" || len(kindsNamed(gain.kind)) > 0
	if !isKnown || len(words) == 0 {
		return nil, command.UsageErrorf("%s, expected KIND WHO [TOKEN | of OWNER] [until MOMENT], with a KIND of %s", gain.line, strings.Join(kindWords(), ", "))
	}

	// Read the account, what the permission is about, and until when.
	var err error
	if gain.who, err = d.nextAccount(place, &words); err != nil {
		return nil, err
	}
	if err := d.parseScope(place, &words, gain); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return gain, nil
	}

	// What is left must be the moment.
	if words.Next() != "until" {
		return nil, command.UsageErrorf("%s, expected until MOMENT at the end", gain.line)
	}
	until, err := human.ParseExpiration(strings.Join(words, " "), d.Block)
	if err != nil {
		return nil, command.UsageErrorf("%s: %v", place, err)
	}
	gain.until = &until
	return gain, nil
}

// parseScope reads what a line permits access to: a TOKEN, all tokens "of OWNER", or "*",
// which is everything, like no word at all.
func (d *diff) parseScope(place string, words *explain.Words, gain *allowedGain) (err error) {
	if len(*words) == 0 || (*words)[0] == "until" {
		return nil
	}
	switch scope := words.Next(); scope {
	case "of":
		gain.of, err = d.nextAccount(place, words)
	case "*": // everything
	default:
		gain.token = &scope
	}
	return err
}

// nextAccount reads a name or an address; empty for *.
func (d *diff) nextAccount(place string, words *explain.Words) (cw721.Address, error) {
	who := words.Next()
	if who == "*" {
		return "", nil
	}
	return command.Resolve(d.After, place, who)
}

// isAllowed reports whether a line of --allow permits a gain, and marks these lines as used.
func (d *diff) isAllowed(gained explain.Permission) bool {
	isAllowed := false
	for _, gain := range d.allowed {
		if gain.permits(d.AccessComparison, gained) {
			gain.isUsed = true
			isAllowed = true
		}
	}
	return isAllowed
}

// permits reports whether the line permits a gain.
func (g *allowedGain) permits(c explain.AccessComparison, p explain.Permission) bool {
	isOtherKind := g.kind != "*" && !slices.Contains(kindsNamed(g.kind), explain.KindWord(p.Kind))
	isOtherAccount := g.who != "" && g.who != p.Who
	isOtherGiver := g.of != "" && g.of != p.Of
	isOtherToken := g.token != nil && *g.token != p.Token
	switch {
	case isOtherKind || isOtherAccount || isOtherGiver || isOtherToken:
		return false
	case g.until != nil:
		order, _ := c.CompareExpiries(p.Expires, *g.until)
		return order <= 0
	}
	isEndless := p.IsGrant() && p.Expires.Axis == cw721.Never
	return !isEndless
}
