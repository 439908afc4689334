package ledger

import (
	"time"

	"github.com/winnow-go/winnow/llm"
)

// Jobs is a ledger as those count in it who work on jobs.
type Jobs struct {
	Ledger *Ledger
	Now    func() time.Time
}

// Book is [Ledger.Book], now.
func (j Jobs) Book(owner string, credits int, write func() error) error {
	return j.Ledger.Book(owner, j.Now(), credits, write)
}

// Tokens is [Ledger.Tokens], now.
func (j Jobs) Tokens(owner string, u llm.Usage) { j.Ledger.Tokens(owner, j.Now(), u.Tokens()) }
