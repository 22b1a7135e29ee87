package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

// constantsOf returns the values of all constants of a type that package cw721 declares in a
// file. So a constant that is added later is found, too.
func constantsOf(t *testing.T, file, typeName string) (values []string) {
	t.Helper()
	path := "../cw721/" + file
	if planted := os.Getenv("PLANTED"); planted != "" { // the source of a contract with one more rule
		path = planted
	}
	parsed := chaintest.Must(parser.ParseFile(token.NewFileSet(), path, nil, 0))(t)
	for _, declaration := range parsed.Decls {
		general, isGeneral := declaration.(*ast.GenDecl)
		if !isGeneral || general.Tok != token.CONST {
			continue
		}
		for _, spec := range general.Specs {
			value := spec.(*ast.ValueSpec)
			if name, isNamed := value.Type.(*ast.Ident); isNamed && name.Name == typeName {
				literal := value.Values[0].(*ast.BasicLit)
				values = append(values, chaintest.Must(strconv.Unquote(literal.Value))(t))
			}
		}
	}
	if len(values) < 4 {
		t.Fatalf("%s declares only %q of the type %s", file, values, typeName)
	}
	return values
}

func TestEveryRuleHasSentencesForItsChecks(t *testing.T) {
	for _, rule := range constantsOf(t, "permission.go", "Rule") {
		if words := cw721.WordsOfRule(cw721.Rule(rule)); words == (cw721.RuleWords{}) {
			t.Errorf("add sentences about the rule %q to ruleWords in core/cw721/permission.go", rule)
		}
	}
}

func TestEveryKindOfGrantHasWords(t *testing.T) {
	for _, kind := range constantsOf(t, "grant.go", "GrantKind") {
		if grantTexts[cw721.GrantKind(kind)] == (GrantText{}) {
			t.Errorf("add texts about %q to grantTexts", kind)
		}
		if !slices.Contains(PermissionKinds, kind) {
			t.Errorf("add %q to PermissionKinds", kind)
		}
	}
}

func TestEveryMessageHasWords(t *testing.T) {
	// These are described by describeCollectionMessage, some of them by their names alone.
	described := []string{
		"update_ownership", "update_minter_ownership", "update_creator_ownership", "update_collection_info",
		"remove_withdraw_address", "withdraw_funds", "update_extension",
	}
	for _, rules := range cw721.AllRules() {
		for _, msg := range rules.EmptyMessages() {
			name := cw721.MessageName(msg)
			if _, hasWords := cw721.WordsOf(msg); !hasWords && !slices.Contains(described, name) {
				t.Errorf("add the message %q of %s to messageWords in core/cw721/decode.go", name, rules)
			}
		}
	}
}

func TestEveryActionHasAPhraseAndAMessage(t *testing.T) {
	for _, action := range append(cw721.AllActions(), cw721.OwnAction) {
		if action.Phrase == "" || action.NeedsToken != strings.Contains(action.Phrase, "TOKEN") {
			t.Errorf("%q has the phrase %q", action.Name, action.Phrase)
		}
		if action.Message("", "") == nil {
			t.Errorf("the action %q has no message", action.Name)
		}
	}
}
