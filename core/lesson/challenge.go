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

// IsChallenge reports whether a lesson is a challenge: its first task has a deed to do.
func (l Lesson) IsChallenge() bool { return l.Tasks[0].Challenge != nil }

// Score is how a challenge was solved.
type Score struct {
	// Messages is the number of messages that the learner needed, without undone ones.
	// Par is the number of messages of the shortest way.
	Messages, Par int
	// WrongNames counts the wrong names for a mistake. Messages has [WrongNameCost] for each.
	WrongNames int
	// Own and Shortest describe the messages of the learner's way and of the shortest.
	// Those of the shortest say by which rule the contract allows them.
	Own, Shortest []string
}

// Lines returns the score and both ways, a line each.
func (s *Score) Lines() []string {
	wrongNames := ""
	if s.WrongNames > 0 {
		wrongNames = fmt.Sprintf(", %d of them for %s", WrongNameCost*s.WrongNames, human.Plural(s.WrongNames, "wrong name"))
	}
	lines := []string{fmt.Sprintf("You needed %s%s; the shortest way has %d.", human.Plural(s.Messages, "message"), wrongNames, s.Par), "Your way:"}
	lines = append(lines, s.Own...)
	lines = append(lines, "The shortest way, and why it works:")
	return append(lines, s.Shortest...)
}

// checkChallenge evaluates the goals of a challenge: that the deed is done, that those who
// must send nothing sent nothing, and that the messages are not too many. sent has the
// messages that are not undone, newest first. If all goals are reached, the check has the
// score, for which checkChallenge searches the shortest way from the start of the task.
func (t *Task) checkChallenge(check *Check, v *chain.View, sent []history.Node) error {
	return v.At(t.state.startedAfter, func(start *chain.View) error {
		question, err := t.Challenge.Question(start)
		if err != nil {
			return err
		}
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

// challengeGoals returns the goals of a challenge, which asks a question of the form "can
// mallory transfer rose while alice sends nothing?". sent has the messages that are not
// undone, newest first.
func challengeGoals(v *chain.View, q reach.Question, sent []history.Node, isDone bool) []Goal {
	goals := []Goal{{Text: explain.Deed(v, q), Reached: isDone}}
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

	limit := Goal{Text: fmt.Sprintf("at most %s", human.Plural(q.Depth, "message")), Reached: len(sent) <= q.Depth}
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

// isOwned reports whether a question about owning has come true: the account that it names
// owns the token, and the clock has reached the block. It fails if the store fails.
func isOwned(v *chain.View, q reach.Question) (bool, error) {
	token, _, err := v.Token(q.Token)
	isEarly := q.After != nil && (v.Clock.Height < q.After.Height || v.Clock.Time < q.After.Time)
	return token.Owner == q.As && !isEarly, err
}

// hasDeed reports whether one of the messages does what a question is about. If the
// question says that the token must not move before, no other message may have moved it.
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

// isDeed reports whether a message of the history does what a question is about: the right
// sender sent it in one of the right blocks, and it was accepted. In a challenge height and
// time go up together, and both must have reached the block.
func isDeed(q reach.Question, node history.Node) bool {
	isEarly := q.After != nil && (node.Height < q.After.Height || node.Time < q.After.Time)
	isWrongSender := q.As != "" && node.Sender != q.As
	if isEarly || isWrongSender || node.Refusal != nil {
		return false
	}

	var want, got any
	act := cw721.Encode(q.Action.Message(q.Token, node.Sender))
	err := json.Unmarshal(act, &want)
	if err != nil || json.Unmarshal([]byte(node.Message), &got) != nil {
		return false
	}
	return hasMembers(got, want, q.Token)
}

// hasMembers reports whether a message has all members of an example. The values may
// differ, except for the ID of the token, unless tokenID is empty.
func hasMembers(got, example any, tokenID string) bool {
	members, isObject := example.(map[string]any)
	if !isObject {
		return true
	}
	gotMembers, isObject := got.(map[string]any)
	if !isObject {
		return false
	}
	for name, value := range members {
		gotValue, ok := gotMembers[name]
		isOtherToken := name == "token_id" && tokenID != "" && gotValue != tokenID
		if !ok || isOtherToken || !hasMembers(gotValue, value, tokenID) {
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
	shortest := answer.Ways[0]
	score := &Score{Messages: len(sent), Par: len(shortest)}
	var err error
	score.Own, err = describeMessages(start, sent)
	for i, step := range shortest {
		sends, allowedBy := explain.DescribeStep(start, answer, step)
		score.Shortest = append(score.Shortest, fmt.Sprintf("%d. At %s %s, allowed: %s", i+1, human.Thousands(uint64(step.Block.Height)), sends, allowedBy))
	}
	return score, err
}

// describeMessages describes messages of the history in a numbered line each, such as "1. At
// 1,100 alice sends {…}". sent has the newest first; the lines have the oldest first.
func describeMessages(v *chain.View, sent []history.Node) (lines []string, err error) {
	for i, node := range slices.Backward(sent) {
		text, err := v.WithNames(node.Message)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("%d. At %s %s sends %s", len(sent)-i, human.Thousands(uint64(node.Height)), v.DisplayName(node.Sender), text))
	}
	return lines, nil
}
