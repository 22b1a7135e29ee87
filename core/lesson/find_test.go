package lesson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/doctor"
	"ephemera/core/explain"
	"ephemera/core/kv"
	"ephemera/core/lesson"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
)

// games returns as many games from seed 1 on as there are mutants.
func games(t *testing.T) (all []lesson.Lesson) {
	t.Helper()
	for i := range mutant.All() {
		all = append(all, chaintest.Must(lesson.Game(uint64(i+1)))(t))
	}
	return all
}

// outcome plays a step of a killer in a session, and returns the contract's answer.
func outcome(t *testing.T, s *lesson.Session, step scenario.Step) string {
	t.Helper()
	if step.Kind == scenario.Query {
		s.NoteQuery(step.Message)
	}
	return chaintest.Must(lesson.Outcome(s, step))(t)
}

// firstDifference returns the first lines of two texts that differ, or "" if none does.
func firstDifference(a, b string) string {
	others := strings.Split(b, "\n")
	for i, line := range strings.Split(a, "\n") {
		if i >= len(others) || line != others[i] {
			return line + "\n" + strings.Join(others[min(i, len(others)):min(i+1, len(others))], "")
		}
	}
	return ""
}

// trueGame returns a session of the same world with the true contract.
func trueGame(t *testing.T, game lesson.Lesson) *lesson.Session {
	t.Helper()
	return chaintest.Must(lesson.BeginTrue(game))(t)
}

// shown returns everything that a learner sees without a message or query: the records, the
// collection, the history, what doctor finds, and what previews, why and the permissions
// answer for every account and every message in messages.
func shown(t *testing.T, c *chain.Chain, messages [][]byte) string {
	t.Helper()
	var text strings.Builder
	add := func(value any) {
		raw := chaintest.Must(json.Marshal(value))(t)
		text.Write(append(raw, '\n'))
	}
	report := chaintest.Must(doctor.Run(c, nil))(t)
	add(report)
	chaintest.OK(t, c.View(func(v *chain.View) error {
		for record, err := range v.Storage().Scan(kv.Range{}) {
			chaintest.OK(t, err)
			fmt.Fprintf(&text, "%q: %q\n", record.Key, record.Value)
		}
		add(chaintest.Must(v.Collection())(t))
		for node, err := range v.History(0) {
			chaintest.OK(t, err)
			add(node)
			add(chaintest.Must(v.ChangesOf(node.ID))(t))
		}
		accounts := chaintest.Must(v.Accounts())(t)
		for _, account := range accounts {
			for _, message := range messages {
				receipt, err := v.Preview(account.Address, message)
				fmt.Fprintf(&text, "%s %s: %+v %v\n", account.Name, message, receipt.Refusal, err)
				add(receipt.Changes)
				msg, err := v.DecodeExecute(message)
				if err != nil {
					continue
				}
				why, err := explain.WhyMessage(v, account.Address, cw721.MessageName(msg), msg)
				fmt.Fprintf(&text, "%s %v %v\n", why.Verdict, why.Rules, err)
			}
		}
		return nil
	}))
	return text.String()
}

func TestEveryMutantIsPlayedOnceAndItsKillerFindsAnAnswerThatDiffers(t *testing.T) {
	names := map[string]bool{}
	for _, game := range games(t) {
		killer := lesson.Killer(game)
		name := lesson.MutantOf(game)
		names[name] = true
		t.Run(name, func(t *testing.T) {
			s := begin(t, game, 0)
			truth := trueGame(t, game)
			var messages [][]byte
			for _, step := range killer {
				if step.Kind == scenario.Execute {
					messages = append(messages, step.Message)
				}
			}

			for i, step := range killer {
				seen, expected := shown(t, s.Chain(), messages), shown(t, truth.Chain(), messages)
				if difference := firstDifference(seen, expected); i == 0 && difference != "" {
					t.Errorf("before the first message it shows, and with the true contract:\n%s", difference)
				}
				for _, secret := range []string{name, "mutant", "covered", "approved by"} {
					if strings.Contains(seen, secret) {
						t.Errorf("before step %d %q is shown", i+1, secret)
					}
				}

				answer, expectedAnswer := outcome(t, s, step), outcome(t, truth, step)
				isLast := i == len(killer)-1
				if isLast == (answer == expectedAnswer) {
					t.Errorf("step %d of %d: %s, the true contract: %s", i+1, len(killer), answer, expectedAnswer)
				}
			}
			if c := check(t, s); c.Done {
				t.Fatal("it is done before the mistake is named")
			}
			belief := chaintest.Must(mutant.Find(name))(t).Belief
			if !chaintest.Must(s.NameMistake(belief))(t) || !s.Next(check(t, s)) {
				t.Fatal("the right name is not taken")
			}
			score := s.Score()
			if score.Messages != score.Par || len(score.OwnLines) != score.Par {
				t.Errorf("the score is %+v", score)
			}
			if way := strings.Join(score.ShortestLines, "\n"); !strings.Contains(way, "\nHere: ") || !strings.Contains(way, "\nBy the rule book: ") {
				t.Errorf("the shortest way has no two answers: %s", way)
			}
		})
	}
	if len(names) != len(mutant.All()) {
		t.Errorf("%d mutants are played, want %d", len(names), len(mutant.All()))
	}
}

func TestPreviewsInAGameAreThoseOfTheRuleBook(t *testing.T) {
	betrayed := 0
	for _, game := range games(t) {
		killer := lesson.Killer(game)
		s := begin(t, game, 0)
		for _, step := range killer[:len(killer)-1] {
			outcome(t, s, step)
		}
		last := killer[len(killer)-1]
		if last.Kind != scenario.Execute {
			continue
		}
		outcome(t, s, scenario.Step{Advance: last.Advance})
		last.Advance = nil

		var preview chain.Receipt
		var refusal error
		chaintest.OK(t, s.Chain().View(func(v *chain.View) (err error) {
			sender := chaintest.Must(v.Resolve(last.Sender))(t)
			preview = chaintest.Must(v.Preview(sender, last.Message))(t)
			msg, err := v.DecodeExecute(last.Message)
			env := cw721.Env{Block: v.Clock.Block(), Self: v.Self}
			_, refusal = v.Contract().RunExecute(kv.NewOverlay(v.Storage()), env, cw721.Info{Sender: sender}, msg)
			return err
		}))
		isDelivered := strings.Contains(string(last.Message), "send_nft") // and then refused by the receiver
		if isRefused := preview.Refusal != nil; isRefused != (refusal != nil || isDelivered) {
			t.Errorf("%s: the preview is %v, the true contract answers %v", lesson.MutantOf(game), preview.Refusal, refusal)
		}
		if isRefused := strings.HasPrefix(outcome(t, s, last), "refused"); isRefused != (preview.Refusal != nil) {
			betrayed++
		}
	}
	if betrayed < 10 {
		t.Errorf("only %d messages have another outcome than their preview", betrayed)
	}
}

func TestUndoneMessagesQueriesAndWrongNamesCountInAGame(t *testing.T) {
	game := chaintest.Must(lesson.Game(1))(t)
	s := begin(t, game, 0)
	send(t, s, "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
	chaintest.Must(s.Chain().Undo(1))(t)
	s.NoteQuery([]byte(`{"num_tokens":{}}`))
	progress := lesson.Progress{}
	check(t, s)
	progress.Record(s)

	// The program is started again, and the task is begun anew.
	s = begin(t, game, 0)
	s.Resume(progress[game.ID])
	s.NoteQuery([]byte(`{"num_tokens":{}}`))
	check(t, s)
	again := begin(t, game, 0)
	again.Continue(s)

	right := chaintest.Must(mutant.Find(lesson.MutantOf(game)))(t).Belief
	for _, belief := range game.Tasks[0].Mistake.Beliefs[:3] {
		if belief != right && chaintest.Must(again.NameMistake(belief))(t) {
			t.Errorf("%q is taken", belief)
		}
	}
	wrong := again.Answered().WrongNames
	chaintest.Must(again.NameMistake(right))(t)
	finishTask(t, again)

	progress.Record(again)
	record := progress[game.ID].FirstRecords[0]
	if want := 3 + lesson.WrongNameCost*wrong; record.Messages != want || record.Par == 0 {
		t.Errorf("kept: %+v, want %d messages", record, want)
	}
	if text := again.Score().Lines()[0]; wrong > 0 && !strings.Contains(text, " of them for ") {
		t.Errorf("the score does not say what wrong names cost: %s", text)
	}
}

func TestTheNextGameIsTheFirstThatIsNotDone(t *testing.T) {
	progress := lesson.Progress{
		"find-1": {Done: true},
		"find-9": {DoneTasks: 0, FirstRecords: []lesson.TaskRecord{{Tries: 1}}},
		"find-x": {Done: true},
	}
	all := chaintest.Must(progress.WithGames(nil))(t)
	var ids []string
	for _, game := range all {
		ids = append(ids, game.ID)
	}
	if want := []string{"find-1", "find-2", "find-9"}; !slices.Equal(ids, want) {
		t.Errorf("the games are %v, want %v", ids, want)
	}
	if next := progress.NextGame(all); next.ID != "find-2" {
		t.Errorf("the next is %s", next.ID)
	}
}

func TestTheResultOfAGameHasItsScoreAndDoesNotNameTheMistake(t *testing.T) {
	game := chaintest.Must(lesson.Game(5))(t)
	s := begin(t, game, 0)
	belief := chaintest.Must(mutant.Find(lesson.MutantOf(game)))(t).Belief
	s.NoteQuery([]byte(`{"num_tokens":{}}`))
	chaintest.Must(s.NameMistake(belief))(t)
	finishTask(t, s)
	progress := lesson.Progress{}
	progress.Record(s)
	all := chaintest.Must(progress.WithGames(nil))(t)

	result := progress.ResultOf("ana", all)
	raw := chaintest.Must(result.Encode())(t)
	if bytes.Contains(raw, []byte(belief)) || bytes.Contains(raw, []byte(lesson.MutantOf(game))) {
		t.Errorf("the result names the mistake: %s", raw)
	}
	class := lesson.ReportClass([]lesson.Result{result}, nil)
	if len(class.Challenges) != 1 || class.Challenges[0].Challenge != "Find the mistake 5" || class.Challenges[0].Messages != 1 {
		t.Errorf("the report has %+v", class.Challenges)
	}
}

func TestNoGameHasSeedZero(t *testing.T) {
	if _, err := lesson.Game(0); err == nil {
		t.Error("there is a game with seed 0")
	}
}

func TestAGuessIsNoNameAndAGamePlayedAgainKeepsItsFirstScore(t *testing.T) {
	game := chaintest.Must(lesson.Game(1))(t)
	belief := chaintest.Must(mutant.Find(lesson.MutantOf(game)))(t).Belief
	progress := lesson.Progress{}
	for _, queries := range []int{3, 1} {
		s := begin(t, game, 0)
		if _, err := s.NameMistake(belief); !errors.Is(err, lesson.ErrNothingTried) {
			t.Errorf("a guess is taken: %v", err)
		}
		for range queries {
			s.NoteQuery([]byte(`{"num_tokens":{}}`))
		}
		chaintest.Must(s.NameMistake(belief))(t)
		finishTask(t, s)
		progress.Record(s)
	}
	if record := progress[game.ID].FirstRecords[0]; record.Messages != 3 {
		t.Errorf("kept: %+v", record)
	}
}
