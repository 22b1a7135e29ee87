package form

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Batch is a dialog that sends many messages one by one, for example one for each
// selected token. It first previews all of them, then sends those that will work, and
// then lists the outcomes.
type Batch struct {
	title       string
	jobs        []Job
	actor       cw721.Address   // the account that the user acts as
	asOwners    bool            // the sender is each token's owner, not the actor
	onlyOwners  bool            // sent by the actor, the messages would be about the actor's own grants
	newAccounts []chain.Account // are added before the first message is sent

	phase          batchPhase
	round          int        // the number of the latest round of previews; older answers are dropped
	previewedCount int        // how many jobs, from the first, have a preview
	sendingIndex   int        // index into jobs of the message that is being sent
	firstNode      history.ID // the node of the first sent message in the history; 0 before
	isStopped      bool       // the user wants no more messages to be sent
	scroll         *widget.Scroll
	box            widget.Box
}

// Job is one message of a batch.
type Job struct {
	Description string        // in words: "ape-0042 → bob"
	Owner       cw721.Address // the token's owner, who can be the sender; empty for none
	Msg         []byte        // the message as JSON
	sender      cw721.Address // set before the preview: the actor, or the owner
	state       jobState
	stateText   string // what the message did, or why it was or will be refused
	reason      string // of a refusal, without the names of the token and the accounts
}

// jobState says what became of a message of a batch.
type jobState int

// The states of a job, from its preview to its outcome.
const (
	jobUnknown       jobState = iota // not previewed yet
	jobWillWork                      // its preview worked
	jobWillBeRefused                 // its preview was refused, so it is not sent
	jobDone                          // it was sent and carried out
	jobRefused                       // it was sent and refused, although its preview worked
	jobNotSent                       // the user stopped the batch before it was sent
)

// batchPhase says what a batch does now. The phases follow each other.
type batchPhase int

// The phases of a batch, in their order.
const (
	batchPreviewing batchPhase = iota
	batchReady                 // all jobs are previewed; enter sends them
	batchSending
	batchOver
)

// The bounds of what a batch does at once.
const (
	maxAwaitedSends       = 50 // messages, from the first, for which typed keys wait
	maxPreviewsPerCommand = 50 // messages that one command previews
)

// previewedMsg brings the previews of the next jobs of a batch.
type previewedMsg struct {
	round int // the round of the batch that asked; an answer of an older round is dropped
	jobs  []Job
}

// BatchOverMsg says that a batch is over, so that its selection can go.
type BatchOverMsg struct{}

// OpenBatch returns the command that opens a batch of messages and begins its previews. With
// onlyOwners the owner of each job sends its message, and never the actor.
func OpenBatch(state *app.State, title string, jobs []Job, onlyOwners bool) tea.Cmd {
	batch := &Batch{
		title: title, jobs: jobs, actor: state.Actor, newAccounts: state.NewAccounts,
		asOwners: onlyOwners, onlyOwners: onlyOwners, scroll: widget.NewScroll(),
	}
	return app.OpenDialogThen(batch, batch.startPreviews(state))
}

// RevokeJob returns the job that revokes an approval. displayName returns the name that
// the user sees for an account.
func RevokeJob(displayName func(cw721.Address) string, grant cw721.Grant) Job {
	approval := human.TokenID(grant.Token) + " " + themes.GlyphArrow + " " + displayName(grant.Spender)
	return Job{
		Description: approval + " (" + displayName(grant.Owner) + "'s)",
		Owner:       grant.Owner,
		Msg:         cw721.Encode(&cw721.Revoke{Spender: grant.Spender, TokenID: grant.Token}),
	}
}

// startPreviews begins a round of previews, when the batch opens and when the senders or the
// chain have changed.
func (b *Batch) startPreviews(state *app.State) tea.Cmd {
	b.round++
	b.phase = batchPreviewing
	b.previewedCount = 0
	return b.previewNext(state)
}

// previewNext returns the command that previews the next jobs. Typed keys wait for the first such
// command only. After the last job it returns nil, and the batch is ready.
func (b *Batch) previewNext(state *app.State) tea.Cmd {
	firstIndex := b.previewedCount
	end := min(firstIndex+maxPreviewsPerCommand, len(b.jobs))
	if firstIndex == end {
		b.phase = batchReady
		return nil
	}

	// Copy what the command needs, because it runs on another goroutine.
	round := b.round
	jobs := slices.Clone(b.jobs[firstIndex:end])
	for i := range jobs {
		jobs[i].sender = b.actor
		if b.asOwners && jobs[i].Owner != "" {
			jobs[i].sender = jobs[i].Owner
		}
	}
	facts := state.Facts
	preview := state.Ask(b, func(engine app.Engine) tea.Msg {
		for i := range jobs {
			job := &jobs[i]
			receipt, err := engine.Preview(job.sender, job.Msg)
			job.state = jobWillWork
			if job.isRefused(facts, receipt, err) {
				job.state = jobWillBeRefused
			}
		}
		return previewedMsg{round: round, jobs: jobs}
	})
	if firstIndex > 0 {
		return app.Background(preview)
	}
	return preview
}

// isRefused reports whether a message, or its preview, was not carried out, and stores why. The
// reason, in which equal refusals agree, has an ellipsis in place of the token and the accounts.
func (j *Job) isRefused(facts app.Facts, receipt chain.Receipt, err error) bool {
	switch {
	case err != nil:
		j.stateText = err.Error()
	case receipt.Refusal != nil:
		j.stateText = facts.RefusalText(receipt.Refusal.Kind, receipt.Refusal.Text)
	default:
		return false
	}
	names := []string{string(j.sender), themes.GlyphEllipsis}
	if j.Owner != "" {
		names = append(names, string(j.Owner), themes.GlyphEllipsis)
	}
	if token := facts.SubjectOfMessage(j.Msg).Token; token != nil {
		names = append(names, string(wire.AppendString(nil, *token)), themes.GlyphEllipsis)
	}
	j.reason = strings.NewReplacer(names...).Replace(j.stateText)
	return true
}

// Update handles previews, the outcomes of the messages of the batch, and keys.
func (b *Batch) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, mustClose bool) {
	switch msg := msg.(type) {
	case previewedMsg:
		if msg.round == b.round {
			copy(b.jobs[b.previewedCount:], msg.jobs)
			b.previewedCount += len(msg.jobs)
			return b.previewNext(state), false
		}
	case app.ExecutedMsg:
		if msg.From == any(b) {
			return b.storeOutcome(state, msg)
		}
	case app.FactsChangedMsg:
		if b.phase < batchSending {
			return b.startPreviews(state), false // the outcomes may be others now
		}
	case tea.MouseMsg:
		b.scroll.Update(msg)
	case tea.KeyMsg:
		return b.pressKey(state, msg)
	}
	return nil, false
}

// HasInput reports whether messages are being sent. Quitting would lose the rest of them.
func (b *Batch) HasInput() bool { return b.phase == batchSending }

// Commands lists the keys of the phase.
func (b *Batch) Commands(state *app.State) []app.Command {
	var commands []app.Command
	escText := "cancel"
	switch b.phase {
	case batchReady:
		if sendableCount := b.countJobs(jobWillWork); sendableCount > 0 {
			send := app.DialogCommand("enter", "send "+human.Thousands(sendableCount), func() tea.Cmd {
				b.phase = batchSending
				cmd, _ := b.sendNext(state) // there is a message to send, so this is not the end
				return cmd
			})
			commands = append(commands, send)
		}
	case batchSending:
		escText = "stop"
	case batchOver:
		escText = "close"
		commands = app.KeysForHelp(app.GroupHere, app.Bind("enter", "close", "enter"))
	}
	commands = append(commands, app.KeysForHelp(app.GroupHere, app.Bind("esc", escText, "esc", "q"))...)
	if b.phase == batchReady && !b.onlyOwners {
		otherSenders := "each as its owner"
		if b.asOwners {
			otherSenders = "all as the actor"
		}
		commands = append(commands, app.DialogCommand("o", otherSenders, func() tea.Cmd {
			b.asOwners = !b.asOwners
			return b.startPreviews(state)
		}))
	}
	return append(commands, keysToScroll(b.scroll.Hidden())...)
}

// pressKey handles a key. Esc closes the dialog, but while messages are sent it stops the batch
// after the message that is under way. Enter closes it when the batch is over.
func (b *Batch) pressKey(state *app.State, msg tea.KeyMsg) (cmd tea.Cmd, mustClose bool) {
	if command, isBound := app.FindCommand(b.Commands(state), msg); isBound {
		return command.Do(), false
	}
	keyName := msg.String()
	isEsc := keyName == "esc" || keyName == "q"
	switch {
	case isEsc && b.phase == batchSending:
		b.isStopped = true
	case isEsc, keyName == "enter" && b.phase == batchOver:
		return b.notifyOutcome(), true
	default:
		b.scroll.Update(msg)
	}
	return nil, false
}

// sendNext returns the command that sends the next message whose preview worked, unless the user
// has stopped the batch. When none remains, the batch is over. The dialog then closes if every
// message was carried out, because the notice says everything.
func (b *Batch) sendNext(state *app.State) (cmd tea.Cmd, mustClose bool) {
	for ; b.sendingIndex < len(b.jobs); b.sendingIndex++ {
		job := &b.jobs[b.sendingIndex]
		if job.state != jobWillWork {
			continue
		}
		if b.isStopped {
			job.state = jobNotSent
			continue
		}
		return b.sendJob(state, *job), false
	}
	b.phase = batchOver
	reportEnd := app.Send(BatchOverMsg{})
	if b.countJobs(jobDone) == len(b.jobs) {
		return tea.Batch(reportEnd, b.notifyOutcome()), true
	}
	return reportEnd, false
}

// sendJob returns the command that sends the message of a job. After the first maxAwaitedSends,
// messages are sent in the background, so that no key waits long.
func (b *Batch) sendJob(state *app.State, job Job) tea.Cmd {
	batchState := *state
	batchState.NewAccounts = b.newAccounts
	if len(b.jobs) == 1 {
		return app.ExecuteAs(&batchState, b, job.sender, job.Msg)
	}
	send := app.ExecuteInBatch(&batchState, b, b.firstNode, job.sender, job.Msg)
	if b.sendingIndex >= maxAwaitedSends {
		return app.Background(send)
	}
	return send
}

// notifyOutcome returns the command that shows a notice of how the batch ended, or nil if it has
// not.
func (b *Batch) notifyOutcome() tea.Cmd {
	if b.phase != batchOver {
		return nil
	}
	level, text := b.outcomeNotice()
	return app.Notify(level, text)
}

// storeOutcome stores the outcome of the message that was sent in its job, and sends the next.
func (b *Batch) storeOutcome(state *app.State, msg app.ExecutedMsg) (cmd tea.Cmd, mustClose bool) {
	if b.firstNode == 0 {
		b.firstNode = msg.Receipt.Node
	}
	job := &b.jobs[b.sendingIndex]
	if job.isRefused(state.Facts, msg.Receipt, msg.Err) {
		job.state = jobRefused
	} else {
		job.state = jobDone
		job.stateText = state.Summary(msg.Receipt)
	}
	return b.sendNext(state)
}

func (b *Batch) countJobs(state jobState) (count int) {
	for _, job := range b.jobs {
		if job.state == state {
			count++
		}
	}
	return count
}

// outcomeNotice returns the notice at the end of a batch, such as "Burn: 3 done, 1 refused". For a
// single message that was carried out, it says what the message did.
func (b *Batch) outcomeNotice() (widget.Level, string) {
	if len(b.jobs) == 1 && b.jobs[0].state == jobDone {
		return app.LevelGood, b.jobs[0].stateText
	}
	refusedCount := b.countJobs(jobRefused) + b.countJobs(jobWillBeRefused)
	level := app.LevelGood
	text := b.title + ": " + human.Thousands(b.countJobs(jobDone)) + " done"
	if refusedCount > 0 {
		level = app.LevelWarn
		text += ", " + human.Thousands(refusedCount) + " refused"
	}
	if notSentCount := b.countJobs(jobNotSent); notSentCount > 0 {
		text += ", " + human.Thousands(notSentCount) + " not sent"
	}
	return level, text
}

// StopsClock marks the batch as an [app.ClockStopper].
func (b *Batch) StopsClock() {}
