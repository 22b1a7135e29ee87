package reach

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// without leaves abstractions out of a search, so that tests can tell what each
// is for. They are numbered as in the package's comment.
type without struct {
	anyone     bool // 1
	activeOnly bool // 2
	endless    bool // 3
	givingOnly bool // 4
	waiting    bool // 5
	clock      bool // 6
	earliest   bool // 7
	cone       bool // 8
}

// assumptions says what an answer rests on.
func (s *search) assumptions(v *chain.View) []string {
	all := []string{fmt.Sprintf("from now on a block takes %d s, so that height and time go up together", v.Clock.SecondsPerBlock)}
	if len(s.Passive) > 0 {
		names := make([]string, len(s.Passive))
		for i, a := range s.Passive {
			names[i] = v.Call(a)
		}
		verb := " send nothing"
		if len(names) == 1 {
			verb = " sends nothing"
		}
		all = append(all, strings.Join(names, ", ")+verb)
	}
	all = append(all, "everybody else sends whatever helps, contracts too; one address stands for all who are in no record")
	if s.Unmoved {
		all = append(all, "until the act the token is neither transferred nor burned")
	}
	if s.about.token {
		all = append(all, "nothing is minted under the token's id after it was burned")
	}
	if _, send := s.act(s.answer.Anyone, s.contractAddress).(*cw721.SendNft); send {
		all = append(all, "the contract that is sent the token takes it")
	}
	return all
}
