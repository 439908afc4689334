package jobs

const childEnv = "WINNOW_JOBS_CHILD"

func child(path string) {}
