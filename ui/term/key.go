package term

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// keyTypeByName maps the names by which key bindings name special keys, such as "enter"
// or "ctrl+d", to bubbletea's key types. Bubbletea has no such list, so the names of
// all its types, which are small numbers, are tried. Of several types with one name the
// first is taken.
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

// Key returns the key press that a binding names: "a", "enter", "ctrl+d". The explorer
// sends it when a key's name on the screen is clicked.
func Key(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if keyType, isSpecial := keyTypeByName[name]; isSpecial {
		return tea.KeyMsg{Type: keyType}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// Split returns a message of several letters as one message for each letter. Bubbletea
// puts letters that it reads at once, such as fast typing "jjj", into one message,
// which no binding matches; outside a text field each letter is a key. A paste is
// returned as it is, since outside a text field it is ignored.
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

// The bits of the modifiers of an extended key. Terminals send their sum plus one, so "2"
// is shift. The bit of num lock, 128, has no name since it changes no key here.
const (
	modShift = 1 << iota
	modAlt
	modCtrl
	modSuper
	modHyper
	modMeta
	modCapsLock
)

// releaseEvent is the event of a key that goes up. A press is 1, and a repeat is 2.
const releaseEvent = 3

// keypadKeys lists the keys of the keypad, whose codes in the kitty protocol are
// consecutive from firstKeypadCode on. An item of one character is what the key types.
// An item of two, such as "1D" or "5~", is the number and the last letter of the key's
// plain sequence.
var keypadKeys = strings.Split("0 1 2 3 4 5 6 7 8 9 . / * - + \r = , 1D 1C 1A 1B 5~ 6~ 1H 1F 2~ 3~", " ")

const firstKeypadCode = 57399

// escapeKey is what plainKey returns for the escape key. A bare ESC would not do:
// bubbletea takes it for the escape key only at the end of a read, and this may stand
// anywhere. Bubbletea reads escapeKey as alt with U+E000, a private character that no
// keyboard types, and [RestoreEscape] makes it the escape key again.
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

// plainKey returns the sequence that a terminal without extended keys sends for a key,
// and every other sequence unchanged. For example the extended ESC [ 97 ; 5 u, which is
// ctrl and the letter with code 97, becomes the byte 0x01, ctrl+a. The result is empty
// for what such a terminal does not send: a release, a modifier alone, a key with
// super. It is never longer than the sequence.
func plainKey(sequence string) string {
	groups := extendedKey.FindStringSubmatch(sequence)
	if groups == nil {
		return sequence
	}

	// The sequence consists of numbers with fixed places.
	var numbers [7]int // by group; 0 where it is missing
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(groups[i])
	}
	code := numbers[1]
	shifted := rune(numbers[2])
	english := rune(numbers[3])
	modifiers := max(numbers[4], 1) - 1 // terminals send 1 for none
	event := numbers[5]
	final := groups[7]

	if event == releaseEvent || modifiers&(modSuper|modHyper|modMeta) != 0 {
		return ""
	}

	// The two kinds of extended keys have the code of the key at different places.
	isModifyOtherKeys := final == "~" && code == 27 && groups[6] != ""
	if isModifyOtherKeys {
		code = numbers[6]
	} else if final != "u" {
		return plainSequence(groups[1]+final, modifiers)
	}

	// A key of the keypad types a character, or is one of the named keys.
	keypadIndex := code - firstKeypadCode
	isOnKeypad := keypadIndex >= 0 && keypadIndex < len(keypadKeys)
	if isOnKeypad {
		plain := keypadKeys[keypadIndex]
		if len(plain) > 1 {
			return plainSequence(plain, modifiers)
		}
		code = int(plain[0])
	}
	return plainCharacter(rune(code), shifted, english, modifiers)
}

// plainSequence returns the plain sequence of a key that types nothing, such as an
// arrow. key is the number, which may be missing, and the last letter of the sequence:
// "1D" or "D" is the left arrow, "5~" is page up. The modifiers shift, alt and ctrl are
// kept, and all others dropped.
func plainSequence(key string, modifiers int) string {
	number := key[:len(key)-1]
	final := key[len(key)-1:]
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

// plainCharacter returns the bytes that a terminal without extended keys sends for a
// key that types a character. code is the character without modifiers, shifted the one
// with shift, and english the one that the key has on an English keyboard; shifted and
// english are 0 where the terminal does not send them. The result is empty for a key
// that types nothing.
func plainCharacter(code, shifted, english rune, modifiers int) string {
	if english != 0 && modifiers&(modCtrl|modAlt) != 0 {
		code = english // so that ctrl+c is the same key on a Greek or a Russian keyboard
		shifted = 0
	}

	// Apply the modifiers to the character.
	hasControlCode := code == ' ' || code >= '@' && code <= '~'

	switch {
	case code == '\t' && modifiers&modShift != 0:
		return "\x1b[Z"
	case strings.ContainsRune("\x1b\r\t\b\x7f", code): // sent as they are
	case modifiers&modCtrl != 0 && hasControlCode:
		code &= 0x1f // ctrl+a is 0x01
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
