package lesson

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/reach"
)

// Challenges returns the built-in challenges in their order. A challenge is a lesson whose
// task has no steps, only something that somebody can bring about with few messages. It
// fails only if a built-in file is not valid, which a test rules out.
func Challenges() ([]Lesson, error) {
	all, err := builtInChallenges()
	return slices.Clone(all), err
}

// IsChallenge reports whether a lesson is a challenge: a task that asks for a deed, such as
// "mallory transfers rose", and gives no steps.
func (l Lesson) IsChallenge() bool { return l.Tasks[0].Challenge != nil }

// Score is how a challenge was solved.
type Score struct {
	// Messages is the number of messages that the learner needed. Messages of a challenge
	// that are undone do not count.
	Messages int
	// Par is the number of messages of the shortest way.
	Par int
	// WrongNames counts the wrong names that were given in "find the mistake". Messages
	// includes [WrongNameCost] for each of them.
	WrongNames int
	// Own describes the messages of the learner, a line each.
	Own []string
	// Shortest describes the messages of the shortest way, a line each. The lines say by
	// which rule the contract allows a message.
	Shortest []string
}

// Lines describes the score: how many messages were needed, then the learner's own way, then
// the shortest way.
func (s *Score) Lines() []string {
	needed := "You needed " + human.Plural(s.Messages, "message")
	if s.WrongNames > 0 {
		cost := WrongNameCost * s.WrongNames
		needed += fmt.Sprintf(", %d of them for %s", cost, human.Plural(s.WrongNames, "wrong name"))
	}
	needed += fmt.Sprintf("; the shortest way has %d.", s.Par)

	lines := []string{needed, "Your way:"}
	lines = append(lines, s.Own...)
	lines = append(lines, "The shortest way, and why it works:")
	return append(lines, s.Shortest...)
}

// checkChallenge evaluates the goals of a challenge, and adds them to check. sent has the
// messages that are not undone, newest first. If all goals are reached, checkChallenge also
// searches the shortest way from the start of the task, and adds the score.
func (t *Task) checkChallenge(check *Check, v *chain.View, sent []history.Node) error {
	return v.At(t.state.startedAfter, func(start *chain.View) error {
		question, err := t.Challenge.Question(start)
		if err != nil {
			return err
		}

		// A token can be owned without a message of its new owner, so the chain is asked.
		isDone := hasDeed(question, sent)
		if question.Action == cw721.OwnAction {
			isDone, err = isOwned(v, question)
		}
		if err != nil {
			return err
		}

		check.Goals = challengeGoals(v, question, sent, isDone)
		for _, goal := range check.Goals {
			check.Done = check.Done && goal.Reached
		}
		if !check.Done {
			return nil
		}

		answer, err := reach.Ask(context.Background(), start, question)
		if err != nil {
			return err
		}
		check.Score, err = newScore(start, answer, sent)
		return err
	})
}

// challengeGoals returns the goals of a challenge, whose question q is like "can mallory
// transfer rose while alice sends nothing?": the deed is done, only accounts that may send
// messages sent any, and the messages are not too many. isDone reports whether the deed is
// done. sent has the messages that are not undone, newest first.
func challengeGoals(v *chain.View, q reach.Question, sent []history.Node, isDone bool) []Goal {
	goals := []Goal{{Text: explain.Deed(v, q), Reached: isDone}}

	// These goals are about the accounts that sent something.
	if q.Only != nil {
		isOther := func(node history.Node) bool { return !slices.Contains(q.Only, node.Sender) }
		goals = append(goals, Goal{
			Text:    "nobody but " + accountNames(v, q.Only) + " sent anything",
			Reached: !slices.ContainsFunc(sent, isOther),
		})
	}
	if len(q.Passive) > 0 {
		isPassive := func(node history.Node) bool { return slices.Contains(q.Passive, node.Sender) }
		goals = append(goals, Goal{
			Text:    accountNames(v, q.Passive) + " sent nothing",
			Reached: !slices.ContainsFunc(sent, isPassive),
		})
	}

	// This goal is about the number of messages.
	limit := Goal{Text: "at most " + human.Plural(q.Depth, "message"), Reached: len(sent) <= q.Depth}
	if len(sent) > 0 {
		limit.Text += fmt.Sprintf(", %d so far", len(sent))
	}
	if !limit.Reached {
		limit.Instead = "undo gives them back"
	}
	return append(goals, limit)
}

// accountNames lists accounts by their names: "alice and bob".
func accountNames(v *chain.View, accounts []cw721.Address) string {
	names := make([]string, len(accounts))
	for i, account := range accounts {
		names[i] = v.DisplayName(account)
	}
	return strings.Join(names, " and ")
}

// isOwned reports whether the account of a question owns the token of the question, and the
// clock has reached the block that the question names. It fails if the store fails.
func isOwned(v *chain.View, q reach.Question) (bool, error) {
	token, _, err := v.Token(q.Token)
	isEarly := q.After != nil && (v.Clock.Height < q.After.Height || v.Clock.Time < q.After.Time)
	return token.Owner == q.As && !isEarly, err
}

// hasDeed reports whether one of the messages does what a question is about. If the question
// has the token unmoved until then, no other message may have transferred or burned it.
func hasDeed(q reach.Question, sent []history.Node) bool {
	isDone := false
	hasOtherMove := false
	for _, node := range sent {
		switch {
		case isDeed(q, node):
			isDone = true
		case movesToken(node, q.Token):
			hasOtherMove = true
		}
	}
	return isDone && !(q.Unmoved && hasOtherMove)
}

// movesToken reports whether a message transferred or burned a token.
func movesToken(node history.Node, tokenID string) bool {
	type move struct {
		TokenID string `json:"token_id"`
	}
	var message struct {
		Transfer *move `json:"transfer_nft"`
		Send     *move `json:"send_nft"`
		Burn     *move `json:"burn"`
	}
	if node.Refusal != nil || json.Unmarshal([]byte(node.Message), &message) != nil {
		return false
	}
	sent := cmp.Or(message.Transfer, message.Send, message.Burn)
	return sent != nil && sent.TokenID == tokenID
}

// isDeed reports whether a message of the history does what a question is about: it is the
// message of the question's action, from the right sender, in one of the right blocks, and it
// was accepted. Height and time must both have reached the question's block.
func isDeed(q reach.Question, node history.Node) bool {
	isEarly := q.After != nil && (node.Height < q.After.Height || node.Time < q.After.Time)
	isWrongSender := q.As != "" && node.Sender != q.As
	if isEarly || isWrongSender || node.Refusal != nil {
		return false
	}

	var example, message any
	exampleJSON := cw721.Encode(q.Action.Message(q.Token, node.Sender))
	err := json.Unmarshal(exampleJSON, &example)
	if err != nil || json.Unmarshal([]byte(node.Message), &message) != nil {
		return false
	}
	return hasMembers(message, example, q.Token)
}

// hasMembers reports whether a message, which is decoded JSON, has all members of an example
// message, at every depth. So {"burn":{"token_id":"tulip"}} has the members of
// {"burn":{"token_id":"rose"}}. The values may differ, except for the ID of the token, unless
// tokenID is empty.
func hasMembers(message, example any, tokenID string) bool {
	wanted, isObject := example.(map[string]any)
	if !isObject {
		return true
	}
	members, isObject := message.(map[string]any)
	if !isObject {
		return false
	}

	// Members that the example does not have may be there too.
	for name, exampleValue := range wanted {
		value, hasMember := members[name]
		isOtherToken := name == "token_id" && tokenID != "" && value != tokenID
		if !hasMember || isOtherToken || !hasMembers(value, exampleValue, tokenID) {
			return false
		}
	}
	return true
}

// newScore returns the score of a challenge that is solved. start shows the chain at the
// start of the task, answer has the shortest way, and sent the learner's messages, newest
// first.
func newScore(start *chain.View, answer reach.Answer, sent []history.Node) (*Score, error) {
	if len(answer.Ways) == 0 {
		return nil, fmt.Errorf("the challenge has no way that the search finds: %s", answer.Verdict)
	}
	own, err := describeMessages(start, sent)
	if err != nil {
		return nil, err
	}

	var shortest []string
	for i, step := range answer.Ways[0] {
		sends, allowedBy := explain.DescribeStep(start, answer, step)
		height := human.Thousands(uint64(step.Block.Height))
		shortest = append(shortest, fmt.Sprintf("%d. At %s %s, allowed: %s", i+1, height, sends, allowedBy))
	}
	return &Score{Messages: len(sent), Par: len(shortest), Own: own, Shortest: shortest}, nil
}

// describeMessages describes messages of the history in a numbered line each, such as "1. At
// 1,100 alice sends {…}". sent has the newest first; the lines have the oldest first.
func describeMessages(v *chain.View, sent []history.Node) (lines []string, err error) {
	for i, node := range slices.Backward(sent) {
		text, err := v.WithNames(node.Message)
		if err != nil {
			return nil, err
		}
		number := len(sent) - i
		height := human.Thousands(uint64(node.Height))
		lines = append(lines, fmt.Sprintf("%d. At %s %s sends %s", number, height, v.DisplayName(node.Sender), text))
	}
	return lines, nil
}
