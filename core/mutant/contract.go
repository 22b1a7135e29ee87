package mutant

import (
	"iter"
	"reflect"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Contract is a contract that is wrong in one rule. It implements chain.Code.
type Contract struct {
	trueContract cw721.Contract // executes all messages
	mutant       Mutant
}

// Wrap returns a contract that behaves as trueContract does, except for the one rule of m.
func (m Mutant) Wrap(trueContract cw721.Contract) Contract {
	return Contract{trueContract: trueContract, mutant: m}
}

// env returns the environment of a message as the mutant sees it.
func (c Contract) env(env cw721.Env) cw721.Env {
	if c.mutant.currentBlock != nil {
		env.Block = c.mutant.currentBlock(env.Block)
	}
	return env
}

// RunInstantiate creates the collection as the mutant does. It fails as
// [cw721.Contract.RunInstantiate] does.
func (c Contract) RunInstantiate(
	txn kv.Txn,
	env cw721.Env,
	info cw721.Info,
	msg *cw721.InstantiateMsg,
) (cw721.Response, error) {
	if c.mutant.beforeInstantiate != nil {
		msg = copyOf(msg)
		c.mutant.beforeInstantiate(msg)
	}

	// The true contract does the rest in the true block. There is no expiry yet that a mutant
	// could read wrongly, and the contract stores the block.
	return c.trueContract.RunInstantiate(txn, env, info, msg)
}

// RunExecute executes a message as the mutant does. First the mutant can change the
// message, its sender or the stored records. Then the true contract executes the resulting
// message, and can refuse it. Last, the mutant can change the records or the response.
// RunExecute never changes msg itself. It fails as [cw721.Contract.RunExecute] does.
func (c Contract) RunExecute(
	txn kv.Txn,
	env cw721.Env,
	info cw721.Info,
	msg cw721.ExecuteMsg,
) (cw721.Response, error) {
	execution, err := c.newCall(txn, c.env(env), info.Sender, msg)
	if err != nil {
		return cw721.Response{}, err
	}
	if err := c.mutant.beforeExecute.run(execution); err != nil {
		return cw721.Response{}, err
	}

	// A mutant that ignores the message has set it to nil.
	if execution.msg != nil {
		sender := cw721.Info{Sender: execution.sender}
		execution.response, err = c.trueContract.RunExecute(txn, execution.env, sender, execution.msg)
		if err != nil {
			return execution.response, err
		}
	}

	if err := c.mutant.afterExecute.run(execution); err != nil {
		return cw721.Response{}, err
	}
	return execution.response, c.mutant.record.run(execution)
}

// Decide returns the decision of the true contract in the block that the mutant sees.
func (c Contract) Decide(
	reader kv.Reader,
	env cw721.Env,
	info cw721.Info,
	msg cw721.ExecuteMsg,
) (*cw721.Decision, error) {
	return c.trueContract.Decide(reader, c.env(env), info, msg)
}

// RunQuery answers a query as the mutant does. It fails as [cw721.Contract.RunQuery] does.
func (c Contract) RunQuery(reader kv.Reader, env cw721.Env, msg cw721.QueryMsg) ([]byte, error) {
	if c.mutant.beforeQuery != nil {
		msg = copyOf(msg)
		if err := c.mutant.beforeQuery(reader, msg); err != nil {
			return nil, err
		}
	}
	return c.trueContract.RunQuery(reader, c.env(env), msg)
}

// copyOf returns a pointer to a copy of the struct that message points to. Fields that are
// pointers are not followed, so they point to the same values in both structs.
func copyOf[M any](message M) M {
	original := reflect.ValueOf(message).Elem()
	copied := reflect.New(original.Type())
	copied.Elem().Set(original)
	return copied.Interface().(M)
}

// hook changes a call before or after the true contract executes it. A nil hook does nothing.
type hook func(*call) error

// run calls the hook, unless it is nil.
func (h hook) run(call *call) error {
	if h == nil {
		return nil
	}
	return h(call)
}

// onMessage returns a hook that calls change for the messages of one type only.
func onMessage[M cw721.ExecuteMsg](change func(*call, M) error) hook {
	return func(call *call) error {
		msg, isOfType := call.msg.(M)
		if !isOfType {
			return nil
		}
		return change(call, msg)
	}
}

// call is the execution of one message by a mutant.
type call struct {
	trueContract cw721.Contract
	txn          kv.Txn        // the contract's records
	env          cw721.Env     // has the current block as the mutant sees it
	sender       cw721.Address // in whose name the true contract executes the message
	// msg is the message that the true contract executes. If it is nil, the true contract
	// executes nothing, and the call succeeds with an empty response.
	msg cw721.ExecuteMsg
	// allowedBy is the rule by which the true contract allows the message, such as
	// [cw721.RuleOperator] for an operator's message. It is empty if the message is
	// refused, or is not about a token.
	allowedBy cw721.Rule
	// tokenID, owner and approvals are those of the message's token before the call. They
	// are empty if allowedBy is empty.
	tokenID   string
	owner     cw721.Address
	approvals []cw721.Approval
	// response is what the call returns. It is empty until the true contract has run.
	response cw721.Response
}

// newCall returns the call for a message that is about to be executed. If the message is
// about a token and the true contract allows it, newCall sets allowedBy, tokenID, owner and
// approvals.
func (c Contract) newCall(
	txn kv.Txn,
	env cw721.Env,
	sender cw721.Address,
	msg cw721.ExecuteMsg,
) (*call, error) {
	execution := &call{trueContract: c.trueContract, txn: txn, env: env, sender: sender, msg: msg}
	decision, err := execution.decide(msg)
	if err != nil {
		return nil, err
	}
	if decision == nil { // refused, or about no token
		return execution, nil
	}

	// Keep the state of the token, which the message can change.
	execution.allowedBy = decision.GrantingCheck().Rule
	execution.tokenID = *decision.TokenID
	execution.owner = *decision.Owner
	token, _, err := cw721.LoadToken(txn, execution.tokenID)
	if err != nil {
		return nil, err
	}
	execution.approvals = token.Approvals
	return execution, nil
}

// decide returns the true contract's decision about a message from the call's sender. It
// returns nil if the contract would refuse the message, or if the message is not about a
// token.
func (c *call) decide(msg cw721.ExecuteMsg) (*cw721.Decision, error) {
	decision, err := c.trueContract.Decide(c.txn, c.env, cw721.Info{Sender: c.sender}, msg)
	if cw721.AsError(err) != nil {
		return nil, nil // the contract refuses the message before it decides
	}
	if err != nil || !decision.Allowed || decision.TokenID == nil {
		return nil, err
	}
	return decision, nil
}

// execute sends a further message to the contract with the right rules, such as one that
// revokes an approval. It executes the message in block 0, in which no grant has expired.
func (c *call) execute(sender cw721.Address, msg cw721.ExecuteMsg) error {
	_, err := c.trueContract.RunExecute(c.txn, cw721.Env{Self: c.env.Self}, cw721.Info{Sender: sender}, msg)
	return err
}

// saveApprovals replaces the stored approvals of the message's token, without the checks of
// the true contract.
func (c *call) saveApprovals(approvals ...cw721.Approval) error {
	token, _, err := cw721.LoadToken(c.txn, c.tokenID)
	if err != nil {
		return err
	}
	token.Approvals = approvals
	record := cw721.TokenRecords(c.tokenID, token)[0] // [1] is its index entry
	return c.txn.Set(record.Key, record.Value)
}

// collect returns all items of a walk over a store. Afterwards the caller can use the store
// again, which is not allowed during a walk.
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
