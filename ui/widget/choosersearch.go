package widget

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sahilm/fuzzy"
)

// search finds the items that match the search text, which are all if it is empty. A cursor
// behind the last match moves to it.
func (c *Chooser) search() {
	c.matches = nil
	if pattern := strings.TrimSpace(c.query.Value()); pattern != "" {
		c.findAll(pattern)
	} else {
		for i := range c.items {
			c.add(i, 0)
		}
	}
	slices.SortStableFunc(c.matches, func(a, b match) int { return a.rank - b.rank })
	c.cursor = clamp(c.cursor, 0, max(0, len(c.matches)-1))
}

// add adds the item with an index to the matches, behind those with a lower rank. A disabled
// item comes behind all others.
func (c *Chooser) add(index, rank int) {
	if c.items[index].Disabled {
		rank += 1 << 20
	}
	c.matches = append(c.matches, match{itemIndex: index, rank: rank})
}

// findAll adds the items that match a pattern. The best is an item with the pattern as a keyword,
// then comes one whose title or keyword starts with it, then one that has each of its words in
// its title or its keywords, then one that needs its detail for that. If there is none, it adds
// the items that have some of the words, or else those whose title, or else whose detail,
// contains the letters of the pattern: "trt" finds "Transfer this token".
func (c *Chooser) findAll(pattern string) {
	pattern = strings.ToLower(pattern)
	patternWords := wordsOf(pattern)
	var titles, details []string
	for i, item := range c.items {
		title, detail := Safe(item.Title), Safe(item.Detail)
		titles = append(titles, title)
		details = append(details, detail)

		phrases := strings.Split(item.Keywords, ", ")
		words := wordsOf(title + " " + item.Keywords)
		rank := 0
		switch {
		case slices.Contains(phrases, pattern):
		case slices.ContainsFunc(append(phrases, strings.ToLower(title)), func(phrase string) bool {
			return strings.HasPrefix(phrase, pattern)
		}):
			rank = 1
		case haveWords(words, patternWords):
			rank = 2
		case haveWords(append(words, wordsOf(detail)...), patternWords):
			rank = 3
		default:
			continue
		}
		c.add(i, rank)
	}

	if len(c.matches) > 0 {
		return
	}

	// If no item has each word, look for those with most of them. Short words such as "my" say
	// little.
	for i, item := range c.items {
		words := wordsOf(titles[i] + " " + item.Keywords)
		rank := 0
		for _, word := range patternWords {
			if len(word) > 2 && haveWords(words, []string{word}) {
				rank--
			}
		}
		if rank < 0 {
			c.add(i, rank)
		}
	}
	if len(c.matches) > 0 {
		return
	}
	letters := fuzzy.Find(pattern, titles)
	if len(letters) == 0 {
		letters = fuzzy.Find(pattern, details)
	}
	for rank, item := range letters {
		c.add(item.Index, rank)
	}
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
}

// wordEndings make another form of a word of it.
var wordEndings = []string{"s", "es", "d", "ed", "ing"}

// haveWords reports whether each wanted word is the beginning of a word, or a form of a word, such
// as "expires" of "expire". It is false without wanted words.
func haveWords(words, wanted []string) bool {
	for _, want := range wanted {
		isMeant := func(word string) bool {
			ending, isLonger := strings.CutPrefix(want, word)
			return strings.HasPrefix(word, want) || isLonger && slices.Contains(wordEndings, ending)
		}
		if !slices.ContainsFunc(words, isMeant) {
			return false
		}
	}
	return len(wanted) > 0
}
