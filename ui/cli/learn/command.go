package learn

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// lessonCommands are the commands that can be used inside a lesson. The value is true for a
// command that answers in JSON, which [player.sayOutcome] says in words. The output of the
// others is shown as it is.
var lessonCommands = map[string]bool{
	"exec": true, "query": true, "clock": true, "undo": true, "redo": true,
	"why": false, "probe": false, "history": false, "accounts": false,
}

// runCommand runs a command of the program on the lesson's collection, and says its outcome or
// its error. It fails only if it cannot read the collection or write to stdout.
func (p *player) runCommand(words []string) error {
	if words[0] == "ephemera" { // copied from a shell
		words = words[1:]
	}
	var name string
	if len(words) > 0 {
		name = words[0]
	}
	answersJSON, isAllowed := lessonCommands[name]
	if !isAllowed {
		p.Errorf("%s is no command of a lesson; `help` lists them", widget.Safe(strings.Join(words, " ")))
		return nil
	}
	isSummarized := answersJSON && !slices.Contains(words, "--help") // said in words

	// The head before the command shows later what it has changed.
	oldHead, err := chain.Read(p.session.Chain(), func(view *chain.View) (history.ID, error) {
		return view.Head, nil
	})
	if err != nil {
		return err
	}

	// The contract of "find the mistake" may not follow the true rules, which some commands
	// show.
	showsTrueRules := name == "why" || name == "probe" || slices.Contains(words, "--dry-run")
	if showsTrueRules && p.session.Lesson.IsGame() {
		p.say("By the rule book; this contract may do otherwise:")
		if err := p.flush(); err != nil {
			return err
		}
	}

	// Run the command on the lesson's collection. Its stdin is empty, because the lines on the
	// real stdin are for the lesson. An answer that is said in words must not reach stdout.
	commandApp := &command.App{
		Program:        p.Program,
		Ctx:            p.Ctx,
		SharedDatabase: &command.Database{Chain: p.session.Chain()},
	}
	commandApp.Stdin = strings.NewReader("")
	var answer bytes.Buffer
	if isSummarized {
		commandApp.Stdout = &answer
	}
	root := &cobra.Command{Use: "ephemera", SilenceErrors: true, SilenceUsage: true}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(p.makeCommands(commandApp)...)
	err = commandApp.Execute(root, words)

	// A goal can be to send a query, which the history does not record.
	if name == "query" && len(words) == 2 && commandApp.Started {
		p.session.NoteQuery([]byte(words[1]))
	}

	// Say the outcome.
	refusal := cw721.AsError(err)
	if isSummarized && refusal != nil {
		p.say("Refused: " + refusal.Text)
		return nil
	}
	commandApp.Report(err)
	if err != nil || !isSummarized {
		return nil
	}
	return p.sayOutcome(name, oldHead, answer.String())
}

// sayOutcome says in words what a command did, and where the clock is if the command can
// have moved it. name is the name of the command, and output its answer in JSON. oldHead is
// the position in the history before the command.
func (p *player) sayOutcome(name string, oldHead history.ID, output string) error {
	return p.session.Chain().View(func(view *chain.View) (err error) {
		var texts []string
		switch name {
		case "query":
			texts = make([]string, 1)
			texts[0], err = view.WithNames(strings.TrimSpace(output))
		case "exec":
			texts, err = describeChanges(view, oldHead)
		case "undo": // it moves the position back in the history
			texts, err = describeNodes(view, "Undone: ", oldHead, view.Head)
		case "redo": // it moves the position on
			texts, err = describeNodes(view, "Done again: ", view.Head, oldHead)
		}
		if err != nil {
			return err
		}
		p.say(texts...)
		if name != "query" && name != "exec" {
			height := human.Thousands(uint64(view.Clock.Height))
			p.sayf("The clock is at height %s, %s.", height, human.TimeUTC(view.Clock.Time))
		}
		return nil
	})
}

// describeChanges describes what a message has changed. oldHead is the position in the
// history before it, which a dry run leaves as it is.
func describeChanges(view *chain.View, oldHead history.ID) ([]string, error) {
	if view.Head <= oldHead {
		return []string{"It would be done."}, nil
	}
	changes, err := view.ChangesOf(view.Head)
	if err != nil {
		return nil, err
	}
	texts := []string{"Done."}
	for _, text := range explain.Describe(view.Layout, changes, view.DisplayName) {
		texts = append(texts, "Changed: "+text)
	}
	return texts, nil
}

// describeNodes describes the nodes of the history from newest back to the one after ancestor.
// Each text begins with prefix.
func describeNodes(view *chain.View, prefix string, newest, ancestor history.ID) ([]string, error) {
	var texts []string
	id := newest
	for id > ancestor {
		node, err := view.Node(id)
		if err != nil {
			return nil, err
		}
		texts = append(texts, prefix+answer.NodeOf(view, node).Line())
		id = node.Parent
	}
	return texts, nil
}

// wordPattern matches a word of a line: JSON from its first brace to its last, a text in
// quotes, or anything without blanks.
var wordPattern = regexp.MustCompile(`\{.*\}|'[^']*'|"[^"]*"|\S+`)

// splitLine splits a line into the words of a command, without the quotes around a word. A
// JSON message is one word and needs no quotes. It fails if a quote or a brace is not closed.
func splitLine(line string) (words []string, err error) {
	for _, word := range wordPattern.FindAllString(line, -1) {
		firstByte := word[0]
		lastByte := word[len(word)-1]
		isQuoted := firstByte == '\'' || firstByte == '"'
		switch {
		case firstByte == '{' && lastByte != '}':
			return nil, command.UsageErrorf("the message ends before its last }, expected all of it in one line")
		case isQuoted && (len(word) == 1 || lastByte != firstByte):
			return nil, command.UsageErrorf(
				"the text after %c has no end, expected another %c",
				firstByte,
				firstByte,
			)
		case isQuoted:
			word = word[1 : len(word)-1]
		}
		words = append(words, word)
	}
	return words, nil
}
