package lesson

import (
	"bytes"
	_ "embed"
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

// Game returns the game of "find the mistake" with a seed: a lesson whose contract is wrong in
// one rule, which the seed chooses; see [chooseMutant]. Game fails for seed 0.
func Game(seed uint64) (Lesson, error) {
	if seed == 0 {
		return Lesson{}, fmt.Errorf("the seed is 0, expected a number from 1")
	}
	wrongContract, rules := chooseMutant(seed)

	file, err := scenario.Load("find.yaml", strings.NewReader(gameFile))
	if err != nil {
		return Lesson{}, err
	}
	file.Header.Rules = rules

	// The last step of the file has the story of the game, and the others are its set-up.
	storyIndex := len(file.Steps) - 1
	setup := file.Steps[:storyIndex]
	story := file.Steps[storyIndex].Note

	// The solution of the game is called the killer. Its last step has another outcome with
	// the wrong contract than with the true one.
	killer, err := killerWithoutSetup(setup, wrongContract)
	if err != nil {
		return Lesson{}, err
	}
	mistake := &Mistake{mutant: wrongContract}
	for _, step := range killer {
		if step.Kind != scenario.NoMessage { // a move of the clock does not count
			mistake.par++
		}
	}
	for _, candidate := range mutant.All() {
		if candidate.ExistsIn(rules) {
			mistake.Beliefs = append(mistake.Beliefs, candidate.Belief)
		}
	}
	return Lesson{
		ID:    gameID(seed),
		Title: fmt.Sprintf("%s %d", file.Name, seed),
		About: file.About,
		Tasks: []Task{{Story: joinParagraphs(story), Mistake: mistake, steps: killer}},
		Remember: "In this collection " + wrongContract.Belief +
			". The contract as it should be does otherwise.",
		header: file.Header,
		setup:  setup,
	}, nil
}

// Mistake is what the learner has to find in a game: the one rule in which the contract is
// wrong.
type Mistake struct {
	// Beliefs are the sentences from which the learner chooses, such as "a transfer keeps
	// the approvals of the token". One of them describes the wrong rule.
	Beliefs []string

	mutant mutant.Mutant // the contract with the wrong rule
	par    int           // the number of messages and queries in the shortest known solution
}

// gameFile is the scenario that every game begins with.
//
//go:embed find.yaml
var gameFile string

// gamePrefix begins the ID of each game. Behind it is the seed of the game: "find-7".
const gamePrefix = "find-"

func gameID(seed uint64) string { return gamePrefix + strconv.FormatUint(seed, 10) }

// orderSeed is a part of the random seed that shuffles the mutants. This value was chosen
// because the first games are then about spenders, and not about rules that few people know.
const orderSeed = 185305

// chooseMutant returns the mutant and the rule set for a game with a seed. With n mutants, the
// seeds from 1 to n choose each mutant once, in a shuffled order. So do the next n seeds, in
// another order, and so on. About half of the games have the rules of v0.22.0. One mutant
// exists only in those rules, by which the learner could otherwise tell it.
func chooseMutant(seed uint64) (mutant.Mutant, cw721.Rules) {
	mutants := mutant.All()
	gamesPerRound := uint64(len(mutants))
	roundIndex := (seed - 1) / gamesPerRound
	indexInRound := (seed - 1) % gamesPerRound
	shuffledIndices := rand.New(rand.NewPCG(roundIndex, orderSeed)).Perm(len(mutants))
	chosenMutant := mutants[shuffledIndices[indexInRound]]

	hasNewRules := rand.New(rand.NewPCG(seed, 1)).IntN(2) == 0
	if hasNewRules || chosenMutant.Rules == cw721.RulesV022 {
		return chosenMutant, cw721.RulesV022
	}
	return chosenMutant, cw721.RulesStandard
}

// killerWithoutSetup returns the [suite.Killer] of a mutant without the steps of the set-up.
func killerWithoutSetup(setup []scenario.Step, wrongContract mutant.Mutant) ([]scenario.Step, error) {
	killerYAML, err := suite.Killer(wrongContract)
	if err != nil {
		return nil, err
	}
	killer, err := scenario.Load(wrongContract.Name+".yaml", bytes.NewReader(killerYAML))
	if err != nil {
		return nil, err
	}

	// Two steps are the same if the same account sends the same message.
	steps := killer.Steps
	for _, setupStep := range setup {
		steps = slices.DeleteFunc(steps, func(step scenario.Step) bool {
			return step.Sender == setupStep.Sender && bytes.Equal(step.Message, setupStep.Message)
		})
	}
	return steps, nil
}

// openWrongChain returns an empty chain in memory whose contract has the mistake. A preview
// shows what the true contract would do, so the learner must send a message to find it.
func (m *Mistake) openWrongChain() (*chain.Chain, error) {
	return chain.OpenWith(kv.NewMemory(), chain.Options{
		Mutate:        func(trueContract cw721.Contract) chain.Code { return m.mutant.Wrap(trueContract) },
		PreviewsTruth: true,
	})
}

// checkMistake adds the only goal of a game to check: the learner has named the mistake. Once
// that is reached, it adds a score that describes what the learner did: first the messages,
// including undone ones, which tries has newest first, and then the queries. [Session.Next]
// adds the rest.
func (t *Task) checkMistake(check *Check, view *chain.View, tries []history.Node) error {
	check.tries += len(t.state.queries)
	check.Goals = []Goal{{Text: "the mistake is named", Reached: t.state.isMistakeNamed}}
	if !t.state.isMistakeNamed {
		return nil
	}

	ownLines, err := describeSentMessages(view, tries)
	if err != nil {
		return err
	}
	for _, query := range t.state.queries {
		ownLines = append(ownLines, fmt.Sprintf("%d. query %s", len(ownLines)+1, query))
	}
	check.Score = &Score{OwnLines: ownLines}
	return nil
}

// WrongNameCost is how many messages a wrong name for the mistake counts as.
const WrongNameCost = 3

// describeKiller describes the shortest known solution of a game: each step, the answers of
// the wrong and the true contract to the last one, and the rules by which the true contract
// decides. It fails as [Lesson.CompareContracts] does.
func (l Lesson) describeKiller(taskIndex int, mistake *Mistake) (lines []string, err error) {
	comparison, _, err := l.CompareContracts(taskIndex, Misconception(mistake.mutant.Name))
	if err != nil {
		return nil, err
	}
	for i, row := range comparison.Rows {
		height := human.Thousands(uint64(row.Block.Height))
		lines = append(lines, fmt.Sprintf("%d. At %s %s", i+1, height, row.Step))
		if row.Believed != row.Truth {
			lines = append(lines, "Here: "+row.Believed, "By the rule book: "+row.Truth)
		}
	}
	for _, rule := range comparison.Why {
		lines = append(lines, "Because: "+rule)
	}
	return lines, nil
}

// WithGames returns the lessons, followed by the games that the learner has begun and the first
// that is not done, in the order of their seeds. If a game cannot be made, which a test rules
// out, it returns the lessons alone and the error.
func (p Progress) WithGames(lessons []Lesson) ([]Lesson, error) {
	nextSeed := uint64(1)
	for p[gameID(nextSeed)].Done {
		nextSeed++
	}

	// Add the games that were begun. Their IDs, such as "find-7", are among those of all
	// lessons.
	seeds := map[uint64]bool{nextSeed: true}
	for id := range p {
		seedText, isGame := strings.CutPrefix(id, gamePrefix)
		seed, err := strconv.ParseUint(seedText, 10, 64)
		if isGame && err == nil && seed > 0 {
			seeds[seed] = true
		}
	}

	lessonsAndGames := slices.Clone(lessons)
	for _, seed := range slices.Sorted(maps.Keys(seeds)) {
		game, err := Game(seed)
		if err != nil {
			return lessons, err
		}
		lessonsAndGames = append(lessonsAndGames, game)
	}
	return lessonsAndGames, nil
}

// NextGame returns the first game that is not done. games may have other lessons too, but must
// have such a game; see [Progress.WithGames].
func (p Progress) NextGame(games []Lesson) Lesson {
	i := slices.IndexFunc(games, func(lesson Lesson) bool { return lesson.IsGame() && !p[lesson.ID].Done })
	return games[i]
}
