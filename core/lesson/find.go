package lesson

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
	"ephemera/core/suite"
)

// gamePrefix begins the ID of a game of "find the mistake". The number that chooses the
// game, its seed, follows: "find-7".
const gamePrefix = "find-"

// WrongNameCost is how many messages a wrong name counts in "find the mistake".
const WrongNameCost = 3

// gameFile is the scenario that every game begins with. Its last note is the story.
//
//go:embed find.yaml
var gameFile string

// Mistake is what a task of "find the mistake" hides: the one rule in which the contract of
// the task is wrong.
type Mistake struct {
	// Beliefs are the sentences to choose from. One of them is the wrong rule of this
	// contract, such as "a transfer keeps the approvals of the token".
	Beliefs []string

	mutant mutant.Mutant // the contract that is wrong
	par    int           // how many messages and queries the shortest known way takes
}

// Game returns the game of "find the mistake" with a seed: a lesson whose contract is wrong
// in one rule, which the seed chooses. Consecutive seeds from 1 have each mutant of the
// contract once before one comes again. It fails for seed 0.
func Game(seed uint64) (Lesson, error) {
	if seed == 0 {
		return Lesson{}, fmt.Errorf("the seed is 0, expected a number from 1")
	}
	hidden, rules := chooseMutant(seed)
	file, err := scenario.Load("find.yaml", strings.NewReader(gameFile))
	if err != nil {
		return Lesson{}, err
	}
	file.Header.Rules = rules

	// The last step of the file has the story of the game, and the others are its set-up.
	last := len(file.Steps) - 1
	setup := file.Steps[:last]
	story := file.Steps[last].Note

	// The solution is a message that the wrong contract answers differently.
	killer, err := killerAfter(setup, hidden)
	if err != nil {
		return Lesson{}, err
	}
	mistake := newMistake(hidden, rules, killer)
	return Lesson{
		ID:       gamePrefix + strconv.FormatUint(seed, 10),
		Title:    fmt.Sprintf("%s %d", file.Name, seed),
		About:    file.About,
		Tasks:    []Task{{Story: joinParagraphs(story), Mistake: mistake, steps: killer}},
		Remember: "In this collection " + hidden.Belief + ". The contract as it should be does otherwise.",
		header:   file.Header,
		setup:    setup,
	}, nil
}

// newMistake returns the mistake of a game. hidden is the wrong contract, and killer the
// shortest known steps that betray it. The learner chooses among the beliefs of all mutants
// that exist in the rule set.
func newMistake(hidden mutant.Mutant, rules cw721.Rules, killer []scenario.Step) *Mistake {
	mistake := &Mistake{mutant: hidden}
	for _, m := range mutant.All() {
		if m.ExistsIn(rules) {
			mistake.Beliefs = append(mistake.Beliefs, m.Belief)
		}
	}
	for _, step := range killer {
		movesOnlyClock := step.Kind == scenario.NoMessage
		if !movesOnlyClock {
			mistake.par++
		}
	}
	return mistake
}

// orderSeed seeds the order of the mutants. With this value the first games are about
// spenders, and not about rules that few know.
const orderSeed = 185305

// chooseMutant returns the mutant (a contract that is wrong in one rule) of a game's seed,
// and the rule set that it is played with. Consecutive seeds form rounds: each round has all
// mutants once, in an order of its own. Half of the games have the rules of v0.22.0, so that
// these rules do not betray the mutant that exists only there.
func chooseMutant(seed uint64) (mutant.Mutant, cw721.Rules) {
	all := mutant.All()
	round := (seed - 1) / uint64(len(all))
	index := (seed - 1) % uint64(len(all))
	order := rand.New(rand.NewPCG(round, orderSeed)).Perm(len(all))
	chosen := all[order[index]]

	hasNewRules := rand.New(rand.NewPCG(seed, 1)).IntN(2) == 0
	if hasNewRules || chosen.Rules == cw721.RulesV022 {
		return chosen, cw721.RulesV022
	}
	return chosen, cw721.RulesStandard
}

// killerAfter returns the steps that betray a mutant after a set-up: the killer of the mutant
// without the steps that the set-up has already. A killer is the shortest known story whose
// last step has another outcome with the mutant than with the true contract.
func killerAfter(setup []scenario.Step, m mutant.Mutant) ([]scenario.Step, error) {
	text, err := suite.Killer(m)
	if err != nil {
		return nil, err
	}
	killer, err := scenario.Load(m.Name+".yaml", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	isInSetup := func(step scenario.Step) bool {
		isSame := func(done scenario.Step) bool {
			return step.As == done.As && bytes.Equal(step.Message, done.Message)
		}
		return slices.ContainsFunc(setup, isSame)
	}
	return slices.DeleteFunc(killer.Steps, isInSetup), nil
}

// IsGame reports whether a lesson is a game of "find the mistake".
func (l Lesson) IsGame() bool { return l.Tasks[0].Mistake != nil }

// openMutant returns an empty chain in memory whose contract has the mistake. A preview on
// this chain shows what the true contract would do, so that only a message betrays the
// mistake.
func (m *Mistake) openMutant() (*chain.Chain, error) {
	return chain.OpenWith(kv.NewMemory(), chain.Options{
		Mutate:        func(truth cw721.Contract) chain.Code { return m.mutant.Wrap(truth) },
		PreviewsTruth: true,
	})
}

// WithGames returns lessons, and behind them games of "find the mistake" in the order of
// their seeds: those that the learner has begun, and the first that is not done. If a game
// cannot be made, which a test rules out, WithGames returns the lessons alone and the error.
func (p Progress) WithGames(lessons []Lesson) ([]Lesson, error) {
	next := uint64(1)
	for p[gamePrefix+strconv.FormatUint(next, 10)].Done {
		next++
	}

	// Progress has the games that were begun.
	seeds := map[uint64]bool{next: true}
	for id := range p {
		number, isGame := strings.CutPrefix(id, gamePrefix)
		seed, err := strconv.ParseUint(number, 10, 64)
		if isGame && err == nil && seed > 0 {
			seeds[seed] = true
		}
	}

	// Make the games.
	all := slices.Clone(lessons)
	for _, seed := range slices.Sorted(maps.Keys(seeds)) {
		game, err := Game(seed)
		if err != nil {
			return lessons, err
		}
		all = append(all, game)
	}
	return all, nil
}

// NextGame returns the game of "find the mistake" that the learner plays next: the first by
// seed that is not done.
func (p Progress) NextGame(games []Lesson) Lesson {
	next := slices.IndexFunc(games, func(l Lesson) bool { return l.IsGame() && !p[l.ID].Done })
	return games[next]
}

// ErrNothingTried is the error of [Session.NameMistake] for a name that is only guessed.
var ErrNothingTried = errors.New("send a message or a query first: an answer must betray the mistake")

// NameMistake takes a learner's name for the mistake of the current task, which is one of its
// beliefs, and reports whether the name is right. It counts a wrong name. Without a mistake
// in the task it does nothing. It fails with [ErrNothingTried] before the first message or
// query, and as [Lesson.Worlds] does.
func (s *Session) NameMistake(belief string) (isRight bool, err error) {
	task := s.Task()
	if task == nil || task.Mistake == nil {
		return false, nil
	}
	if s.record().Tries+len(s.state.queries) == 0 {
		return false, ErrNothingTried
	}
	if belief != task.Mistake.mutant.Belief {
		s.record().WrongNames++
		return false, nil
	}

	s.state.isNamed = true
	s.shortestWay, err = s.Lesson.describeKiller(s.task, task.Mistake)
	return true, err
}

// checkMistake evaluates the only goal of a task with a mistake, that the mistake is named,
// and adds it to check. Once the mistake is named, the check has a score with the learner's
// own way: first the messages of the task, undone ones too, and then the queries.
// [Session.completeScore] adds the rest.
func (t *Task) checkMistake(check *Check, v *chain.View) error {
	check.tries += len(t.state.queries)
	check.Done = t.state.isNamed
	check.Goals = []Goal{{Text: "the mistake is named", Reached: t.state.isNamed}}
	if !t.state.isNamed {
		return nil
	}

	var sent []history.Node // newest first
	for node, err := range v.History(0) {
		if err != nil {
			return err
		}
		if node.ID <= t.state.startedAfter {
			break
		}
		if node.Kind == history.KindExecute {
			sent = append(sent, node)
		}
	}

	// The score lists what the learner sent and asked.
	own, err := describeMessages(v, sent)
	for _, query := range t.state.queries {
		own = append(own, fmt.Sprintf("%d. query %s", len(own)+1, query))
	}
	check.Score = &Score{Own: own}
	return err
}

// completeScore adds to the score of a game what the chain does not know: how many messages
// were sent, also in earlier sessions, how many wrong names were given, and the shortest way.
func (s *Session) completeScore(score *Score, mistake *Mistake) {
	record := s.record()
	score.WrongNames = record.WrongNames
	score.Messages = record.Tries + WrongNameCost*record.WrongNames
	score.Par = mistake.par
	score.Shortest = s.shortestWay
}

// describeKiller describes the shortest known way to find the mistake of a task. There is a
// line for each step, then the answers of both contracts to the last step, and then the rules
// by which the true contract gives its own answer. It fails as [Lesson.Worlds] does.
func (l Lesson) describeKiller(task int, mistake *Mistake) (lines []string, err error) {
	worlds, _, err := l.Worlds(task, Misconception(mistake.mutant.Name))
	for i, row := range worlds.Rows {
		lines = append(lines, fmt.Sprintf("%d. At %s %s", i+1, human.Thousands(uint64(row.Block.Height)), row.Step))
		if row.Believed != row.Truth {
			lines = append(lines, "Here: "+row.Believed, "By the rule book: "+row.Truth)
		}
	}
	for _, rule := range worlds.Why {
		lines = append(lines, "Because: "+rule)
	}
	return lines, err
}
