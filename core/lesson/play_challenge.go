package lesson

import (
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
	"ephemera/core/whocan"
)

// checkChallenge adds the goals of a challenge to check. If all are reached, it searches for
// the shortest solution from the start of the task, and adds the score. sent has the messages
// that are not undone, newest first.
func (t *Task) checkChallenge(check *Check, view *chain.View, sent []history.Node) error {
	return view.At(t.state.startedAfter, func(start *chain.View) error {
		question, err := t.Challenge.Resolve(start)
		if err != nil {
			return err
		}

		isDone, err := isActionDone(view, question, sent)
		if err != nil {
			return err
		}
		check.Goals = challengeGoals(view, question, sent, isDone)
		if len(check.Missing()) > 0 {
			return nil
		}

		answer, err := whocan.Ask(context.Background(), start, question)
		if err != nil {
			return err
		}
		check.Score, err = newScore(start, answer, sent)
		return err
	})
}

// challengeGoals returns the goals of a challenge: the action is done, as isDone says, nobody
// sent a message who must not, and there were not too many messages. sent has the messages
// that are not undone.
func challengeGoals(view *chain.View, question whocan.Question, sent []history.Node, isDone bool) []Goal {
	goals := []Goal{{Text: explain.DescribeGoal(view, question), Reached: isDone}}

	if question.OnlySenders != nil {
		goals = append(goals, Goal{
			Text: "nobody but " + strings.Join(view.DisplayNames(question.OnlySenders), " and ") + " sent anything",
			Reached: !slices.ContainsFunc(sent, func(node history.Node) bool {
				return !slices.Contains(question.OnlySenders, node.Sender)
			}),
		})
	}
	if len(question.PassiveAccounts) > 0 {
		goals = append(goals, Goal{
			Text: strings.Join(view.DisplayNames(question.PassiveAccounts), " and ") + " sent nothing",
			Reached: !slices.ContainsFunc(sent, func(node history.Node) bool {
				return slices.Contains(question.PassiveAccounts, node.Sender)
			}),
		})
	}

	limitGoal := Goal{
		Text:    "at most " + human.Plural(question.Depth, "message"),
		Reached: len(sent) <= question.Depth,
	}
	if len(sent) > 0 {
		limitGoal.Text += fmt.Sprintf(", %d so far", len(sent))
	}
	if !limitGoal.Reached {
		limitGoal.Instead = "undo gives them back"
	}
	return append(goals, limitGoal)
}

// isActionDone reports whether one of the messages in sent does what a question asks for. If
// the token must stay until then, no other message may have moved it. The new owner of a token
// need not send a message, so a question about owning one is about the present state.
func isActionDone(view *chain.View, question whocan.Question, sent []history.Node) (bool, error) {
	if question.Action.Name == cw721.OwnAction.Name {
		token, _, err := view.Token(question.Token) // without such a token the owner is empty
		return token.Owner == question.Actor && !isBefore(view.Clock.Block(), question.After), err
	}

	isDone := false
	hasOtherMove := false
	for _, node := range sent {
		switch {
		case fulfilsQuestion(question, node):
			isDone = true
		case movesToken(view.Contract(), node, question.Token):
			hasOtherMove = true
		}
	}
	if question.TokenMustStay && hasOtherMove {
		return false, nil
	}
	return isDone, nil
}

// isBefore reports whether the height or the time of a block is before that of earliest, which
// can be nil.
func isBefore(block cw721.Block, earliest *cw721.Block) bool {
	return earliest != nil && (block.Height < earliest.Height || block.Time < earliest.Time)
}

// movesToken reports whether a message of the history transferred, sent or burned a token.
func movesToken(contract cw721.Contract, node history.Node, tokenID string) bool {
	msg, _, err := contract.DecodeExecute([]byte(node.Message), nil)
	if err != nil || node.Refusal != nil {
		return false
	}
	switch msg.(type) {
	case *cw721.TransferNft, *cw721.SendNft, *cw721.Burn:
		return *cw721.TokenOf(msg) == tokenID
	}
	return false
}

// fulfilsQuestion reports whether the contract accepted a message of the history that does what
// a question asks for.
func fulfilsQuestion(question whocan.Question, node history.Node) bool {
	isWrongSender := question.Actor != "" && node.Sender != question.Actor
	if isWrongSender || node.Refusal != nil || isBefore(node.Block(), question.After) {
		return false
	}

	// Compare the message with an example that does what the question asks for.
	var example, message any
	exampleJSON := cw721.Encode(question.Action.Message(question.Token, node.Sender))
	err := json.Unmarshal(exampleJSON, &example)
	if err != nil || json.Unmarshal([]byte(node.Message), &message) != nil {
		return false
	}
	return hasMembers(message, example, question.Token)
}

// hasMembers reports whether a message has all members of an example message, at every
// depth. Both are decoded JSON. The message may have further members and other values, but
// each "token_id" must be tokenID, unless that is empty.
func hasMembers(message, example any, tokenID string) bool {
	exampleMembers, isObject := example.(map[string]any)
	if !isObject {
		return true
	}
	messageMembers, hasMessageMembers := message.(map[string]any)
	if !hasMessageMembers {
		return false
	}

	for name, exampleValue := range exampleMembers {
		value, hasMember := messageMembers[name]
		isOtherToken := name == "token_id" && tokenID != "" && value != tokenID
		if !hasMember || isOtherToken || !hasMembers(value, exampleValue, tokenID) {
			return false
		}
	}
	return true
}

// newScore returns the score of a challenge that is solved. start is the chain at the start of
// the task. sent has the newest message first.
func newScore(start *chain.View, answer whocan.Answer, sent []history.Node) (*Score, error) {
	if len(answer.Ways) == 0 {
		return nil, fmt.Errorf("the challenge has no way that the search finds: %s", answer.Verdict)
	}
	ownLines, err := describeSentMessages(start, sent)
	if err != nil {
		return nil, err
	}

	// The first solution in the answer is a shortest one.
	var shortestLines []string
	for i, step := range answer.Ways[0] {
		senderAndMessage, allowedBy := explain.DescribeStep(start, answer, step)
		height := human.Thousands(uint64(step.Block.Height))
		line := fmt.Sprintf("%d. At %s %s, allowed: %s", i+1, height, senderAndMessage, allowedBy)
		shortestLines = append(shortestLines, line)
	}
	return &Score{
		Messages:      len(sent),
		Par:           len(shortestLines),
		OwnLines:      ownLines,
		ShortestLines: shortestLines,
	}, nil
}

// describeSentMessages describes each message in a numbered line with its height, such as "1.
// At 1,100 alice sends {…}". sent has the newest message first, and the lines the oldest.
func describeSentMessages(view *chain.View, sent []history.Node) (lines []string, err error) {
	for i, node := range slices.Backward(sent) {
		text, err := view.WithNames(node.Message)
		if err != nil {
			return nil, err
		}
		height := human.Thousands(uint64(node.Height))
		lines = append(lines, fmt.Sprintf("%d. At %s %s sends %s",
			len(sent)-i, height, view.DisplayName(node.Sender), text))
	}
	return lines, nil
}

// Score says how a learner solved a challenge or a game of "find the mistake", and what the
// shortest solution is.
type Score struct {
	Messages      int      // that the learner needed; undone ones count only in a game
	Par           int      // the number of messages in the shortest solution, as in golf
	WrongNames    int      // given in a game; Messages has [WrongNameCost] for each of them
	OwnLines      []string // each message of the learner
	ShortestLines []string // each message of the shortest solution
}

// Lines says how many messages the learner needed, and describes them and the shortest solution.
func (s *Score) Lines() []string {
	firstLine := "You needed " + human.Plural(s.Messages, "message")
	if s.WrongNames > 0 {
		cost := WrongNameCost * s.WrongNames
		firstLine += fmt.Sprintf(", %d of them for %s", cost, human.Plural(s.WrongNames, "wrong name"))
	}
	firstLine += fmt.Sprintf("; the shortest way has %d.", s.Par)

	lines := []string{firstLine, "Your way:"}
	lines = append(lines, s.OwnLines...)
	lines = append(lines, "The shortest way, and why it works:")
	return append(lines, s.ShortestLines...)
}
