package actionstest_test

import (
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/actions/actionstest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFake_keepsTheContractOfAPage(t *testing.T) {
	actionstest.RunContract(t, func(t *testing.T, html string) actions.Page {
		t.Parallel() // most of it waits
		page, err := actionstest.NewFake(html)
		if err != nil {
			t.Fatal(err)
		}
		return page
	})
}
