package lesson

import (
	"encoding/json"
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/kv"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
)

// CompareContracts plays the steps of a task under the true contract, and under the one that
// behaves as the misconception believes, up to the first step whose outcomes differ.
// hasDifference is false if none do. It fails if the store fails, or if a step before the task
// has another outcome than the file expects.
func (l Lesson) CompareContracts(
	taskIndex int,
	misconception Misconception,
) (worlds Worlds, hasDifference bool, err error) {
	worlds.Belief = l.Belief(misconception)
	trueWorld, err := l.openWorld(taskIndex, NoMisconception)
	if err != nil {
		return worlds, false, err
	}
	defer func() { err = errors.Join(err, trueWorld.chain.Close()) }()

	mutantWorld, err := l.openWorld(taskIndex, misconception)
	if err != nil {
		return worlds, false, err
	}
	defer func() { err = errors.Join(err, mutantWorld.chain.Close()) }()

	for _, step := range l.Tasks[taskIndex].steps {
		block, truth, err := trueWorld.play(&step)
		if err != nil {
			return worlds, false, err
		}
		_, believed, err := mutantWorld.play(&step)
		if err != nil {
			return worlds, false, err
		}
		isDifferent := believed != truth
		if step.Kind == scenario.Query { // the answers are JSON
			believed, truth = describeDifference(believed, truth)
		}

		// A step that neither sends a message nor moves the clock has no row.
		text, err := trueWorld.describeStep(&step, block)
		if err != nil {
			return worlds, false, err
		}
		if text != "" {
			worlds.Rows = append(worlds.Rows, Row{Block: block, Step: text, Believed: believed, Truth: truth})
		}
		if !isDifferent {
			continue
		}
		if step.Kind == scenario.Execute {
			worlds.Why, err = trueWorld.rulesOfLastMessage()
		}
		return worlds, true, err
	}
	return worlds, false, nil
}

// Worlds describes a task that was played in two worlds: under the true contract, and under the
// one that behaves as a misconception believes.
type Worlds struct {
	Belief string // see [Lesson.Belief]
	Rows   []Row
	Why    []string // by which rules the true contract decided in the last row; nil for a query
}

// Row describes one step of a task and its outcomes in both worlds: "done", "refused: …", the
// answer to a query, or "" for a step that only moves the clock. They differ only in the last
// row.
type Row struct {
	Block    cw721.Block // in which the step was played
	Step     string      // who does what, such as "bob: burn rose"
	Believed string      // the outcome under the contract of the misconception
	Truth    string      // the outcome under the true contract
}

// TasksAgainst returns the indices of the tasks that can show a learner that a misconception is
// wrong: those with a step whose outcomes differ. It fails as [Lesson.CompareContracts] does.
func (l Lesson) TasksAgainst(misconception Misconception) (taskIndices []int, err error) {
	for i := range l.Tasks {
		_, hasDifference, err := l.CompareContracts(i, misconception)
		if err != nil {
			return nil, err
		}
		if hasDifference {
			taskIndices = append(taskIndices, i)
		}
	}
	return taskIndices, nil
}

// world is a session of a lesson on a chain whose contract behaves as a misconception believes.
type world struct {
	*Session
	mutant           mutant.Mutant // of the misconception, or the zero mutant; the chain reads it at each message
	keepsRefusedSend bool          // a send_nft message that the receiver refuses transfers the token anyway
}

// openWorld returns a world at the beginning of a task. While beginOnNewChain plays the steps
// before the task, the mutant is dormant: it behaves as the true contract, but keeps the
// records that it needs later.
func (l Lesson) openWorld(taskIndex int, misconception Misconception) (*world, error) {
	newWorld := &world{mutant: misconception.mutant().Dormant()}
	openChain := func() (*chain.Chain, error) {
		return chain.OpenWith(kv.NewMemory(), chain.Options{
			Mutate: func(trueContract cw721.Contract) chain.Code { return newWorld.mutant.Wrap(trueContract) },
		})
	}
	var err error
	newWorld.Session, err = beginOnNewChain(openChain, l, taskIndex)
	newWorld.mutant = misconception.mutant()
	newWorld.keepsRefusedSend = misconception == receiverKeepsToken
	return newWorld, err
}

// play plays a step, and returns the block after it and the outcome of its message, with names
// in place of addresses; see [Row]. An outcome that the file does not expect is no error. play
// fails if the clock cannot move as the step says, or if the store fails.
func (w *world) play(step *scenario.Step) (block cw721.Block, outcome string, err error) {
	playerOutcome, err := w.player.Play(step)
	if err != nil {
		return block, "", err
	}
	if playerOutcome.ClockStuck {
		return block, "", fmt.Errorf("the lesson does not play: %s", playerOutcome.Mismatch)
	}
	if playerOutcome.Refusal != nil && w.keepsRefusedSend {
		if err := w.transferRefusedToken(step); err != nil {
			return block, "", err
		}
	}

	switch {
	case playerOutcome.Refusal != nil:
		outcome = "refused: " + playerOutcome.Refusal.Text
	case step.Kind == scenario.Query: // the player does not return the answer, so ask again
		answer, err := w.chain.Query(step.Message)
		if err != nil {
			return block, "", err
		}
		outcome = string(answer)
	case step.Kind != scenario.NoMessage:
		outcome = "done"
	}
	err = w.chain.View(func(view *chain.View) (err error) {
		block = view.Clock.Block()
		outcome, err = view.WithNames(outcome)
		return err
	})
	return block, outcome, err
}

// transferRefusedToken transfers the token of a send_nft message to the contract that refused
// it. It does nothing for another message.
func (w *world) transferRefusedToken(step *scenario.Step) error {
	var msg struct {
		Send struct {
			Contract cw721.Address `json:"contract"`
			TokenID  string        `json:"token_id"`
		} `json:"send_nft"`
	}
	err := json.Unmarshal(step.Message, &msg)
	if err != nil || msg.Send.Contract == "" {
		return nil
	}
	transfer := &cw721.TransferNft{Recipient: msg.Send.Contract, TokenID: msg.Send.TokenID}
	_, err = w.player.Play(&scenario.Step{
		Kind:    scenario.Execute,
		Sender:  step.Sender,
		Message: cw721.Encode(transfer),
	})
	return err
}

// describeStep returns "alice: burn rose", "the clock goes to height 1,004, …", or "" for a step
// that does neither. block is the block after the step.
func (w *world) describeStep(step *scenario.Step, block cw721.Block) (text string, err error) {
	switch {
	case step.Kind == scenario.Query:
		return describeQuery(string(step.Message)), nil
	case step.Kind == scenario.Execute:
		text = string(step.Message)
		err = w.chain.View(func(view *chain.View) error {
			msg, err := view.DecodeExecute(step.Message)
			if err == nil { // otherwise the message itself is shown
				text = explain.DescribeMessage(msg, "", view.DisplayName).Request
			}
			return nil
		})
		return step.Sender + ": " + text, err
	case step.Kind != scenario.NoMessage:
		return step.Sender + " sends " + string(step.Message), nil
	case step.At != nil || step.Advance != nil:
		text = fmt.Sprintf("the clock goes to height %s, %s",
			human.Thousands(uint64(block.Height)),
			human.TimeUTC(block.Time))
		return text, nil
	}
	return "", nil
}

// rulesOfLastMessage returns a sentence for each rule by which the contract decided about the
// last message of the history, and nil if it cannot decode it or explain its decision.
func (w *world) rulesOfLastMessage() (rules []string, err error) {
	err = w.chain.View(func(view *chain.View) error {
		node, err := view.Node(view.Head)
		if err != nil {
			return err
		}
		return view.At(node.Parent, func(before *chain.View) error {
			msg, err := before.DecodeExecute([]byte(node.Message))
			if err != nil {
				return err
			}
			explanation, err := explain.WhyMessage(before, node.Sender, cw721.MessageName(msg), msg)
			for _, rule := range explanation.Rules {
				rules = append(rules, rule.Text)
			}
			return err
		})
	})

	// An error of the contract, and not of the store, says that there is no explanation.
	if cw721.AsError(err) != nil {
		return nil, nil
	}
	return rules, err
}
