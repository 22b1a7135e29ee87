package command

import (
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// AddContractFlag adds a flag for the file of a compiled contract to a command. It is called
// "contract", except in the import command, where --contract is an address.
func AddContractFlag(cmd *cobra.Command, name string, file *string, usage string) {
	cmd.Flags().StringVar(file, name, "", usage)
	_ = cmd.MarkFlagFilename(name, "wasm") // fails only for an unknown flag
}

// ContractUsage is the help of the flag that names a compiled contract.
const ContractUsage = "run the compiled contract in `FILE`, .wasm, in place of the built-in one"

// ReadModule reads a compiled contract from a file. It returns nil if the name is empty.
func ReadModule(name string) (*chain.Module, error) {
	if name == "" {
		return nil, nil
	}
	file, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	code, err := io.ReadAll(io.LimitReader(file, 16<<20)) // a valid contract is shorter
	if err != nil {
		return nil, ReadError(name, err)
	}
	return &chain.Module{File: filepath.Base(name), Code: code}, nil
}

// WarnAboutRules prints a warning to stderr if the rules of a compiled contract are
// unknown, or differ from those in force. For the built-in contract it does nothing.
func (a *App) WarnAboutRules(view *chain.View) error {
	_, isCompiled, err := view.Module()
	if err != nil || !isCompiled {
		return err
	}
	difference, err := view.RulesDifference() // says how they differ; "" if they do not
	switch {
	case err != nil || difference == "":
		return err
	case view.Rules == "":
		a.Errorf("warning: %s; so no permission is judged", widget.Safe(difference))
	default:
		a.Errorf("warning: %s; the rules in force are %s", widget.Safe(difference), view.Rules)
	}
	return nil
}
