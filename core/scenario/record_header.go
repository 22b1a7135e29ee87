package scenario

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/wire"
)

// buildHeader returns the header of the scenario. It also sets names, addresses,
// addressReplacer and rowValues of the recording.
func (r *recording) buildHeader() (Header, error) {
	header := Header{
		Name:        r.view.About,
		Rules:       r.view.Rules,
		Flavour:     r.view.Flavour,
		Prefix:      r.view.Prefix,
		Self:        r.view.Self,
		Start:       At{Height: &r.startBlock.Height, Time: &r.startBlock.Time},
		Undelivered: Undelivered(r.view.Config.SkipsDelivery),
	}
	if collection, err := r.view.Collection(); err == nil && header.Name == "" {
		header.Name = collection.Name
	}

	// If a compiled contract gave the answers, say which one.
	module, isCompiled, err := r.view.Module()
	if err != nil {
		return header, err
	}
	if isCompiled {
		header.About = fmt.Sprintf(
			"The answers are those of the compiled contract %s, sha256 %s.",
			module.File, module.Checksum)
	}
	if r.dumpNode != 0 {
		header.Import = r.part.DumpName
	}
	if err := r.nameAccounts(&header); err != nil {
		return header, err
	}

	if len(r.part.RowNames) > 0 {
		header.Rows = r.makeRows()
	}
	return header, nil
}

// nameAccounts adds the accounts of the chain to the header, and the contracts that received
// tokens. Those without a name are called contract-1, contract-2 and so on. It sets names,
// addresses and addressReplacer.
func (r *recording) nameAccounts(header *Header) error {
	accounts, err := r.view.Accounts()
	if err != nil {
		return err
	}
	for _, account := range accounts {
		r.addresses[account.Name] = account.Address
		r.names[account.Address] = account.Name
	}

	// Every contract that received a token needs a name, under which the scenario says
	// whether it accepts tokens.
	for _, address := range slices.Sorted(maps.Keys(r.firstReceivers)) {
		if r.names[address] == "" {
			name := "contract-1"
			for i := 2; r.addresses[name] != ""; i++ {
				name = fmt.Sprintf("contract-%d", i)
			}
			r.addresses[name] = address
			r.names[address] = name
			accounts = append(accounts, chain.Account{Name: name, Address: address})
		}
	}

	// The header says how each contract received its first token.
	for _, account := range accounts {
		if firstReceiver, ok := r.firstReceivers[account.Address]; ok {
			account.Receiver = firstReceiver
		}
		if account.Receiver != chain.ReceiverDefault {
			header.Contracts = append(header.Contracts, account)
		}
	}
	header.Accounts = accounts
	r.addressReplacer = nameReplacer(accounts, `"`)
	return nil
}

// makeRows turns the final steps into a single step that is played with one row of values for
// each of them: the first of them, with the rowValues that makeRows sets. Each member in which
// the steps differ becomes a value of the rows, with the name of the member.
func (r *recording) makeRows() (rows Rows) {
	steps := r.part.FinalSteps
	r.rowValues = map[string]string{}
	for _, name := range r.part.RowNames {
		rows = append(rows, Row{Name: name, Values: map[string]wire.Raw{}})
	}
	for i, firstMember := range membersToWrite(steps[0]) {
		// A member stays as it is if it has the same value in all steps.
		values := make([]wire.Raw, len(steps))
		for rowIndex, step := range steps {
			member := membersToWrite(step)[i]
			values[rowIndex] = wire.Compact(member.value)
		}
		differs := slices.ContainsFunc(values, func(value wire.Raw) bool { return !bytes.Equal(value, values[0]) })
		if !differs {
			continue
		}

		// Otherwise each row gets the value of its step. It cannot have the name of an account.
		valueName := firstMember.name
		for r.addresses[valueName] != "" {
			valueName += "_"
		}
		r.rowValues[firstMember.name] = valueName
		for rowIndex := range rows {
			rows[rowIndex].Values[valueName] = values[rowIndex]
		}
	}
	return rows
}

// nameReplacer returns a replacer of the addresses of accounts by "$name". quote stands
// before and behind an address. With a quotation mark, an address inside a longer string of
// JSON is not replaced.
func nameReplacer(accounts []chain.Account, quote string) *strings.Replacer {
	var pairs []string
	for _, account := range accounts {
		pairs = append(pairs, quote+string(account.Address)+quote, quote+"$"+account.Name+quote)
	}
	return strings.NewReplacer(pairs...)
}
