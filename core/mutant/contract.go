package mutant

import (
	"iter"
	"reflect"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Contract is a contract that is wrong in one rule: a mutant around the true contract. It
// satisfies chain.Code, the interface through which a chain runs contracts.
type Contract struct {
	truth  cw721.Contract // executes every message, in the end
	mutant Mutant
}

// Wrap returns a contract that behaves as truth does, except for the one rule of m.
func (m Mutant) Wrap(truth cw721.Contract) Contract { return Contract{truth: truth, mutant: m} }

// env replaces the block of an environment by the block that the mutant compares expiries
// with. Most mutants take the block as it is.
func (c Contract) env(env cw721.Env) cw721.Env {
	if c.mutant.currentBlock != nil {
		env.Block = c.mutant.currentBlock(env.Block)
	}
	return env
}

// RunInstantiate creates the collection as the mutant does. It works on a copy of the
// message. It fails as [cw721.Contract.RunInstantiate] does.
func (c Contract) RunInstantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg *cw721.InstantiateMsg) (cw721.Response, error) {
	if c.mutant.beforeInstantiate != nil {
		msg = copyOf(msg)
		c.mutant.beforeInstantiate(msg)
	}

	// The true contract can do the rest, in the true block: a new collection has no expiry
	// that a mutant could compare otherwise, and the block is stored.
	return c.truth.RunInstantiate(t, env, info, msg)
}

// RunExecute executes a message as the mutant does: first the mutant may change the
// message, its sender or the records, then the true contract executes the message that
// results, and last the mutant may change the records or the response. A message that the
// true contract refuses is refused. RunExecute never changes msg itself. It fails as
// [cw721.Contract.RunExecute] does.
func (c Contract) RunExecute(t kv.Txn, env cw721.Env, info cw721.Info, msg cw721.ExecuteMsg) (cw721.Response, error) {
	execution, err := c.newCall(t, c.env(env), info.Sender, msg)
	if err != nil {
		return cw721.Response{}, err
	}
	if err := c.mutant.beforeExecute.run(execution); err != nil {
		return cw721.Response{}, err
	}

	if execution.msg != nil { // nil: the mutant ignores the message
		execution.response, err = c.truth.RunExecute(t, execution.env, cw721.Info{Sender: execution.sender}, execution.msg)
		if err != nil {
			return execution.response, err
		}
	}

	if err := c.mutant.afterExecute.run(execution); err != nil {
		return cw721.Response{}, err
	}
	return execution.response, c.mutant.record.run(execution)
}

// Decide returns the decision of the true contract about a message, in the block that the
// mutant sees. A decision lists the rules that were tried and whether the sender is
// allowed to send the message.
func (c Contract) Decide(r kv.Reader, env cw721.Env, info cw721.Info, msg cw721.ExecuteMsg) (*cw721.Decision, error) {
	return c.truth.Decide(r, c.env(env), info, msg)
}

// RunQuery answers a query as the mutant does. It works on a copy of the message. It fails
// as [cw721.Contract.RunQuery] does.
func (c Contract) RunQuery(r kv.Reader, env cw721.Env, msg cw721.QueryMsg) ([]byte, error) {
	if c.mutant.beforeQuery != nil {
		msg = copyOf(msg)
		if err := c.mutant.beforeQuery(r, msg); err != nil {
			return nil, err
		}
	}
	return c.truth.RunQuery(r, c.env(env), msg)
}

// copyOf returns a pointer to a copy of the struct that message points to. It copies one
// level: members that are pointers still point to the same values.
func copyOf[M any](message M) M {
	original := reflect.ValueOf(message).Elem()
	copied := reflect.New(original.Type())
	copied.Elem().Set(original)
	return copied.Interface().(M)
}

// hook is a function that a mutant runs before or after the true contract executes a
// message. Most mutants have only one; their other hooks are nil.
type hook func(*call) error

// run runs the hook, if there is one.
func (h hook) run(x *call) error {
	if h == nil {
		return nil
	}
	return h(x)
}

// on returns a hook that runs a step for the messages of one type, and does nothing for
// other messages.
func on[M cw721.ExecuteMsg](step func(*call, M) error) hook {
	return func(x *call) error {
		msg, isOfType := x.msg.(M)
		if !isOfType {
			return nil
		}
		return step(x, msg)
	}
}

// call is the execution of one message by a mutant, a contract that is wrong in one rule. The
// mutant changes its fields before and after the true contract runs.
type call struct {
	truth cw721.Contract
	txn   kv.Txn
	env   cw721.Env
	// sender and msg are what the true contract is going to execute. If msg is nil, it
	// executes nothing, and the call succeeds with an empty response.
	sender cw721.Address
	msg    cw721.ExecuteMsg
	// allowedBy is the rule by which the true contract allows the message, such as
	// [cw721.RuleOperator] for an operator's message. It is empty if the message is
	// refused, or is not about a token.
	allowedBy cw721.Rule
	// tokenID, owner and approvals are those of the message's token before the call.
	// They are empty if allowedBy is empty.
	tokenID   string
	owner     cw721.Address
	approvals []cw721.Approval
	response  cw721.Response
}

// newCall returns the call of a message. If the true contract allows the message and it is
// about a token, the call has that token's ID, owner and approvals from before the message.
func (c Contract) newCall(t kv.Txn, env cw721.Env, sender cw721.Address, msg cw721.ExecuteMsg) (*call, error) {
	x := &call{truth: c.truth, txn: t, env: env, sender: sender, msg: msg}
	decision, err := x.decide(msg)
	if err != nil {
		return nil, err
	}
	if decision == nil { // refused, or about no token
		return x, nil
	}

	// Note what the message may change.
	x.allowedBy = decision.GrantingCheck().Rule
	x.tokenID = *decision.TokenID
	x.owner = *decision.Owner
	token, _, err := cw721.LoadToken(t, x.tokenID)
	if err != nil {
		return nil, err
	}
	x.approvals = token.Approvals
	return x, nil
}

// decide returns the true contract's decision about a message of the call's sender. It
// returns nil if the contract would refuse the message, or if the message is about no
// token.
func (x *call) decide(msg cw721.ExecuteMsg) (*cw721.Decision, error) {
	decision, err := x.truth.Decide(x.txn, x.env, cw721.Info{Sender: x.sender}, msg)
	if cw721.AsError(err) != nil {
		return nil, nil // the contract refuses the message before it decides
	}
	if err != nil || !decision.Allowed || decision.TokenID == nil {
		return nil, err
	}
	return decision, nil
}

// execute makes the true contract execute a message that nobody sent, such as the
// revocation of an approval. It runs in block 0, where no grant has expired.
func (x *call) execute(sender cw721.Address, msg cw721.ExecuteMsg) error {
	_, err := x.truth.RunExecute(x.txn, cw721.Env{Self: x.env.Self}, cw721.Info{Sender: sender}, msg)
	return err
}

// saveApprovals replaces the stored approvals of the message's token, without the checks of
// the true contract.
func (x *call) saveApprovals(approvals ...cw721.Approval) error {
	token, _, err := cw721.LoadToken(x.txn, x.tokenID)
	if err != nil {
		return err
	}
	token.Approvals = approvals
	record := cw721.TokenRecords(x.tokenID, token)[0] // [1] is its index entry
	return x.txn.Set(record.Key, record.Value)
}

// collect returns the items of a walk over a store. The store can be read and written
// again afterwards, which is not allowed during a walk.
func collect[T any](walk iter.Seq2[T, error]) ([]T, error) {
	var items []T
	for item, err := range walk {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
