package term

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// keyTypeByName maps the names of special keys, such as "enter" or "ctrl+d", to bubbletea's
// key types. Bubbletea has no such list, but its types are small numbers with names. If
// several have the same name, the first counts.
var keyTypeByName = func() map[string]tea.KeyType {
	types := map[string]tea.KeyType{}
	for keyType := tea.KeyType(-128); keyType < 128; keyType++ {
		name := tea.Key{Type: keyType}.String()
		_, isTaken := types[name]
		if name != "" && !isTaken && keyType != tea.KeyRunes {
			types[name] = keyType
		}
	}
	return types
}()

// Key returns the key press for the name of a key, such as "a", "enter" or "ctrl+d". The
// explorer sends it when the user clicks on the name of a key.
func Key(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if keyType, isSpecial := keyTypeByName[name]; isSpecial {
		return tea.KeyMsg{Type: keyType}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// Split splits a message of several letters into one message for each letter, but not a pasted
// text. Bubbletea puts letters that it reads at once, such as "jjj" from fast typing, into one
// message, which matches no key binding.
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

// extendedKey matches a key in one of the forms that contain modifiers, such as ctrl. Its
// groups are:
//
//  1. the code of the key
//  2. the character that the key types with shift
//  3. the character of the key at the same place of an English keyboard
//  4. the modifiers plus one
//  5. the event
//  6. the last parameter
//  7. the final letter
//
// The forms are:
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

// keypadKeys lists the keys of the keypad in the order of their codes. An item of one character
// is what the key types. An item of two, such as "1D" or "5~", is for a key that types nothing:
// its number and its final letter, as [plainSequence] takes them.
var keypadKeys = strings.Split("0 1 2 3 4 5 6 7 8 9 . / * - + \r = , 1D 1C 1A 1B 5~ 6~ 1H 1F 2~ 3~", " ")

// firstKeypadCode is the code of the first of keypadKeys in the kitty protocol.
const firstKeypadCode = 57399

// escapeKey is what plainKey returns for the escape key, because bubbletea recognises ESC alone
// only at the end of a read. Bubbletea reads escapeKey as alt with U+E000, a private character
// that no keyboard types, and [RestoreEscape] makes the escape key of it again.
const escapeKey = "\x1b\ue000"

// RestoreEscape returns the escape key for the message that bubbletea makes of escapeKey, and
// every other message unchanged. A program that reads from an [Input] needs it.
func RestoreEscape(msg tea.Msg) tea.Msg {
	if key, ok := msg.(tea.KeyMsg); ok && key.String() == "alt+\ue000" {
		return tea.KeyMsg{Type: tea.KeyEsc}
	}
	return msg
}

// plainKey converts an extended key to the sequence that a terminal without extended keys
// sends for the same key. For example, ESC [ 97 ; 5 u is ctrl and the letter with code 97,
// and becomes the byte 0x01, which is ctrl+a. plainKey returns every other sequence
// unchanged.
//
// The result is empty for the release of a key, for a modifier alone, and for a key with super.
// It is never longer than the sequence.
func plainKey(sequence string) string {
	groups := extendedKey.FindStringSubmatch(sequence)
	if groups == nil {
		return sequence
	}

	var numbers [7]int // by the number of the group; 0 for a missing number
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(groups[i])
	}
	code := numbers[1]
	shifted := rune(numbers[2])
	english := rune(numbers[3])
	modifiers := max(numbers[4], 1) - 1 // terminals send 1 for none
	event := numbers[5]
	final := groups[7]

	if event == 3 || modifiers&(modSuper|modHyper|modMeta) != 0 { // 3 is the release of a key
		return ""
	}

	// In the form modifyOtherKeys, the code of the key is in the last parameter.
	isModifyOtherKeys := final == "~" && code == 27 && groups[6] != ""
	if final != "u" && !isModifyOtherKeys { // a key that types nothing
		return plainSequence(groups[1]+final, modifiers)
	}
	if isModifyOtherKeys {
		code = numbers[6]
	}

	// A key of the keypad types a character, or is one of the named keys.
	keypadIndex := code - firstKeypadCode
	if keypadIndex >= 0 && keypadIndex < len(keypadKeys) {
		plain := keypadKeys[keypadIndex]
		if len(plain) > 1 {
			return plainSequence(plain, modifiers)
		}
		code = int(plain[0])
	}
	return plainCharacter(rune(code), shifted, english, modifiers)
}

// plainSequence returns the plain sequence of a key that types nothing, with shift, alt and ctrl.
// key consists of the number of the key, which may be missing, and the final letter of the
// sequence: "1D" or "D" is the left arrow, and "5~" is page up.
func plainSequence(key string, modifiers int) string {
	number := key[:len(key)-1]
	finalLetter := key[len(key)-1:]
	modifiers &= modShift | modAlt | modCtrl
	switch {
	case modifiers != 0:
		return fmt.Sprintf("\x1b[%s;%d%s", number, modifiers+1, finalLetter)
	case strings.Contains("PQRS", finalLetter):
		return "\x1bO" + finalLetter
	case finalLetter == "~":
		return "\x1b[" + key
	}
	return "\x1b[" + finalLetter
}

// plainCharacter returns the bytes that a terminal without extended keys sends for a
// key that types a character, or "" for one that types nothing. code is the character without
// modifiers, shiftedCode the one with shift, and englishCode that of the same key on an English
// keyboard. The last two are 0 if the terminal does not send them.
func plainCharacter(code, shiftedCode, englishCode rune, modifiers int) string {
	hasShift := modifiers&modShift != 0
	hasAlt := modifiers&modAlt != 0
	hasCtrl := modifiers&modCtrl != 0

	// With ctrl or alt the English keyboard counts, so that ctrl+c is the same key on a Greek
	// or a Russian keyboard.
	if englishCode != 0 && (hasCtrl || hasAlt) {
		code = englishCode
		shiftedCode = 0
	}

	// Apply the modifiers except for alt to the character.
	hasControlCode := code == ' ' || code >= '@' && code <= '~'
	isUnchanged := strings.ContainsRune("\x1b\r\t\b\x7f", code) // no modifier changes it
	switch {
	case code == '\t' && hasShift:
		return "\x1b[Z"
	case isUnchanged: // the code stays as it is
	case hasCtrl && hasControlCode:
		code &= 0x1f // ctrl+a is 0x01
	case !unicode.IsPrint(code) || hasCtrl:
		return ""
	case hasShift && shiftedCode != 0:
		code = shiftedCode
	case hasShift || modifiers&modCapsLock != 0:
		code = unicode.ToUpper(code)
	}

	if hasAlt {
		return "\x1b" + string(code)
	}
	if code == '\x1b' {
		return escapeKey
	}
	return string(code)
}
