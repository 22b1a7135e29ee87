package explain_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// plantedRule is a rule that nobody has told this package: tokens of two names are frozen. The
// contract checks it before the other rules, or after them. decideOnToken is the function that
// it wraps.
const plantedRule = `
const RuleFrozen Rule = "frozen" // nobody may act on the token

func (c *call) decideOnToken(tokenID string, approvalSuffices bool) (*Decision, error) {
	decision, err := c.decideUnfrozen(tokenID, approvalSuffices)
	if err != nil || tokenID == "thawed" {
		return decision, err
	}
	check := Check{Rule: RuleFrozen}
	if tokenID == "frozen first" {
		decision.Checks = append([]Check{check}, decision.Checks...)
	} else {
		decision.Checks = append(decision.Checks, check)
	}
	decision.RequiresAll = true
	return decision.refuseWith(newRefusal("the token is frozen")), nil
}
`

// A new rule is planted into the contract. Then no suggestion appears that does not help, and the
// test of the sentences fails, because there are none about the rule.
func TestANewRuleOfTheContractGetsNoFalseSuggestion(t *testing.T) {
	if os.Getenv("PLANTED") != "" {
		t.Skip("this is the inner run")
	}
	source := string(Must(os.ReadFile("../cw721/permission.go"))(t))
	planted := strings.Replace(source, "func (c *call) decideOnToken(", "func (c *call) decideUnfrozen(", 1)
	if planted == source {
		t.Fatal("decideOnToken is not where it was")
	}
	dir := t.TempDir()
	OK(t, os.WriteFile(filepath.Join(dir, "planted.go"), []byte(planted+plantedRule), 0o600))
	overlay := map[string]map[string]string{"Replace": {
		Must(filepath.Abs("../cw721/permission.go"))(t): filepath.Join(dir, "planted.go"),
	}}
	OK(t, os.WriteFile(filepath.Join(dir, "overlay.json"), Must(json.Marshal(overlay))(t), 0o600))

	// Both tests run under the contract with the rule. They are compiled once, since that takes
	// longest.
	command := exec.Command("go", "test", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"),
		"-run", "^(TestFrozenTokens|TestEveryRuleHasSentencesForItsChecks)$", "-v", ".")
	command.Env = append(os.Environ(), "PLANTED="+filepath.Join(dir, "planted.go"))
	output, err := command.CombinedOutput()
	printed := string(output)
	if !strings.Contains(printed, "--- PASS: TestFrozenTokens") {
		t.Errorf("%v: %s", err, printed)
	}
	if err == nil || !strings.Contains(printed, `"frozen" to ruleWords`) {
		t.Errorf("nothing says that the rule has no sentences: %v: %s", err, printed)
	}
}

// TestFrozenTokens is what TestANewRuleOfTheContractGetsNoFalseSuggestion runs.
func TestFrozenTokens(t *testing.T) {
	if os.Getenv("PLANTED") == "" {
		t.Skip("the contract has no such rule")
	}
	w := New(t)
	for _, token := range []string{"frozen first", "frozen last", "thawed"} {
		w.Mint(token, "alice")
	}
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":"thawed"}}`)
	w.Do("alice", `{"approve_all":{"operator":"$carol"}}`)
	for _, who := range People {
		for _, action := range cw721.RulesStandard.Actions() {
			if !action.NeedsToken || action.Name == "update-token" {
				continue
			}
			for _, token := range []string{"frozen first", "frozen last"} {
				change := explainAction(w, who, action.Name, token).Change
				Same(t, who+" "+action.Name+" "+token, explain.DecisionChange{}, change)
			}
			if explainAction(w, who, action.Name, "thawed").Change.Text == "" {
				t.Errorf("%s %s: nothing is suggested", who, action.Name)
			}
		}
	}
}
