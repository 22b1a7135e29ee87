// Package reach answers who could do something with a token or a role: now or
// later, alone or with the help of others, by whatever messages. "Can anybody
// but alice have rose before height 1,200?"
//
// [Ask] searches breadth first over the messages that anybody could send. A
// state is what messages have changed of one view, and what a message does to
// it is found by running it: [chain.Code.RunExecute], in an overlay. So there is no
// second set of rules that could differ from the contract's. The package must
// never know how the contract keeps its records, nor restate one of its rules;
// it knows messages, decisions and what a view tells.
//
// There are more messages than can be tried: addresses and expirations without
// number. What is left out, and why the shortest way is still found and "none"
// is still true:
//
//  1. The senders are those to whom a rule in the decision about a stranger gives
//     the right: for a token its owner, spenders and operators, for a role its
//     holder and candidate, and the additional minters. One fresh address stands
//     for everybody else. A rule that is not known here makes "none" impossible.
//     The contract only compares addresses, so in any way the addresses that are
//     in no such record can change places; and a second one is never needed, as
//     what is done through two of them can be done through one. Nor are the
//     operators of those who may send: whoever could give the principal a token
//     could give it to the operator.
//  2. Nothing is given to those who send nothing: they would make no use of it.
//     Their operators could, but need it no more than those of 1.
//  3. New grants never expire. A grant that is live lets pass whatever it lets
//     pass, and takes nothing from anybody, so a longer one is never worse.
//  4. Nothing is taken away: no revoke, no renounce, and no burn but as the act.
//     Without such a message in it a way is shorter and all that follows is
//     still allowed. send_nft gives to a contract, where it helps nobody, what
//     transfer_nft gives to anybody.
//  5. An operator grant is given by the owner of the token alone. Anybody may
//     give one at any time, and it is looked at only while its giver owns the
//     token: so whoever does not own it yet can wait.
//  6. The moments are now, After, and wherever a grant expires, along the pace
//     of the clock. Between two of them, and right before one, nothing has
//     changed for the contract since the earlier of them.
//  7. Of a state only the earliest moment counts at which it is reached: what can
//     be done later can be done by waiting.
//  8. The messages are of the kinds that the rules of that decision name: about
//     the token, the minter role with the additional minters, or the creator role.
//     Only who is asked about, or else the fresh address, is added as additional
//     minter, and only one stored minter is removed, to make room. Minting is left
//     out, and said to be.
//
// The tests leave each of these out, one at a time, and see the answer change,
// and hold random worlds against a search that uses none of them: all messages,
// two more addresses, expirations at all moments.
package reach
