package mutant_test

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/mutant"
)

// A story is lines that are played one after the other: "+3" moves the clock by three
// blocks of five seconds, "? MSG" is a query, and "alice MSG" is a message of alice.
// Every story begins with [beginning].
const beginning = `
creator {"mint":{"token_id":"1","owner":"$alice"}}
creator {"mint":{"token_id":"2","owner":"$alice"}}`

// stories has, for each mutant, a story that plays differently with the mutant and the
// true contract.
var stories = map[string]string{
	"inclusive-end": `
alice {"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":110}}}
+10
bob {"burn":{"token_id":"1"}}`,
	"seconds": `
alice {"approve":{"token_id":"1","spender":"$bob","expires":{"at_time":"1795262405000000000"}}}
+10
bob {"burn":{"token_id":"1"}}`,
	"axis-height-never": `
alice {"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":101}}}
+10
bob {"burn":{"token_id":"1"}}`,
	"default-day": `
alice {"approve_all":{"operator":"$bob"}}
+20000
bob {"burn":{"token_id":"1"}}`,
	"past-approve-revokes": `
alice {"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":5}}}`,
	"approve-appends": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
alice {"approve":{"token_id":"1","spender":"$bob"}}
? {"approvals":{"token_id":"1"}}`,
	"approve-replaces": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
alice {"approve":{"token_id":"1","spender":"$carol"}}
bob {"burn":{"token_id":"1"}}`,
	"spender-approves": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
bob {"approve":{"token_id":"1","spender":"$carol"}}`,
	"spender-revokes": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
bob {"revoke":{"token_id":"1","spender":"$bob"}}`,
	"spender-cannot-burn": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
bob {"burn":{"token_id":"1"}}`,
	"revoke-first": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
alice {"approve":{"token_id":"1","spender":"$carol"}}
alice {"revoke":{"token_id":"1","spender":"$carol"}}
bob {"burn":{"token_id":"1"}}`,
	"operator-held": `
alice {"approve_all":{"operator":"$bob"}}
creator {"mint":{"token_id":"3","owner":"$alice"}}
bob {"burn":{"token_id":"3"}}`,
	"operator-appoints": `
alice {"approve_all":{"operator":"$bob"}}
bob {"approve_all":{"operator":"$carol"}}
carol {"burn":{"token_id":"1"}}`,
	"operator-dismisses": `
alice {"approve_all":{"operator":"$bob"}}
bob {"revoke_all":{"operator":"$bob"}}
bob {"burn":{"token_id":"1"}}`,
	"operator-cannot-burn": `
alice {"approve_all":{"operator":"$bob"}}
bob {"burn":{"token_id":"1"}}`,
	"operator-replaces": `
alice {"approve_all":{"operator":"$bob"}}
alice {"approve_all":{"operator":"$carol"}}
bob {"burn":{"token_id":"1"}}`,
	"revoke-all-recalls": `
alice {"approve_all":{"operator":"$bob"}}
bob {"approve":{"token_id":"1","spender":"$carol"}}
alice {"revoke_all":{"operator":"$bob"}}
carol {"burn":{"token_id":"1"}}`,
	"revoke-all-approvals": `
alice {"approve_all":{"operator":"$bob"}}
alice {"approve":{"token_id":"1","spender":"$bob"}}
alice {"revoke_all":{"operator":"$bob"}}
bob {"burn":{"token_id":"1"}}`,
	"transfer-keeps": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
alice {"transfer_nft":{"token_id":"1","recipient":"$carol"}}
bob {"burn":{"token_id":"1"}}`,
	"operator-transfer-keeps": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
alice {"approve_all":{"operator":"$dave"}}
dave {"transfer_nft":{"token_id":"1","recipient":"$carol"}}
bob {"burn":{"token_id":"1"}}`,
	"self-transfer-idle": `
alice {"approve":{"token_id":"1","spender":"$bob"}}
alice {"transfer_nft":{"token_id":"1","recipient":"$alice"}}
bob {"burn":{"token_id":"1"}}`,
	"send-silent": `
alice {"send_nft":{"token_id":"1","contract":"$bob","msg":""}}`,
	"burn-keeps-count": `
alice {"burn":{"token_id":"1"}}
? {"num_tokens":{}}`,
	"offer-lapses": `
creator {"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob"}}}
+1
bob {"update_minter_ownership":"accept_ownership"}`,
	"cap-exclusive": `
creator {"update_collection_info":{"collection_info":{"extension":{"description":"d","image":"https://a.b/c","royalty_info":{"payment_address":"$bob","share":"0.1"}}}}}`,
	"anyone-adds-minters": `
bob {"add_minter":{"minter":"$bob"}}`,
	"shows-expired": `
alice {"approve_all":{"operator":"$bob","expires":{"at_height":101}}}
+1
? {"all_operators":{"owner":"$alice"}}`,
	"start-after-inclusive": `
? {"all_tokens":{"start_after":"1"}}`,
}

func TestEveryMutantPlaysItsStoryDifferently(t *testing.T) {
	for _, m := range mutant.All() {
		contract := contractFor(m)
		truth := play(t, contract, contract, m.Name)
		if mutated := play(t, contract, m.Wrap(contract), m.Name); mutated == truth {
			t.Errorf("%s plays as the true contract does:\n%s", m.Name, truth)
		}
	}
}

func TestTheZeroMutantPlaysEveryStoryAsTheContract(t *testing.T) {
	for _, m := range mutant.All() {
		contract := contractFor(m)
		truth := play(t, contract, contract, m.Name)
		if wrapped := play(t, contract, mutant.Mutant{}.Wrap(contract), m.Name); wrapped != truth {
			t.Errorf("%s: the zero mutant plays\n%s\nand the contract\n%s", m.Name, wrapped, truth)
		}
	}
}

func TestFindNamesTheMutantsThatThereAre(t *testing.T) {
	found, err := mutant.Find("seconds")
	if err != nil || found.Belief != "at_time is in seconds" {
		t.Errorf("Find returned %q, %v", found.Belief, err)
	}
	if _, err := mutant.Find("secs"); err == nil || !strings.Contains(err.Error(), "inclusive-end") {
		t.Errorf("the error is %v, which does not list the names", err)
	}
}

// contractFor returns the contract that the story of a mutant is played with.
func contractFor(m mutant.Mutant) cw721.Contract {
	return cw721.Contract{
		Rules:   cmp.Or(m.Rules, cw721.RulesStandard),
		Flavour: cw721.FlavourBase,
		Prefix:  "cosmos",
	}
}

// play plays the story with a name and returns a line for the outcome of each line. It
// fails the test if a message is not the same afterwards.
func play(t *testing.T, contract cw721.Contract, code chain.Code, name string) string {
	t.Helper()
	addresses := func(name string) (string, bool) {
		address, err := chain.AddressFor(contract.Prefix, name, cw721.AccountBytes)
		return string(address), err == nil
	}
	actor := func(name string) cw721.Info {
		address, _ := addresses(name)
		return cw721.Info{Sender: cw721.Address(address)}
	}
	env := cw721.Env{Block: cw721.Block{Height: 100, Time: 1_795_262_400_000_000_000}}
	store := kv.NewMemory()
	instantiate := &cw721.InstantiateMsg{Name: "Flowers", Symbol: "FLWR"}
	err := store.Update(func(txn kv.Txn) error {
		_, err := code.RunInstantiate(txn, env, actor("creator"), instantiate)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	var outcomes []string
	for _, line := range strings.Split(strings.TrimSpace(beginning+stories[name]), "\n") {
		if blocks, err := strconv.Atoi(line); err == nil {
			env.Block.Height += cw721.Height(blocks)
			env.Block.Time += cw721.Time(blocks) * 5_000_000_000
			continue
		}
		sender, text, _ := strings.Cut(line, " ")
		outcome := "done"
		if sender == "?" {
			outcome, err = query(store, contract, code, env, text, addresses)
		} else {
			err = execute(t, store, contract, code, env, actor(sender), text, addresses)
		}
		if err != nil {
			outcome = err.Error()
		}
		outcomes = append(outcomes, line+": "+outcome)
	}
	return strings.Join(outcomes, "\n")
}

// query returns the answer to a query.
func query(store kv.DB, contract cw721.Contract, code chain.Code, env cw721.Env, text string, names cw721.NameLookup) (answer string, err error) {
	msg, _, err := contract.DecodeQuery([]byte(text), names)
	if err != nil {
		return "", err
	}
	err = store.View(func(r kv.Reader) error {
		bytes, err := code.RunQuery(r, env, msg)
		answer = string(bytes)
		return err
	})
	return answer, err
}

// execute executes a message, and fails the test if the message is changed by it.
func execute(t *testing.T, store kv.DB, contract cw721.Contract, code chain.Code, env cw721.Env, info cw721.Info, text string, names cw721.NameLookup) error {
	t.Helper()
	msg, _, err := contract.DecodeExecute([]byte(text), names)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	before := string(cw721.Encode(msg))
	err = store.Update(func(txn kv.Txn) error {
		response, err := code.RunExecute(txn, env, info, msg)
		if err == nil && len(response.Messages) != strings.Count(text, "send_nft") {
			return errSilent
		}
		return err
	})
	if after := string(cw721.Encode(msg)); after != before {
		t.Errorf("%s was changed to %s", before, after)
	}
	return err
}

var errSilent = errors.New("the receiving contract was not called")
