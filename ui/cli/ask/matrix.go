package ask

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// matrix is what everyone may do with a token, in one moment or two.
type matrix struct {
	TokenID  string      `wire:"token_id"`
	Moments  []seen      `wire:"moments"`
	Accounts []matrixRow `wire:"accounts"`
}

// seen is a moment that was looked at.
type seen struct {
	Block answer.Block `wire:"block"`
	// Node is the node of the history after which things stood so; 0 for now
	// and what lies ahead.
	Node history.ID `wire:"node,optional"`
	// Owner is empty where there is no such token then.
	Owner     cw721.Address `wire:"owner,optional"`
	OwnerName string        `wire:"owner_name,optional"`
}

// matrixRow is what one account may do, in the order of the moments.
type matrixRow struct {
	Name    string           `wire:"name,optional"`
	Address cw721.Address    `wire:"address"`
	Rights  []explain.Access `wire:"rights"`
	Gained  []string         `wire:"gained,optional"`
	Lost    []string         `wire:"lost,optional"`
}

func matrixCommand(a *command.App) *cobra.Command {
	var at, and string
	cmd := &cobra.Command{
		Use:   "matrix TOKEN [--at MOMENT] [--and MOMENT]",
		Short: "Tell who may transfer, burn and approve a token, now or then",
		Long: `Tells who may transfer, burn and approve a token: every account with a name, and
whoever else has a grant over it, each with the reason. --at looks at
another moment than now; --and compares it with one more, in the order in which
they are given. Nothing is changed.

A MOMENT is one of
  now, next, before-next   the clock, the next expiry, and just before it
  1110, +10, -10           a height, and blocks from now
  2026-11-21 12:40, +90m   a block time in UTC, and a duration from now
  #12, NAME                after a node of the history, or a snapshot
What lies ahead is as if nothing happened until then.`,
		Example: `  ephemera matrix ape-0042
  ephemera matrix ape-0042 --at 1110
  ephemera matrix ape-0042 --at before-next --and next`,
		Args:              command.ArgCount(1, 1, "one TOKEN"),
		ValidArgsFunction: a.CompleteTokens,
	}
	cmd.RunE = a.WithDatabase(func(db *command.Database, args []string) error {
		texts := []string{at}
		if cmd.Flags().Changed("and") {
			texts = append(texts, and)
		}
		whens, err := moments(db, texts)
		if err != nil {
			return err
		}
		m, err := readMatrix(db, args[0], whens)
		if err != nil {
			return err
		}
		return db.View(func(v *chain.View) error {
			return a.AnswerOr(m, func(w *bufio.Writer) { m.text(w, v) })
		})
	})
	cmd.Flags().StringVar(&at, "at", "now", "look at `MOMENT`")
	cmd.Flags().StringVar(&and, "and", "", "compare with `MOMENT`")
	for _, flag := range []string{"at", "and"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, a.CompleteMoments) // fails only for a flag that is not there
	}
	return cmd
}

// moments reads the moments that flags name.
func moments(db *command.Database, texts []string) (all []chain.Moment, err error) {
	err = db.View(func(v *chain.View) error {
		for i, text := range texts {
			w, err := v.ParseMoment(text)
			if chain.IsNameError(err) {
				err = command.UsageErrorf("%s: %v", []string{"--at", "--and"}[i], err)
			}
			if err != nil {
				return err
			}
			all = append(all, w)
		}
		return nil
	})
	return all, err
}

// readMatrix asks in each moment what everyone may do with a token. It fails
// with a [*cw721.Error] of kind not_found where no moment has the token.
func readMatrix(db *command.Database, token string, whens []chain.Moment) (m matrix, err error) {
	m.TokenID = token
	err = db.View(func(v *chain.View) error {
		accounts, err := v.Accounts()
		for _, acc := range accounts {
			m.Accounts = append(m.Accounts, matrixRow{Name: acc.Name, Address: acc.Address})
		}
		return err
	})
	for _, w := range whens {
		if err != nil {
			return m, err
		}
		err = db.ViewAtMoment(w, func(v *chain.View) error { return m.gather(v, w) })
	}
	if err != nil {
		return m, err
	}
	if !slices.ContainsFunc(m.Moments, func(s seen) bool { return s.Owner != "" }) {
		return m, db.View(func(v *chain.View) error {
			action, _ := cw721.ActionNamed("transfer")
			_, err := v.Decide("", action.Message(token, ""))
			return err
		})
	}
	for _, w := range whens {
		err = db.ViewAtMoment(w, m.judge)
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

// gather notes a moment, and adds whoever was given a permission then and has no
// name.
func (m *matrix) gather(v *chain.View, w chain.Moment) error {
	s := seen{Block: answer.BlockOf(w.Block), Node: w.Node}
	holders, err := explain.Holders(v, m.TokenID)
	for i, a := range holders {
		if i == 0 {
			s.Owner, s.OwnerName = a, v.NameOf(a)
		}
		if !slices.ContainsFunc(m.Accounts, func(r matrixRow) bool { return r.Address == a }) {
			m.Accounts = append(m.Accounts, matrixRow{Address: a})
		}
	}
	m.Moments = append(m.Moments, s)
	return err
}

// judge asks what each account may do in a moment.
func (m *matrix) judge(v *chain.View) error {
	for i := range m.Accounts {
		row := &m.Accounts[i]
		is, err := explain.AccessTo(v, row.Address, m.TokenID)
		if err != nil {
			return err
		}
		for _, before := range row.Rights {
			row.Gained, row.Lost = is.Since(before)
		}
		row.Rights = append(row.Rights, is)
	}
	return nil
}

// text tells the matrix in lines, those who never had a permission last, in one.
func (m matrix) text(w *bufio.Writer, v *chain.View) {
	for i, s := range m.Moments {
		owner := "no such token"
		if s.Owner != "" {
			owner = "owned by " + v.DisplayName(s.Owner)
		}
		letter := ""
		if len(m.Moments) > 1 {
			letter = string(rune('A'+i)) + "  "
		}
		fmt.Fprintf(w, "%sheight %s · %s UTC · %s\n", letter, chain.Thousands(uint64(s.Block.Height)), chain.UTC(s.Block.Time), widget.Safe(owner)) // Flush gives its error
	}
	var nobody []string
	wide := 0
	for _, row := range m.Accounts {
		wide = max(wide, widget.Width(widget.Safe(v.DisplayName(row.Address))))
	}
	for _, row := range m.Accounts {
		name := widget.Safe(v.DisplayName(row.Address))
		if !slices.ContainsFunc(row.Rights, reasoned) {
			nobody = append(nobody, name)
			continue
		}
		line := "  " + widget.Fit(name, wide) + "  "
		first, last := accessLine(row.Rights[0]), accessLine(row.Rights[len(row.Rights)-1])
		switch {
		case len(row.Rights) == 1:
			line += first
		case first == last:
			line += first + ": the same"
		default:
			line += first + " → " + last + row.change()
		}
		fmt.Fprintln(w, line)
	}
	if len(nobody) > 0 {
		fmt.Fprintf(w, "Nothing at all: %s\n", strings.Join(nobody, ", "))
	}
}

// reasoned tells that there is more to say than that there is no permission.
func reasoned(a explain.Access) bool {
	return a.Because != explain.NoPermission && a.Because != explain.NoToken
}

// accessLine says what is allowed and why: "transfer, burn (approval until height
// 1,110)".
func accessLine(a explain.Access) string {
	may := cmp.Or(strings.Join(a.Actions(), ", "), "nothing")
	if !reasoned(a) {
		return may
	}
	return may + " (" + a.Because + ")"
}

func (r matrixRow) change() string {
	var parts []string
	if len(r.Gained) > 0 {
		parts = append(parts, "gains "+strings.Join(r.Gained, ", "))
	}
	if len(r.Lost) > 0 {
		parts = append(parts, "loses "+strings.Join(r.Lost, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, "; ")
}
