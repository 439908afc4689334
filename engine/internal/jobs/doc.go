// Package jobs keeps the records of long-running work: what was requested, its state, what happened, and the webhook
// that receives it. A job is scraping until it is completed, failed or cancelled, and that is final. All of it lies
// in one store, so a job survives its process. The package doesn't do the work: it fetches nothing, knows no page and
// no frontier, and sends webhooks through a function that it is given.
//
//   - jobs.go — [Jobs], [Options], [Open] and Close: start here
//   - record.go — [Record] and [State]; how a record is read
//   - create.go — [Jobs.Create]: new jobs and idempotency keys
//   - finish.go — [Jobs.Finish], [Jobs.Wait], [Jobs.Add]
//   - list.go — [Jobs.Get], [Jobs.List], [Jobs.Unfinished]
//   - event.go — [Event], [Jobs.Append]: the numbered log of a job
//   - follow.go — [Jobs.Events]: the log from any number on, as it grows
//   - prune.go — [Jobs.Prune]: what is expired goes
//   - webhook.go, webhookjson.go — [Webhook]: its rules, filter and JSON form
//   - dispatcher.go — which webhook is due, and which of the senders is free
//   - deliver.go — one attempt at one delivery, and what becomes of it
//   - send.go — [Sender]: what sends webhooks by HTTP
//   - payload.go — the body, its signature, the request's headers
//   - redact.go — errors without the hook's secrets
//   - deliveries.go — [Jobs.Deliveries]: what became of a job's deliveries
//   - meter.go — [Progress], [Meter]: how fast it goes, how long it takes
//   - notifier.go — wakes who waits for a job
//   - db.go, row.go — the store that is needed, its buckets, how rows are kept
//   - errors.go — the errors
package jobs
