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

// allowedGain is one line of the file of --allow, which permits somebody to gain something
// between the two states.
type allowedGain struct {
	line   string        // the line and where it is: "allow.txt:3: approval bob ape-1"
	kind   string        // the kind of permission; * for any
	gainer cw721.Address // who may gain it; empty for anybody
	giver  cw721.Address // the account that gave a grant; empty for anybody
	token  *string       // the id of the token; nil for any
	// until is the latest moment at which the grant may expire. nil means any moment, but not
	// that the grant never expires.
	until  *cw721.Expiration
	isUsed bool // the line has permitted a gain
}

// readAllowFile reads the file of --allow, if there is one. A word that begins with # begins a
// comment. It fails with a [*command.UsageError] for a line that cannot be read, and for an
// unknown name.
func (d *diff) readAllowFile() error {
	if d.allowFile == "" {
		return nil
	}
	file, err := command.OpenFile(d.allowFile)
	if err != nil {
		return err
	}
	defer file.Close()

	lines := bufio.NewScanner(file)
	for lineNumber := 1; lines.Scan(); lineNumber++ {
		words := explain.SplitWords(lines.Text())
		commentStart := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "#") })
		if commentStart >= 0 {
			words = words[:commentStart]
		}
		if len(words) == 0 {
			continue
		}

		position := fmt.Sprintf("%s:%d", d.allowFile, lineNumber)
		gain, err := d.parseAllowLine(position, words)
		if err != nil {
			return err
		}
		d.allowedGains = append(d.allowedGains, gain)
	}
	return lines.Err()
}

// parseAllowLine parses the words of a line: KIND WHO [TOKEN | of OWNER] [until MOMENT].
// position is where the line is, such as "allow.txt:3". Without words for what the permission
// is about, or with *, the line permits everything.
func (d *diff) parseAllowLine(position string, words explain.Words) (*allowedGain, error) {
	gain := &allowedGain{line: fmt.Sprintf("%s: %s", position, strings.Join(words, " "))}

	// Read the kind.
	gain.kind = words.TakeNext()
	if gain.kind != "*" && len(kindsNamed(gain.kind)) == 0 || len(words) == 0 {
		return nil, command.UsageErrorf(
			"%s, expected KIND WHO [TOKEN | of OWNER] [until MOMENT], with a KIND of %s",
			gain.line,
			command.JoinNames(kindWords()),
		)
	}

	// Read the account, and what the permission is about.
	var err error
	gain.gainer, err = d.nextAccount(position, &words)
	if err != nil {
		return nil, err
	}
	if len(words) > 0 && words[0] != "until" {
		switch scope := words.TakeNext(); scope {
		case "of":
			gain.giver, err = d.nextAccount(position, &words)
		case "*": // everything, so nothing is to be set
		default:
			gain.token = &scope
		}
	}
	if err != nil || len(words) == 0 {
		return gain, err
	}

	// The remaining words must be "until" and the moment.
	if words.TakeNext() != "until" {
		return nil, command.UsageErrorf("%s, expected until MOMENT at the end", gain.line)
	}
	until, err := human.ParseExpiration(strings.Join(words, " "), d.Block)
	if err != nil {
		return nil, command.UsageErrorf("%s: %v", position, err)
	}
	gain.until = &until
	return gain, nil
}

// nextAccount returns the address of the account that the next word names, or "" for *.
func (d *diff) nextAccount(position string, words *explain.Words) (cw721.Address, error) {
	who := words.TakeNext()
	if who == "*" {
		return "", nil
	}
	return command.Resolve(d.AfterView, position, who)
}

// permitGain reports whether a line of --allow permits a gain, and marks all that do as used.
func (d *diff) permitGain(gained explain.Permission) bool {
	isPermitted := false
	for _, line := range d.allowedGains {
		if line.permits(d.AccessComparison, gained) {
			line.isUsed = true
			isPermitted = true
		}
	}
	return isPermitted
}

// permits reports whether the line permits a gain. comparison compares its expiry with the
// moment in the line.
func (g *allowedGain) permits(comparison explain.AccessComparison, gained explain.Permission) bool {
	kind := explain.KindWord(gained.Kind)
	isOtherKind := g.kind != "*" && !slices.Contains(kindsNamed(g.kind), kind)
	isOtherAccount := g.gainer != "" && g.gainer != gained.Holder
	isOtherGiver := g.giver != "" && g.giver != gained.Giver
	isOtherToken := g.token != nil && *g.token != gained.Token
	if isOtherKind || isOtherAccount || isOtherGiver || isOtherToken {
		return false
	}

	// A grant must expire, at the moment of the line or earlier.
	if g.until != nil {
		order, _ := comparison.CompareExpiries(gained.Expires, *g.until)
		return order <= 0
	}
	return !gained.IsGrant() || gained.Expires.Axis != cw721.Never
}
