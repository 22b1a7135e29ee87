// Package whocan answers who could do something with a token or a role: now or
// later, alone or with the help of others. "Can anybody but alice have rose before
// height 1,200?"
//
// A way is a sequence of messages after which it is done. Its last message is
// called the act. The accounts that send messages are the actors, and the
// passive accounts send none. The moments are the blocks in which messages are
// tried. A stranger is an account without any permission.
//
// [Ask] searches breadth first over the messages that anybody could send. A
// state is the set of changes that messages have made to the records of a view.
// The search finds the next state by running a message on it in an overlay, with
// [chain.Code.RunExecute]. So there is no second set of rules that could
// differ from the contract's. The package must not know how the contract stores
// its records, and must not restate one of its rules.
//
// There are endless addresses and expirations, so the search leaves out the following.
// Each point says why the search still finds the shortest way, and why its "none" is
// still true.
//
//  1. Other senders than these: the accounts to which a rule in the decision
//     about a stranger gives the right, and one fresh address for everybody
//     else. For a token the former are its owner, spenders and operators; for a
//     role its holder, the candidate and the additional minters. The contract
//     only compares addresses, so what two addresses without a record can do,
//     one can do. Who could give a token to a sender could give it to the
//     sender's operator, so operators of other senders are not needed. If the
//     package does not know a rule, the answer is never "none".
//  2. Giving something to passive accounts, unless that is the act itself. They
//     would not use it, and their operators are not needed, as in 1.
//  3. New grants with an expiration. One that never expires does everything that
//     a shorter one does, and takes nothing from anybody.
//  4. Messages that take something away: revoking, renouncing, and burning unless
//     that is the act. A way without them is shorter, and all its later messages
//     are still permitted. Sending to a contract is left out too: a transfer can
//     give the token to anybody, and the contract would not help.
//  5. Operator grants by accounts that do not own the token. They only matter while
//     their giver owns the token, and the giver can wait until then.
//  6. Other moments than now, After, and the blocks in which a grant expires while
//     the clock runs. Between two of these nothing changes for the contract.
//  7. A state that was reached before, at the same moment or earlier. What can be
//     done later can also be done by waiting.
//  8. Messages that no rule of the decision is about. What remains is about the
//     token, about the minter role and the additional minters, or about the
//     creator role. Only As, or the fresh address, is added as additional minter,
//     and only one stored minter is removed, to make room. Minting is left out,
//     and the answer's assumptions say so.
//
// The tests compare the answers in random worlds with those of a search that leaves nothing
// out: all messages, two more addresses, expirations at all moments.
package whocan
