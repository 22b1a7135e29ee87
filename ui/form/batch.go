package form

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Batch is a dialog that sends many messages one by one, for example one for each
// selected token. It first previews all of them, then sends those that will work, and
// then lists the outcomes.
type Batch struct {
	title    string
	jobs     []Job
	load     func(*chain.View) ([]Job, error) // nil once the jobs are known
	actor    cw721.Address
	asOwners bool // the owner of each token sends its message, in place of the actor

	phase     batchPhase
	round     int        // counts the rounds of previews, so that answers of an earlier one are dropped
	previewed int        // how many jobs, from the first, have a preview
	current   int        // index into jobs of the one that is being sent
	firstNode history.ID // the history's node of the first message sent; 0 before
	isStopped bool       // the user wants no more messages to be sent
	readError string     // why the jobs could not be read
	scroll    *widget.Scroll
	box       widget.Box
}

// Job is one message of a batch.
type Job struct {
	Description string        // in words: "ape-0042 → bob"
	Owner       cw721.Address // of the token, who can send it in place of the actor; empty for none
	Msg         []byte        // the message as JSON
	state       jobState
	text        string // what it did, or why it was or will be refused
}

// jobState says what became of a message of a batch.
type jobState int

// The states of a job, from its preview to its outcome.
const (
	jobUnknown       jobState = iota // not previewed yet
	jobWillWork                      // its preview worked
	jobWillBeRefused                 // its preview was refused, so it is not sent
	jobDone
	jobRefused // although its preview worked
	jobNotSent // the user stopped the batch before it
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
	// awaitedSends is the number of messages that keys wait for. The others are
	// sent in the background.
	awaitedSends = 50
	// previewsPerCommand is the number of messages that one command previews.
	previewsPerCommand = 50
)

// batchReadMsg brings the jobs of a batch, or a part of them with their previews.
type batchReadMsg struct {
	round int // counts the readings, so that the answer to an earlier one is dropped
	jobs  []Job
	from  int // the index of the first job that was previewed; -1 if none was yet
	err   error
}

// BatchOverMsg says that a batch is over, so that its selection can go.
type BatchOverMsg struct{}

// OpenBatch returns the command that opens a batch of messages. If load is nil, jobs are
// the messages; otherwise load reads them in the background.
func OpenBatch(st *app.State, title string, jobs []Job, load func(*chain.View) ([]Job, error)) tea.Cmd {
	return (&Batch{title: title, jobs: jobs, load: load}).open(st)
}

// OpenBatchAsOwners does the same as [OpenBatch] for messages that each job's owner sends, not
// the actor.
func OpenBatchAsOwners(st *app.State, title string, jobs []Job) tea.Cmd {
	return (&Batch{title: title, jobs: jobs, asOwners: true}).open(st)
}

// open returns the command that opens the batch and begins its previews.
func (b *Batch) open(st *app.State) tea.Cmd {
	b.actor = st.Actor
	b.scroll = widget.NewScroll()
	return app.OpenDialogThen(b, b.start(st))
}

// RevokeJob returns the job that revokes an approval.
func RevokeJob(displayName func(cw721.Address) string, g cw721.Grant) Job {
	return Job{
		Description: g.Token + " " + themes.GlyphArrow + " " + displayName(g.Spender) + " (" + displayName(g.Owner) + "'s)",
		Owner:       g.Owner,
		Msg:         cw721.Encode(&cw721.Revoke{Spender: g.Spender, TokenID: g.Token}),
	}
}

// sender returns the sender of a job.
func (b *Batch) sender(j Job) cw721.Address {
	if b.asOwners && j.Owner != "" {
		return j.Owner
	}
	return b.actor
}

// start begins a new round of previews, at first or after the senders have changed. It
// returns the command that reads the jobs if they are not known, and otherwise the one
// that previews the first of them.
func (b *Batch) start(st *app.State) tea.Cmd {
	b.round++
	b.phase = batchPreviewing
	b.previewed = 0
	if b.load == nil {
		return b.previewNext(st)
	}
	load := b.load
	round := b.round
	return st.Ask(b, func(e app.Engine) tea.Msg {
		jobs, err := chain.Read(e, load)
		return batchReadMsg{round: round, jobs: jobs, from: -1, err: err}
	})
}

// previewNext returns the command that previews the next jobs, up to previewsPerCommand
// of them. Typed keys wait for the first such command only; the others run in the
// background. After the last job it returns nil, and the batch is ready.
func (b *Batch) previewNext(st *app.State) tea.Cmd {
	from := b.previewed
	to := min(from+previewsPerCommand, len(b.jobs))
	if from == to {
		b.phase = batchReady
		return nil
	}

	// Copy what the command needs. The round tells its answer from those of earlier
	// previews.
	round := b.round
	jobs := slices.Clone(b.jobs[from:to])
	senders := make([]cw721.Address, len(jobs))
	for i, j := range jobs {
		senders[i] = b.sender(j)
	}
	facts := st.Facts
	preview := st.Ask(b, func(e app.Engine) tea.Msg {
		for i := range jobs {
			receipt, err := e.Preview(senders[i], jobs[i].Msg)
			jobs[i].state = jobWillWork
			jobs[i].text = whyNot(facts, receipt, err)
			if jobs[i].text != "" {
				jobs[i].state = jobWillBeRefused
			}
		}
		return batchReadMsg{round: round, jobs: jobs, from: from}
	})
	if from > 0 {
		return app.Background(preview)
	}
	return preview
}

// whyNot returns why a message was not carried out: err, or the refusal in its receipt.
// It returns "" if it was carried out.
func whyNot(facts app.Facts, r chain.Receipt, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case r.Refusal != nil:
		return facts.RefusalText(r.Refusal.Kind, r.Refusal.Text)
	}
	return ""
}

// Update handles the keys, the wheel, what was read for the batch, and the outcomes of
// its messages. It returns true if the dialog is to close.
func (b *Batch) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case batchReadMsg:
		return b.applyRead(st, msg), false
	case app.ExecutedMsg:
		if msg.From == any(b) {
			return b.executed(st, msg)
		}
	case tea.MouseMsg:
		b.scroll.Update(msg)
	case tea.KeyMsg:
		return b.key(st, msg)
	}
	return nil, false
}

// applyRead takes the jobs that were read, or the previews of some, and returns the
// command that previews the next. It ignores answers of an earlier round. If the jobs
// could not be read, the batch is over.
func (b *Batch) applyRead(st *app.State, msg batchReadMsg) tea.Cmd {
	if msg.round != b.round {
		return nil
	}
	if msg.err != nil {
		b.phase = batchOver
		b.readError = msg.err.Error()
		return nil
	}
	if msg.from < 0 { // these are the jobs themselves
		b.jobs = msg.jobs
		b.load = nil
	} else {
		copy(b.jobs[msg.from:], msg.jobs)
		b.previewed = msg.from + len(msg.jobs)
	}
	return b.previewNext(st)
}

// Commands lists the keys of the phase.
func (b *Batch) Commands(*app.State) []app.Command {
	var keys []key.Binding
	switch b.phase {
	case batchReady:
		if n := b.count(jobWillWork); n > 0 {
			keys = append(keys, app.Bind("enter", fmt.Sprintf("send %d", n), "enter"))
		}
		keys = append(keys, app.Bind("esc", "cancel", "esc", "q"), app.Bind("o", b.otherSenders(), "o"))
	case batchSending:
		keys = append(keys, app.Bind("esc", "stop", "esc", "q"))
	case batchOver:
		keys = append(keys, app.Bind("enter", "close", "enter"), app.Bind("esc", "close", "esc", "q"))
	default:
		keys = append(keys, app.Bind("esc", "cancel", "esc", "q"))
	}
	return append(app.KeysForHelp(app.GroupHere, keys...), readOn(b.scroll.Hidden())...)
}

// otherSenders names the senders that the key o changes to.
func (b *Batch) otherSenders() string {
	if b.asOwners {
		return "all as the actor"
	}
	return "each as its owner"
}

// key handles a key, and reports whether the dialog is to close. While messages are sent,
// esc lets the current one finish and sends no more; otherwise it closes. The key o
// changes between the actor and the owners of the tokens as senders, and previews anew.
func (b *Batch) key(st *app.State, k tea.KeyMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "esc", "q":
		if b.phase != batchSending {
			return b.close(), true
		}
		b.isStopped = true
	case "o":
		if b.phase == batchReady {
			b.asOwners = !b.asOwners
			return b.start(st), false
		}
	case "enter":
		if b.phase == batchOver {
			return b.close(), true
		}
		if b.phase == batchReady && b.count(jobWillWork) > 0 {
			b.phase = batchSending
			b.current = -1 // sendNext goes to the next job, which is the first
			return b.sendNext(st)
		}
	default:
		b.scroll.Update(k)
	}
	return nil, false
}

// sendNext returns the command that sends the next message whose preview worked. After
// the last one the batch is over. done closes the dialog if every message was carried out,
// because the notice then says everything. If the user has stopped the batch, sendNext
// marks all remaining messages as not sent.
func (b *Batch) sendNext(st *app.State) (cmd tea.Cmd, done bool) {
	for b.current++; b.current < len(b.jobs); b.current++ {
		job := &b.jobs[b.current]
		if job.state != jobWillWork {
			continue
		}
		if b.isStopped {
			job.state = jobNotSent
			continue
		}
		return b.send(st, *job), false
	}

	// No message is left.
	b.phase = batchOver
	reportEnd := func() tea.Msg { return BatchOverMsg{} }
	if b.count(jobDone) == len(b.jobs) {
		return tea.Batch(reportEnd, b.close()), true
	}
	return reportEnd, false
}

// send returns the command that sends the message of a job, as one of a batch unless it is
// the only one. Keys wait for the first messages only.
func (b *Batch) send(st *app.State, job Job) tea.Cmd {
	if len(b.jobs) == 1 {
		return app.ExecuteAs(st, b, b.sender(job), job.Msg)
	}
	send := app.ExecuteInBatch(st, b, b.firstNode, b.sender(job), job.Msg)
	if b.current >= awaitedSends {
		return app.Background(send)
	}
	return send
}

// close returns the command that shows how the batch ended as a notice, for the moment when
// the dialog closes: until then the dialog says so itself. It returns nil if nothing was
// sent.
func (b *Batch) close() tea.Cmd {
	if b.phase != batchOver || b.readError != "" {
		return nil
	}
	level, text := b.summary()
	return app.Notify(level, text)
}

// executed notes the outcome of the message that was sent, and returns the command that
// sends the next one. done closes the dialog.
func (b *Batch) executed(st *app.State, msg app.ExecutedMsg) (cmd tea.Cmd, done bool) {
	if b.firstNode == 0 {
		b.firstNode = msg.Receipt.Node
	}
	job := &b.jobs[b.current]
	job.state = jobRefused
	job.text = whyNot(st.Facts, msg.Receipt, msg.Err)
	if job.text == "" {
		job.state = jobDone
		job.text = st.Summary(msg.Receipt)
	}
	return b.sendNext(st)
}

// count returns the number of jobs in a state.
func (b *Batch) count(state jobState) (n int) {
	for _, j := range b.jobs {
		if j.state == state {
			n++
		}
	}
	return n
}

// summary returns the notice at the end of a batch, such as "Burn: 3 done, 1 refused",
// and its level, which is a warning if any message was refused. For a single message that
// was carried out, the notice says what it did.
func (b *Batch) summary() (widget.Level, string) {
	if len(b.jobs) == 1 && b.jobs[0].state == jobDone {
		return app.LevelGood, b.jobs[0].text
	}
	refused := b.count(jobRefused) + b.count(jobWillBeRefused)
	level := app.LevelGood
	text := fmt.Sprintf("%s: %d done", b.title, b.count(jobDone))
	if refused > 0 {
		level = app.LevelWarn
		text += fmt.Sprintf(", %d refused", refused)
	}
	if n := b.count(jobNotSent); n > 0 {
		text += fmt.Sprintf(", %d not sent", n)
	}
	return level, text
}
