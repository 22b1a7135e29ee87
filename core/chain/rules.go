package chain

import (
	"cmp"
	"errors"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// rulesRequest has the rules and the flavour that a user asked for when the chain of a
// compiled contract was made, or nothing.
type rulesRequest struct {
	// Rules are ignored if the contract is a known release, because a release has its own.
	Rules cw721.Rules `wire:"rules,optional"`
	// Flavour takes precedence over the flavour of a known release.
	Flavour cw721.Flavour `wire:"flavour,optional"`
}

// A migration removes the record, and undo restores it.
var rulesRequestItem = kv.NewItem("code", cw721.StoredJSON[rulesRequest]())

// releases are the known compiled releases of cw721, by the checksums of their code. Tests
// compare each of them with its rule set.
var releases = map[string]cw721.Version{
	"d5fa68c6dcf210fd14e556a21d2f7a4976933da33caa97348ad99e0ec4373d9f": {
		Contract: "crates.io:cw721-base",
		Number:   "0.16.0",
	},
	"3301eb34f21ec92c25243154fbf34d851b811101b098d10fe1e709d34c394b16": {
		Contract: "crates.io:cw721-base",
		Number:   "0.17.0",
	},
	"771a4ac1854da5d15070be8436e7ba3e22982fe2c824ccd95f878f744980d0a5": {
		Contract: "crates.io:cw721-base",
		Number:   "0.18.0",
	},
	"96b5cd406ec19804d12052f9a87b78989c9094d319b5dabdb45e975258ec6575": {
		Contract: "crates.io:cw721-base",
		Number:   "0.19.0",
	},
	"7824b2de45e9c0df5f845398592e641a480b06709ba299bdde52f6887ae4bfd5": {
		Contract: "crates.io:cw721-metadata-onchain",
		Number:   "0.19.0",
	},
}

// Release returns the release of cw721 that the module is, by the checksum of the code,
// whatever the contract says itself.
func (m StoredModule) Release() (release cw721.Version, ok bool) {
	release, ok = releases[m.Checksum]
	return release, ok
}

// UnknownModuleFile returns the name of the file of the compiled contract that the chain runs, if
// its code is no known release of cw721, and so may follow other rules than those in force.
func (v *View) UnknownModuleFile() (file string, err error) {
	module, isCompiled, err := v.Module()
	if err != nil || !isCompiled {
		return "", err
	}
	if _, isRelease := module.Release(); isRelease {
		return "", nil
	}
	return module.File, nil
}

// versionIn returns the record contract_info, or nothing if a compiled contract stores something
// else there.
func versionIn(records kv.Reader) (cw721.Version, error) {
	version, _, err := cw721.LoadVersion(records)
	if kv.IsCorrupt(err) {
		return cw721.Version{}, nil
	}
	return version, err
}

// configIn returns the config of a chain with the rules and the flavour that are in force in
// the state that reader sees. config is the one that the chain was made with, which stays in
// force for the built-in contract.
//
// A compiled contract has the rules of its release. If it is no known release, the rules are
// those that the user asked for when the chain was made, and can be empty.
func (m *modules) configIn(reader kv.Reader, config Config) (Config, error) {
	if !m.hasStoredModules.Load() {
		return config, nil
	}
	meta := kv.PrefixedReader(reader, metaPart)
	module, isCompiled, err := moduleItem.Load(meta)
	if err != nil || !isCompiled {
		return config, err
	}
	request, _, err := rulesRequestItem.Load(meta)
	if err != nil {
		return config, err
	}

	// The checksum tells the release for certain. If it is not that of a known release,
	// believe the record contract_info, in which the contract names its release.
	version, isKnown := module.Release()
	if !isKnown {
		version, err = versionIn(kv.PrefixedReader(reader, contractPart))
	}
	rules, flavour := cw721.IdentifyCode(version)
	config.Rules = cmp.Or(rules, request.Rules)
	config.Flavour = cmp.Or(request.Flavour, flavour, config.Flavour)
	return config, err
}

// RulesDifference describes for people how the rules in force may differ from those of the
// release that the record contract_info names; see [cw721.Rules.DescribeDifference]. It
// returns "" if they are the same, and for a collection that the built-in contract created.
func (v *View) RulesDifference() (string, error) {
	_, isCompiled, err := v.Module()
	if err != nil {
		return "", err
	}
	state, err := v.HistoryState()
	if err != nil {
		return "", err
	}

	// The rules of a collection that the built-in contract created were chosen then.
	setupEnd, err := v.Node(state.SetupEnd)
	if !isCompiled && err == nil && setupEnd.Kind == history.KindInstantiate {
		return "", nil
	}
	version, err := versionIn(v.records)
	return v.Rules.DescribeDifference(version), err
}

// NoRulesError reports that no rule set is known for the contract, so that it is not known
// either what the contract permits. Reason is a clause that says why.
type NoRulesError struct{ Reason string }

func (e *NoRulesError) Error() string {
	return "there is no rule set for this contract, so what it permits is not known: " + e.Reason
}

// CheckRules fails with a [*NoRulesError] if no rule set is in force, or if the storage has
// an older layout, which no rule set reads.
func (v *View) CheckRules() error {
	if v.isReadable && v.Layout != cw721.CurrentLayout {
		return &NoRulesError{Reason: "its storage is that of " + v.Layout.Releases}
	}
	return v.checkRules(v.records)
}

// checkRules fails with a [*NoRulesError] if no rule set is in force.
func (c Config) checkRules(records kv.Reader) error {
	if c.Rules != "" {
		return nil
	}
	version, err := versionIn(records)
	if err != nil {
		return err
	}
	return &NoRulesError{Reason: c.Rules.DescribeDifference(version)}
}

// checkRulesFit fails with a [*FieldError] if the caller requires rules, by RulesMustFit in
// the genesis, and the contract has others.
func (s *session) checkRulesFit(genesis Genesis) error {
	configInForce, err := s.modules.configIn(s.store, s.Config)
	if err != nil {
		return err
	}
	if genesis.RulesMustFit && genesis.Rules != configInForce.Rules {
		return fieldErrorf(
			"rules",
			"the compiled contract has %s, not %s; expected no rules, or those",
			configInForce.Rules,
			genesis.Rules,
		)
	}
	return nil
}

// Decide decides by the rules in force whether a sender may send an execute message in the
// block of the view. If a compiled contract does the opposite, its answer replaces the
// decision.
//
// Decide fails with a [*cw721.Error] if the contract refuses the message before a decision,
// for example because there is no such token. It fails with an [*UnreadableError] or a
// [*NoRulesError] if it cannot read the records or does not know the rules.
func (v *View) Decide(sender cw721.Address, msg cw721.ExecuteMsg) (*cw721.Decision, error) {
	if err := v.CheckReadable(); err != nil {
		return nil, err
	}
	if err := v.CheckRules(); err != nil {
		return nil, err
	}
	info := cw721.Info{Sender: sender}
	decision, err := v.Contract().Decide(v.records, v.env(), info, msg)
	if err != nil {
		return nil, err
	}

	return decision, v.correctDecision(decision, msg)
}

// correctDecision corrects a decision of the rules by what the compiled contract does with the
// message, if the chain runs one. If the contract does the opposite, its answer replaces the
// decision. If both refuse, the refusal gets the contract's text.
//
// The rules can permit a message that the built-in contract refuses for another reason, such
// as a bad address. Then the decision stays as it is, because the answer of the compiled
// contract shows nothing about permissions.
func (v *View) correctDecision(decision *cw721.Decision, msg cw721.ExecuteMsg) error {
	code, err := v.runningContract()
	if err != nil {
		return err
	}
	comparison := v.compareWithBuiltIn(code)
	if comparison == nil {
		return nil
	}
	_, err = comparison.Execute(call{
		txn:  kv.NewOverlay(v.records), // discarded
		env:  v.env(),
		info: cw721.Info{Sender: decision.Actor},
		msg:  Message{JSON: cw721.Encode(msg)},
	})

	// A message that takes the contract too much time or memory is refused.
	var limit *wasm.LimitError
	if errors.As(err, &limit) {
		if decision.Allowed {
			decision.Overrule(&cw721.Error{Kind: KindLimit, Text: limit.Text})
		}
		return nil
	}
	if isInternalError(err) {
		return err
	}
	v.modules.reportLayoutAgain(comparison.difference)
	if comparison.difference == nil {
		return nil
	}

	compiled, builtIn := comparison.difference.Refusals() // "" if the contract does not refuse
	refusal := &cw721.Error{Kind: kindOfRefusal(compiled), Text: compiled}
	switch {
	case compiled == "" && !decision.Allowed:
		decision.Overrule(nil) // the message is permitted after all
	case compiled != "" && builtIn == "":
		decision.Overrule(refusal)
	case compiled != "" && !decision.Allowed:
		decision.Refusal.Text = compiled
	}
	return nil
}
