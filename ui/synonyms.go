package ui

import "strings"

// commandSynonyms holds other words by which the user can find a command in the palette,
// such as the names of the contract's messages. Commas separate phrases in small letters. A
// command gets the phrases of the first entry whose namePrefix its name begins with.
//
// A command with an entry is found from every screen, once its own screen was read. So a
// command that acts at once on a row that only its own screen shows, such as "Go to this
// moment", must have none.
var commandSynonyms = []struct{ namePrefix, phrases string }{
	// Tokens and grants.
	{"Transfer ", "transfer_nft, move, give, gift, sell, hand over, change owner, donate, swap, trade, buy"},
	{"Send this token", "send_nft, deliver, contract, deposit, stake, auction, escrow"},
	{"Approve ", "approve, permit, allow, grant, lend, rent, let, delegate, spender, borrow, loan"},
	{"Revoke this operator", "revoke_all, remove operator, take back, forbid, revoke all"},
	{"Revoke an operator", "revoke_all, remove operator, take back, forbid, revoke all"},
	{"Revoke ", "take back, forbid, disallow, unapprove, cancel an approval"},
	{"Grant an operator", "approve_all, setapprovalforall, approve for all, add operator, marketplace, full access, opensea"},
	{"Extend or change", "renew, prolong, lengthen, change an expiry"},
	{"Mint ", "mint, create, new, make, issue, add a token, drop"},
	{"Burn ", "burn, delete, destroy, remove a token, throw away"},
	{"Update this token", "update_nft_info, metadata, uri, picture, image, edit a token, traits, media, change metadata"},

	// The collection and its roles.
	{"Change the ", "update_collection_info, edit the collection, rename the collection"},
	{"Royalty", "royalty, royalties, share, percent, creator earnings, price"},
	{"Offer the minter", "update_minter_ownership, update_ownership, ownership, transfer_ownership, hand over the role"},
	{"Accept the minter", "update_minter_ownership, update_ownership, ownership, accept_ownership"},
	{"Renounce the minter", "update_minter_ownership, update_ownership, ownership, renounce_ownership, give up"},
	{"Offer the creator", "update_creator_ownership, ownership, hand over the role"},
	{"Accept the creator", "update_creator_ownership, ownership"},
	{"Renounce the creator", "update_creator_ownership, ownership, give up"},
	{"Withdraw", "withdraw_funds, set_withdraw_address, remove_withdraw_address, money, payout, balance"},

	// Asking.
	{"Why: who", "permission, rights, allowed, why not, can i, refused, denied, unauthorized, explain, rules"},
	{"Why: the", "what expired, just expired"},
	{"Who can", "hack, risk, attack, steal, exploit, danger, safe, vulnerability, is it safe, who can steal, who could"},
	{"Boundary probe", "last block, exactly when, off by one, test an expiry, edge"},
	{"Timeline", "calendar, schedule, expiries, deadlines, upcoming, when does it expire, never expires, forever"},
	{"Dangling", "forgotten, stale, leftover, clean up, audit, security, unused, old approvals"},
	{"Raw storage", "database, bytes, state, keys, hex"},
	{"Copy: ids", "clipboard, address, wasmd, command line"},

	// The clock.
	{"Clock: one block", "wait, tick, step, next block, pass time"},
	{"Clock: ten blocks", "fast forward, skip"},
	{"Clock: to the next", "expire, expiry, jump to the next, let it expire, expiration"},
	{"Clock: to just before", "before it expires, last moment"},
	{"Clock: play or", "run, start the clock, stop the clock, pause, automatic"},
	{"Clock: play faster", "speed up"},
	{"Clock: play slower", "slow down"},
	{"Clock: set", "time, date, set time, time travel, height, a day later, tomorrow, next day, an hour later, block height"},

	// History.
	{"Undo", "back, rewind, revert, go back, oops, mistake, ctrl+z, previous, step back, undo all, undo last"},
	{"Redo", "again, forward, repeat"},
	{"Branches", "compare, diff, difference, what changed, versions, what if, fork, merge"},
	{"Name this moment", "snapshot, bookmark, checkpoint, save point"},
	{"Record", "save, scenario, script, save as a test, replay"},
	{"Export", "dump, state, save, download, json"},
	{"Backup", "copy, save, archive"},
	{"Write my result", "teacher, homework, hand in"},

	// The program.
	{"Act as somebody", "sign in, login, log in, wallet, switch, user, account, sender, impersonate, become, who am i, connect, log out, logout, change user"},
	{"Help", "keys, shortcuts, what can i do, manual, f1, hotkeys, key bindings, documentation, docs"},
	{"Theme", "colour, color, dark mode, light mode, contrast, appearance, preferences, accessibility"},
	{"Times", "time zone, format, date format"},
	{"Notices", "log, errors, what did it say, notifications"},
	{"Columns", "table, layout"},
	{"Quit", "exit, close, leave, end, bye, stop, :q"},
	{"Look at the demo", "example, sample, try"},
	{"Create a collection", "instantiate, new collection, start over, another collection"},
	{"Import", "load, open a file, migrate"},
	{"Filter", "search, find, look for, where is, owned by, my tokens"},
	{"Select from the last", "range, several, multiple, shift"},
	{"Select everything", "mark, batch, bulk, all, several, multiple"},
	{"Sort", "order, sort"},

	// Screens.
	{"Go to Tokens", "tokens, nft, nfts, owner, who owns, items, home, list"},
	{"Go to Approvals", "approvals, grants, spenders, allowances, renew, extend"},
	{"Go to Collection", "collection, name, symbol, supply, total supply, description, about, info, minter, creator, roles, settings, set royalty, set royalties"},
	{"Go to History", "history, past, events, transactions, what happened, snapshots, compare, diff, restore, reset, start again, checkpoint"},
	{"Go to Console", "console, query, message, raw, execute, wasm, terminal"},
	{"Go to Lessons", "lessons, learn, teach, tutorial, course, challenge, exercise, how does it work, beginner, quiz, intro, basics"},
	{"Go to Accounts", "accounts, people, holders, addresses, users, alice"},
	{"Add a name", "alias, nickname, label, watch an address, new account, contact"},
	{"Say what is here", "receiver, accepts tokens, vault"},
	{"Remove this name", "forget, delete an account"},
}

// synonyms returns other phrases for a command, with commas between them; empty if there are
// none.
func synonyms(commandName string) string {
	for _, entry := range commandSynonyms {
		if strings.HasPrefix(commandName, entry.namePrefix) {
			return entry.phrases
		}
	}
	return ""
}
