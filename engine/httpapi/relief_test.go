package httpapi

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

func TestRelief_memoryIsGivenBackOnceAfterALoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		freed := 0
		r := relieved(http.NotFoundHandler())
		r.free = func() { freed++ }
		pass := func(requests int, d time.Duration, want int) {
			t.Helper()
			for range requests {
				r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
			}
			time.Sleep(d)
			synctest.Wait()
			if freed != want {
				t.Fatalf("memory was freed %d times, want %d", freed, want)
			}
		}
		pass(reliefLoad-1, time.Hour, 0)
		for range 10 {
			pass(reliefLoad, reliefPause, 0) // the load goes on
		}
		pass(5, reliefPause, 1) // as health checks do
		pass(0, time.Hour, 1)
		pass(2*reliefLoad, 2*reliefPause+time.Second, 2)
	})
}
