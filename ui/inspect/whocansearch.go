package inspect

import (
	"context"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/core/whocan"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// search is a search for ways, with what was found so far. The results are texts already,
// because the view of the chain that names and describes them is closed after the search.
type search struct {
	ctx      context.Context // stops the search; each search has its own
	question explain.WhoCanQuestion
	maxWays  int // the search ends when it has found this many ways
	isOver   bool

	answer  whocan.Answer
	now     []widget.Line     // who can do it by one message; nil until that is known
	verdict widget.Line       // the answer in a sentence, or what is wrong with the question
	ways    [][]describedStep // the ways of the answer in words
	// expectations has a step of a scenario for each way. The step expects that nobody can do
	// what the question asks, so it fails while that way is possible.
	expectations []scenario.Step
	notes        []widget.Line // what a compiled contract refuses, and the assumptions
}

// describedStep is a step of a way, with the texts that describe it.
type describedStep struct {
	whocan.Step
	sender      string              // the name of the sender
	message     string              // such as "transfer ape-04 → bob"
	allowedBy   string              // the rule that permits it: "approval until height 1,110"
	explanation explain.Explanation // all rules that were tried
}

// searchTimeout is how long a search may run. The verdict says so if it was cut short.
const searchTimeout = 30 * time.Second

// searchDeeper searches for ways that have up to one message more than before, and returns
// the search with its new answer. It begins again with the shortest ways, because it reads
// the chain in another view. Repeating the shorter searches costs little, because each
// additional message makes a search many times larger.
func (s search) searchDeeper(engine app.Engine, facts app.Facts) search {
	depth := s.answer.Depth + 1
	s.ways = nil
	s.expectations = nil
	s.notes = nil
	err := engine.View(func(view *chain.View) error {
		question, err := s.question.Resolve(view)
		if err != nil {
			return err
		}
		boundedQuestion := question
		boundedQuestion.Depth = depth
		boundedQuestion.MaxWays = s.maxWays
		boundedQuestion.ListsNow = s.now == nil
		s.answer, err = whocan.Ask(s.ctx, view, boundedQuestion)
		if err == nil {
			s.describeAnswer(view, question, facts)
		}
		return err
	})
	if err != nil {
		s.verdict = faultLine(err)
		s.isOver = true
		return s
	}
	isAnswered := s.answer.Verdict == whocan.None || len(s.ways) >= s.maxWays
	wasCutShort := s.answer.Depth < depth
	s.isOver = isAnswered || wasCutShort || depth >= whocan.DefaultDepth
	return s
}

// describeAnswer sets the texts of the search.
func (s *search) describeAnswer(view *chain.View, question whocan.Question, facts app.Facts) {
	answer := s.answer
	if s.now == nil {
		heading, accounts := explain.DescribeNow(view, question, answer)
		s.now = []widget.Line{widget.Header(heading)}
		for _, account := range accounts {
			s.now = append(s.now, widget.Plain("  "+account))
		}
		s.now = append(s.now, nil)
	}
	sentence := explain.DescribeWhoCan(view, question, answer)
	s.verdict = app.VerdictSign(len(answer.Ways) > 0).Strong(sentence)

	for i, way := range answer.Ways {
		s.ways = append(s.ways, describeSteps(view, answer, way, facts))
		s.expectations = append(s.expectations, scenario.NobodyStep(view, question, answer, i))
	}

	// Say where a compiled contract differs from the rules of the search, and then under which
	// conditions the answer holds.
	warnSign := widget.Warning("")
	for i := range answer.RefusedWays {
		refused := explain.DescribeRefusedWay(view, answer, i)
		s.notes = append(s.notes, nil, warnSign.Text(refused))
	}
	if answer.UnprovenReason != "" && len(answer.Ways) == 0 {
		s.notes = append(s.notes, nil, warnSign.Text(answer.UnprovenReason))
	}
	s.notes = append(s.notes, nil, widget.Header("Assumed"))
	for _, assumption := range answer.Assumptions {
		s.notes = append(s.notes, widget.Muted("  "+themes.GlyphDot+" "+assumption))
	}
}

// describeSteps returns the steps of a way with the texts that describe each. The search uses a
// made-up address in place of every account without a record. The texts call that address
// [whocan.AnyoneName].
func describeSteps(
	view *chain.View,
	answer whocan.Answer,
	way []whocan.Step,
	facts app.Facts,
) []describedStep {
	anyoneReplacer := strings.NewReplacer(
		string(answer.Anyone), whocan.AnyoneName,
		facts.DisplayName(answer.Anyone), whocan.AnyoneName)
	var steps []describedStep
	for _, step := range way {
		_, allowedBy := explain.DescribeStep(view, answer, step)
		message := explain.DescribeMessage(step.Message, step.Sender, facts.DisplayName).Request
		steps = append(steps, describedStep{
			Step:        step,
			sender:      anyoneReplacer.Replace(facts.DisplayName(step.Sender)),
			message:     anyoneReplacer.Replace(message),
			allowedBy:   allowedBy,
			explanation: explain.ExplainDecision(view, step.Decision),
		})
	}
	return steps
}
