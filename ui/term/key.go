package term

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// keyTypeByName has the keys that are not letters, by the names that bindings use.
var keyTypeByName = func() map[string]tea.KeyType {
	names := map[string]tea.KeyType{}
	for t := tea.KeyType(-128); t < 128; t++ {
		name := tea.Key{Type: t}.String()
		if _, taken := names[name]; name != "" && !taken && t != tea.KeyRunes {
			names[name] = t
		}
	}
	return names
}()

// Key returns the key press that a binding names: "a", "enter", "ctrl+d". A click on the name
// of a key sends it.
func Key(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if t, ok := keyTypeByName[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// Split returns a message of several letters as one message for each. Keys that are read at
// once come as one message, which no binding matches; outside a text field each letter is
// a key. A paste stays whole: outside a field it is ignored.
func Split(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Paste || msg.Type != tea.KeyRunes || len(msg.Runes) < 2 {
		return []tea.KeyMsg{msg}
	}
	keys := make([]tea.KeyMsg, len(msg.Runes))
	for i, r := range msg.Runes {
		keys[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
	}
	return keys
}

// extendedKey matches a key in one of the forms that carry modifiers. Its groups
// are the code, the character with shift, the key in the same place of an English
// keyboard, the modifiers plus one, the event, the last parameter, and the letter.
//
//	ESC [ code:shifted:english ; modifiers:event ; text u    CSI-u, the kitty protocol
//	ESC [ 27 ; modifiers ; code ~                            modifyOtherKeys
//	ESC [ number ; modifiers:event ~                         keys that type nothing
//	ESC [ 1 ; modifiers:event A                              the same, A to S
var extendedKey = regexp.MustCompile(`^\x1b\[(\d*)(?::(\d*))?(?::(\d*))?(?:;(\d*)(?::(\d*))?)?(?:;([\d:]*))?([ABCDFHPQRSu~])$`)

// The bits of the modifiers. Num lock, 128, has no effect on a key here.
const (
	modShift = 1 << iota
	modAlt
	modCtrl
	modSuper
	modHyper
	modMeta
	modCapsLock
)

// releaseEvent is the event of a key that goes up. A press is 1, a repeat 2.
const releaseEvent = 3

// keypadKeys lists the keys of the keypad from kitty's code 57399 on. Two characters
// are the number and the letter of a sequence.
var keypadKeys = strings.Split("0 1 2 3 4 5 6 7 8 9 . / * - + \r = , 1D 1C 1A 1B 5~ 6~ 1H 1F 2~ 3~", " ")

const firstKeypadCode = 57399

// escapeKey is what plainKey returns for the escape key. Bubbletea recognises ESC
// only at the end of a read; this may stand anywhere. U+E000 is private, and no
// keyboard types it.
const escapeKey = "\x1b\ue000"

// RestoreEscape returns the escape key for the message that bubbletea makes of
// escapeKey, and every other message unchanged. A program that reads from an
// [Input] passes its messages through it.
func RestoreEscape(msg tea.Msg) tea.Msg {
	if key, ok := msg.(tea.KeyMsg); ok && key.String() == "alt+\ue000" {
		return tea.KeyMsg{Type: tea.KeyEsc}
	}
	return msg
}

// plainKey returns what a terminal without extended keys sends for a key, and
// every other sequence unchanged. The result is empty for what such a terminal
// does not send: a release, a modifier alone, a key with super. It is never
// longer than the sequence.
func plainKey(sequence string) string {
	groups := extendedKey.FindStringSubmatch(sequence)
	if groups == nil {
		return sequence
	}

	var numbers [7]int // by group; 0 where it is missing
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(groups[i])
	}
	code := numbers[1]
	modifiers := max(numbers[4], 1) - 1
	final := groups[7]

	switch {
	case numbers[5] == releaseEvent || modifiers&(modSuper|modHyper|modMeta) != 0:
		return ""
	case final == "~" && code == '\x1b' && groups[6] != "":
		code = numbers[6]
	case final != "u":
		return plainSequence(groups[1]+final, modifiers)
	}

	if i := code - firstKeypadCode; i >= 0 && i < len(keypadKeys) {
		if len(keypadKeys[i]) > 1 {
			return plainSequence(keypadKeys[i], modifiers)
		}
		code = int(keypadKeys[i][0])
	}
	return plainCharacter(rune(code), rune(numbers[2]), rune(numbers[3]), modifiers)
}

// plainSequence returns the sequence of a key that types nothing, given its number
// and letter.
func plainSequence(key string, modifiers int) string {
	number, final := key[:len(key)-1], key[len(key)-1:]
	modifiers &= modShift | modAlt | modCtrl
	switch {
	case modifiers != 0:
		return fmt.Sprintf("\x1b[%s;%d%s", number, modifiers+1, final)
	case strings.Contains("PQRS", final):
		return "\x1bO" + final
	case final == "~":
		return "\x1b[" + key
	}
	return "\x1b[" + final
}

// plainCharacter returns what a key types. shifted and english are 0 where the
// terminal does not send them.
func plainCharacter(code, shifted, english rune, modifiers int) string {
	if english != 0 && modifiers&(modCtrl|modAlt) != 0 {
		code = english
		shifted = 0
	}

	switch {
	case code == '\t' && modifiers&modShift != 0:
		return "\x1b[Z"
	case strings.ContainsRune("\x1b\r\t\b\x7f", code):
	case modifiers&modCtrl != 0 && (code == ' ' || code >= '@' && code <= '~'):
		code &= 0x1f
	case !unicode.IsPrint(code) || modifiers&modCtrl != 0:
		return ""
	case modifiers&modShift != 0 && shifted != 0:
		code = shifted
	case modifiers&(modShift|modCapsLock) != 0:
		code = unicode.ToUpper(code)
	}

	switch {
	case modifiers&modAlt != 0:
		return "\x1b" + string(code)
	case code == '\x1b':
		return escapeKey
	}
	return string(code)
}
