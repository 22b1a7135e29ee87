package lesson

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/scenario"
)

// Giveaways returns a warning for each place that gives the answer to a question away: a
// story, title or subtitle with the words of the right answer, and a story that says "try to"
// about a message that is refused. They are warnings and not faults, because short answers
// can match by coincidence.
func (l Lesson) Giveaways() (warnings []string) {
	for i, task := range l.Tasks {
		if task.Ask == nil {
			continue
		}
		if containsOnlyAnswer(task.Story, task.Ask) {
			warnings = append(warnings, fmt.Sprintf(
				"task %d: the story contains the answer %q and no other choice", i+1, task.Ask.Answer))
		}
		if containsOnlyAnswer(l.Title+" "+l.About, task.Ask) {
			warnings = append(warnings, fmt.Sprintf(
				"task %d: the title contains the answer %q and no other choice", i+1, task.Ask.Answer))
		}

		saysTry := strings.Contains(strings.ToLower(task.Story), "try to ")
		if saysTry && slices.ContainsFunc(task.Solution, mustBeRefused) {
			warnings = append(warnings, fmt.Sprintf(
				`task %d: "try to" reveals that a message is refused, expected a story that says "send"`, i+1))
		}
	}
	return warnings
}

// containsOnlyAnswer reports whether a text has all distinctive words of the right answer, and
// of no other choice half of them or more; see [shareOfWords].
func containsOnlyAnswer(text string, question *scenario.Ask) bool {
	choices := question.Choices.Texts()
	if shareOfWords(text, question.Answer, choices) < 1 {
		return false
	}
	return !slices.ContainsFunc(choices, func(choice string) bool {
		return choice != question.Answer && shareOfWords(text, choice, choices) >= 0.5
	})
}

// shareOfWords returns the share of a choice's distinctive words that are in a text, from 0
// to 1. A word is distinctive if no other choice has it. For example, the choices "alice
// owns it" and "bob owns it" have the distinctive words "alice" and "bob". The share is 0
// for a choice without distinctive words.
func shareOfWords(text, choice string, choices []string) float64 {
	textWords := splitWords(text)
	distinctiveCount := 0
	foundCount := 0
	for _, word := range splitWords(choice) {
		isShared := slices.ContainsFunc(choices, func(other string) bool {
			return other != choice && slices.Contains(splitWords(other), word)
		})
		if isShared {
			continue
		}
		distinctiveCount++
		if slices.Contains(textWords, word) {
			foundCount++
		}
	}

	// The divisor must not be 0.
	return float64(foundCount) / float64(max(distinctiveCount, 1))
}

// splitWords returns the words of a text in lower case, without punctuation and without the
// 's of a possessive: "Alice's rose." has the words "alice" and "rose".
func splitWords(text string) []string {
	withoutMarks := strings.NewReplacer("'s", "", "\"", " ").Replace(strings.ToLower(text))
	words := strings.Fields(withoutMarks)
	for i, word := range words {
		words[i] = strings.Trim(word, ",.:;?")
	}
	return words
}
