package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/dump"
)

// RecordError is the reason why a history cannot be recorded as a scenario.
type RecordError struct{ Text string }

func (e *RecordError) Error() string { return e.Text }

// HistoryPart is the part of a history to record. The zero HistoryPart is the whole
// history, to its head.
type HistoryPart struct {
	// From is the first node whose answer is expected. The nodes before it set the
	// scene: they are recorded without an expectation, and without refused messages.
	// 0 is the first node of the history.
	From history.ID
	// To is the last node. It can be on any branch. 0 is the head of the history.
	To history.ID
	// FullAnswers expects whole answers. Otherwise a message that was accepted is
	// expected to be accepted.
	FullAnswers bool
	// StartAt, if it is not 0, is the node whose state the scenario begins with: a dump
	// holds that state, and only the nodes after StartAt become steps.
	StartAt history.ID
	// DumpName is the file name, for the header, of a dump that the scenario begins with: the
	// state of StartAt, or the import that the history begins with.
	DumpName string
	// Checks adds queries after the history, with their answers: the owner and the approvals
	// of each token, the operators and the roles. To must be 0 then.
	Checks bool
	// FinalSteps follow the history. If there are any, the whole history sets the scene.
	FinalSteps []Step
	// RowNames, if there are any, name the final steps. The scenario then has one final step,
	// with a row of values for each of FinalSteps, which must have the same members.
	RowNames []string
}

// Source provides the history to record.
type Source interface {
	View(func(*chain.View) error) error
	ViewAt(history.ID, func(*chain.View) error) error
}

// RecordToFile is [Record] into a file. The end of its name is the format. save creates
// a file and fills it by write. The state that the scenario begins with is written to a
// dump in the same directory, NAME.state.json.
func RecordToFile(from Source, name string, part HistoryPart, save func(name string, write func(io.Writer) error) error, beforeStep func() error) (steps int, err error) {
	format, err := FormatOf(name)
	if err != nil {
		return 0, err
	}
	dir, base := path.Split(strings.TrimSuffix(name, ".gz"))
	part.DumpName = strings.TrimSuffix(base, path.Ext(base)) + ".state.json"

	// Only the recording tells at which node the dump is needed.
	var dumpAt history.ID
	writeScenario := func(w io.Writer) error {
		return from.View(func(v *chain.View) (err error) {
			steps, dumpAt, err = Record(w, format, v, part, beforeStep)
			return err
		})
	}
	writeDump := func(w io.Writer) error {
		return from.ViewAt(dumpAt, func(v *chain.View) error { return dump.Write(w, nil, v.Records()) })
	}
	err = save(name, func(w io.Writer) error {
		if err := writeScenario(w); err != nil || dumpAt == 0 {
			return err
		}
		return save(dir+part.DumpName, writeDump) // before the scenario is saved, which needs it
	})
	return steps, err
}

// Record writes the history of a chain, from its beginning or from a node, to the end of a
// part, as a scenario that plays the same. It writes every message, also refused ones, with
// its block, its sender and its answer. Undone nodes are left out. Record calls beforeStep,
// which can be nil, before every step, and ends with its error.
//
// Record returns the number of steps, and the node whose state the scenario needs as a
// dump: part.StartAt, or the import that the history begins with, or 0. It fails with the
// errors of w, and with a [*RecordError] if the beginning is not known, the part begins on
// another branch, or no step can fail. In the last case it has written the scenario.
func Record(w io.Writer, f Format, v *chain.View, part HistoryPart, beforeStep func() error) (steps int, dumpAt history.ID, err error) {
	r := &recording{view: v, part: part, firstReceivers: map[cw721.Address]chain.Receiver{}, names: map[cw721.Address]string{}}
	if err := r.collectPath(); err != nil {
		return 0, 0, err
	}
	header, err := r.header()
	if err != nil {
		return 0, 0, err
	}

	// The checker finds messages that the reader of YAML would refuse as mistakes.
	checker := messageChecker{contract: v.Contract()}
	if _, checker.isCompiled, err = v.Module(); err != nil {
		return 0, 0, err
	}

	// Write each step, and note whether any of them could fail.
	canFail := false
	err = Write(w, f, header, func(write func(Step) error) error {
		return r.eachStep(func(s Step) error {
			steps++
			canFail = canFail || s.canFail()
			if f == YAML { // which refuses a mistake unless the step says that it is meant
				_, mistake := checker.findMistake(&s)
				s.Ignored = mistake != ""
			}
			if beforeStep != nil {
				if err := beforeStep(); err != nil {
					return err
				}
			}
			return write(s)
		})
	})
	if err == nil && !canFail {
		err = &RecordError{"no message was sent in this part of the history, so there is nothing that a run could check"}
	}
	return steps, r.dumpAt, err
}

// recording is the part of a history that is being recorded.
type recording struct {
	view *chain.View
	part HistoryPart
	// path holds the nodes from the last one back to the first.
	path []history.ID
	// start is the block before the first node.
	start cw721.Block
	// firstReceivers holds how each contract received its first token. The history has
	// only the answers of contracts, not what users set.
	firstReceivers map[cw721.Address]chain.Receiver
	// dumpAt is the node whose state the scenario begins with, from a dump; 0 if its steps
	// create the collection.
	dumpAt history.ID
	// rowValues are those of the only final step of a scenario with rows, otherwise nil.
	rowValues map[string]string

	// names has the name of each address, resolveName the address of each name.
	// addressNames replaces addresses in messages by "$name".
	names        map[cw721.Address]string
	resolveName  cw721.NameLookup
	addressNames *strings.Replacer
}

// collectPath walks back from the last node to the first, and collects the nodes, the
// first receivers and the start.
func (r *recording) collectPath() error {
	r.start = r.view.Clock.Block() // of a history without nodes
	r.part.To = cmp.Or(r.part.To, r.view.Head)
	for id := r.part.To; id != 0; {
		node, err := r.recordableNode(id)
		if err != nil {
			return err
		}
		if id == r.part.StartAt {
			return r.startAt(node)
		}
		if to, receiver, ok := r.receiverShownBy(node); ok {
			r.firstReceivers[to] = receiver
		}
		r.start = cw721.Block{Height: node.Height, Time: node.Time}
		if node.Kind == history.KindImport {
			r.dumpAt = id
			break
		}
		r.path = append(r.path, id)
		id = node.Parent
	}

	// The walk has not met the node with which the part begins if that is on another branch.
	first := cmp.Or(r.part.StartAt, r.part.From)
	if first != 0 && !slices.Contains(r.path, first) {
		return &RecordError{fmt.Sprintf("#%d does not lead to #%d, so there is nothing between the two to record", first, r.part.To)}
	}
	return nil
}

// startAt makes the scenario begin with the state that a node left. It fails with a
// [*RecordError] if there was no collection yet.
func (r *recording) startAt(node history.Node) (err error) {
	r.dumpAt = node.ID
	if r.start, err = blockAfter(node); err != nil {
		return err
	}
	return r.view.At(node.ID, func(v *chain.View) error {
		if !v.HasCollection() {
			return &RecordError{fmt.Sprintf("#%d is before the collection was created, expected a later node", node.ID)}
		}
		return nil
	})
}

// blockAfter returns the block in which a node of the history leaves the chain. It fails
// with a [*RecordError] for a clock move that cannot be read.
func blockAfter(node history.Node) (cw721.Block, error) {
	if node.Kind != history.KindClock {
		return cw721.Block{Height: node.Height, Time: node.Time}, nil
	}
	_, moved, ok := chain.ClocksOf(node)
	if !ok {
		return cw721.Block{}, &RecordError{fmt.Sprintf("the clock move of node %d cannot be read", node.ID)}
	}
	return moved.Block(), nil
}

// recordableNode reads a node of the history, which is one message or clock move. It fails
// with a [*RecordError] if the node was removed from the history to save space, or if a
// scenario cannot hold what it did, which is a migration.
func (r *recording) recordableNode(id history.ID) (history.Node, error) {
	node, err := r.view.Node(id)
	if unknown, ok := errors.AsType[*history.UnknownNodeError](err); ok && unknown.Pruned && len(r.path) > 0 {
		oldest := r.path[len(r.path)-1]
		return node, &RecordError{fmt.Sprintf("the history before node %d was forgotten, so it cannot be recorded from the beginning", oldest)}
	}
	if err != nil || id == r.part.StartAt { // the dump holds what StartAt did
		return node, err
	}
	if node.Kind == history.KindMigrate && node.Refusal == nil {
		return node, &RecordError{fmt.Sprintf("#%d is a migration to another contract, which a scenario cannot hold", id)}
	}
	return node, nil
}

// receiverShownBy returns to which contract a node has sent a token, by send_nft, and
// whether that contract accepted or rejected it. ok is false for a node with another
// message, and for one whose outcome does not depend on the receiving contract.
func (r *recording) receiverShownBy(n history.Node) (to cw721.Address, receiver chain.Receiver, ok bool) {
	if n.Kind != history.KindExecute || r.view.Config.Record {
		return "", "", false
	}
	msg, _, err := r.view.Contract().DecodeExecute([]byte(n.Message), nil)
	send, isSend := msg.(*cw721.SendNft)
	if err != nil || !isSend || send.Contract == r.view.Self {
		return "", "", false
	}
	if n.Refusal == nil {
		return send.Contract, chain.ReceiverAccepts, true
	}
	_, receiver, ok = chain.ReceiverBehind(n.Refusal.Kind, n.Refusal.Text)
	return send.Contract, receiver, ok
}

// header returns the header of the scenario, and fills the maps of names.
func (r *recording) header() (Header, error) {
	h := Header{
		Name:        r.view.About,
		Rules:       r.view.Rules,
		Flavour:     r.view.Flavour,
		Prefix:      r.view.Prefix,
		Self:        r.view.Self,
		Start:       At{Height: &r.start.Height, Time: &r.start.Time},
		Undelivered: Undelivered(r.view.Config.Record),
	}
	if c, err := r.view.Collection(); err == nil && h.Name == "" {
		h.Name = c.Name
	}

	// Of a compiled contract, say which one gave the answers.
	module, isCompiled, err := r.view.Module()
	if err != nil {
		return h, err
	}
	if isCompiled {
		h.About = fmt.Sprintf("The answers are those of the compiled contract %s, sha256 %s.", module.File, module.Checksum)
	}
	if r.dumpAt != 0 {
		h.Import = r.part.DumpName
	}
	if err := r.nameAccounts(&h); err != nil {
		return h, err
	}

	// Rows name the values of the last steps, one row for each of these steps.
	if len(r.part.RowNames) > 0 {
		isAccount := func(name string) bool {
			_, ok := r.resolveName(name)
			return ok
		}
		r.rowValues, h.Rows = rowsOf(r.part.RowNames, r.part.FinalSteps, isAccount)
	}
	return h, nil
}

// nameAccounts adds the accounts of the chain to the header, and then the contracts that
// received tokens and have no name, as contract-1, contract-2 and so on. It fills names,
// resolveName and addressNames for them.
func (r *recording) nameAccounts(h *Header) error {
	accounts, err := r.view.Accounts()
	if err != nil {
		return err
	}
	addresses := map[string]cw721.Address{}
	for _, account := range accounts {
		addresses[account.Name] = account.Address
		r.names[account.Address] = account.Name
	}

	// A scenario names every contract whose way to receive tokens it sets.
	for _, address := range slices.Sorted(maps.Keys(r.firstReceivers)) {
		if r.names[address] == "" {
			name := unusedContractName(addresses)
			addresses[name] = address
			r.names[address] = name
			accounts = append(accounts, chain.Account{Name: name, Address: address})
		}
	}

	var replacements []string
	for _, account := range accounts {
		if first, ok := r.firstReceivers[account.Address]; ok {
			account.Receiver = first
		}
		if account.Receiver != chain.ReceiverDefault {
			h.Contracts = append(h.Contracts, account)
		}
		replacements = append(replacements, string(account.Address), "$"+account.Name)
	}
	h.Accounts = append(h.Accounts, accounts...)
	r.addressNames = quotedReplacer(replacements)
	r.resolveName = func(name string) (string, bool) {
		address, ok := addresses[name]
		return string(address), ok
	}
	return nil
}

// partBegins is the note before the first step whose recorded answer is expected. The steps
// before it only lead to that point.
const partBegins = "The steps before this one prepare the collection. From here on every answer is checked."

// eachStep calls yield with every step, from the first to the last.
func (r *recording) eachStep(yield func(Step) error) error {
	steps := &stepWriter{
		recording: r,
		setsScene: r.part.From != 0 || r.part.FinalSteps != nil,
		receivers: maps.Clone(r.firstReceivers),
		block:     r.start,
		yield:     yield,
	}
	end := r.start // the block after the nodes so far
	for _, id := range slices.Backward(r.path) {
		node, err := r.view.Node(id)
		if err != nil {
			return err
		}
		if err := steps.addNode(node); err != nil {
			return err
		}
		if end, err = blockAfter(node); err != nil {
			return err
		}
	}

	// Clock moves after the last message are a step of their own.
	if steps.block != end {
		if err := steps.write(Step{}, end); err != nil {
			return err
		}
	}
	for _, step := range r.part.FinalSteps {
		if r.rowValues != nil {
			step.RowValues = r.rowValues
			return yield(step) // the other final steps are rows of this one
		}
		if err := yield(step); err != nil {
			return err
		}
	}
	if r.part.Checks {
		return r.eachCheck(yield)
	}
	return nil
}

// stepWriter writes the nodes of a recording as steps.
type stepWriter struct {
	*recording
	// setsScene is set for the nodes before the part, which are written without an
	// expectation and without refused messages.
	setsScene bool
	// receivers has how each contract receives tokens at this point of the scenario.
	receivers map[cw721.Address]chain.Receiver
	block     cw721.Block // of the step that was written last
	yield     func(Step) error
}

// write writes a step, which first moves the clock to a block.
func (w *stepWriter) write(s Step, block cw721.Block) error {
	if block != w.block {
		s.moveClock(w.block, block)
		w.block = block
	}
	return w.yield(s)
}

// addNode writes the step of a history node that sent a message, in the node's block. It
// writes none for a clock move, since every step goes to its own block.
//
// The user may have chosen to record only a later part of the history. The nodes before that
// part set the scene: refused messages are left out there, and outcomes are not checked. A
// note marks where the part begins.
func (w *stepWriter) addNode(node history.Node) error {
	block := cw721.Block{Height: node.Height, Time: node.Time}
	if w.setsScene && node.ID == w.part.From {
		w.setsScene = false
		if err := w.write(Step{Note: partBegins}, block); err != nil {
			return err
		}
	}
	isLeftOut := w.setsScene && node.Refusal != nil
	if isLeftOut || node.Kind == history.KindClock {
		return nil
	}

	// The step says how a contract receives tokens if the message shows it for the first
	// time.
	step := w.messageStep(node)
	if w.setsScene {
		step.Expect = nil
	}
	to, receiver, ok := w.receiverShownBy(node)
	if ok && w.receivers[to] != receiver {
		step.Contracts = Contracts{{Name: w.names[to], Receiver: receiver}}
		w.receivers[to] = receiver
	}
	return w.write(step, block)
}

// unusedContractName returns the first of contract-1, contract-2 and so on that is not taken.
func unusedContractName(taken map[string]cw721.Address) string {
	for i := 1; ; i++ {
		name := fmt.Sprintf("contract-%d", i)
		if _, ok := taken[name]; !ok {
			return name
		}
	}
}
