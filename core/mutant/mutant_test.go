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

// beginning is the beginning of every story. A story consists of lines that are played one
// after the other: "+3" moves the clock by three blocks of five seconds, "? MSG" is a query,
// and "alice MSG" is a message of alice.
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

func TestFindReturnsAMutantByNameOrAnErrorWithAllNames(t *testing.T) {
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

// play plays the story of a mutant with some code, and returns a line for the outcome of each
// message and query. It fails the test if a message is not the same afterwards.
func play(t *testing.T, contract cw721.Contract, code chain.Code, mutantName string) string {
	t.Helper()
	s := &stage{
		T:        t,
		contract: contract,
		code:     code,
		store:    kv.NewMemory(),
		env:      cw721.Env{Block: cw721.Block{Height: 100, Time: 1_795_262_400_000_000_000}},
	}
	err := s.store.Update(func(txn kv.Txn) error {
		_, err := code.RunInstantiate(txn, s.env, s.info("creator"), &cw721.InstantiateMsg{Name: "Flowers", Symbol: "FLWR"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	var outcomes []string
	for _, line := range strings.Split(strings.TrimSpace(beginning+stories[mutantName]), "\n") {
		if blocks, err := strconv.Atoi(line); err == nil {
			s.env.Block.Height += cw721.Height(blocks)
			s.env.Block.Time += cw721.Time(blocks) * 5_000_000_000
			continue
		}

		sender, text, _ := strings.Cut(line, " ")
		outcome := "done"
		var err error
		if sender == "?" {
			outcome, err = s.query(text)
		} else {
			err = s.execute(sender, text)
		}
		if err != nil {
			outcome = err.Error()
		}
		outcomes = append(outcomes, line+": "+outcome)
	}
	return strings.Join(outcomes, "\n")
}

// stage is where a story is played: a store, the current block, and the code that executes
// messages. The contract decodes them.
type stage struct {
	*testing.T
	contract cw721.Contract
	code     chain.Code
	store    kv.DB
	env      cw721.Env
}

// address returns the address of an account by its name.
func (s *stage) address(name string) (address string, ok bool) {
	derived, err := chain.AddressFor(s.contract.Prefix, name, cw721.AccountBytes)
	return string(derived), err == nil
}

// info names the sender of a message by the name of the account.
func (s *stage) info(sender string) cw721.Info {
	address, _ := s.address(sender)
	return cw721.Info{Sender: cw721.Address(address)}
}

// query returns the JSON that answers a query.
func (s *stage) query(text string) (answer string, err error) {
	msg, _, err := s.contract.DecodeQuery([]byte(text), s.address)
	if err != nil {
		return "", err
	}
	err = s.store.View(func(r kv.Reader) error {
		bytes, err := s.code.RunQuery(r, s.env, msg)
		answer = string(bytes)
		return err
	})
	return answer, err
}

// execute executes a message. It fails the test if that changes the message itself.
func (s *stage) execute(sender, text string) error {
	s.Helper()
	msg, _, err := s.contract.DecodeExecute([]byte(text), s.address)
	if err != nil {
		s.Fatalf("%s: %v", text, err)
	}
	before := string(cw721.Encode(msg))
	err = s.store.Update(func(txn kv.Txn) error {
		response, err := s.code.RunExecute(txn, s.env, s.info(sender), msg)
		if err == nil && len(response.Messages) != strings.Count(text, "send_nft") {
			return errNotNotified
		}
		return err
	})
	if after := string(cw721.Encode(msg)); after != before {
		s.Errorf("%s was changed to %s", before, after)
	}
	return err
}

// errNotNotified is the outcome of a send_nft that sends the receiving contract no message.
var errNotNotified = errors.New("the receiving contract was not called")
