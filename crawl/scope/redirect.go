package scope

// JudgeRedirect decides whether a redirect target belongs to the crawl: the page was accepted as from and led to another address.
// A difference of only scheme, "www.", trailing slash or index file always does. Else the rules apply to to as
// for a link of the seed, without hops: so an external page may redirect on as AllowExternalLinks admits.
// A denial has the reason Redirect, its detail begins with the rule's own reason.
func (s *Scope) JudgeRedirect(from, to string) Verdict { return s.judgeTarget(from, to).asRedirect() }

// JudgeHop decides whether a redirect is followed at all, before it is known whether its target is a page or leads on. So only its host and
// its type of file count; its path is judged as that of the page at the end, by JudgeRedirect. Verdicts are like those of that.
func (s *Scope) JudgeHop(from, to string) Verdict {
	v := s.judgeTarget(from, to)
	switch v.Reason {
	case DepthLimit, BackwardCrawling, ExcludePattern, IncludePattern:
		return Verdict{URL: v.URL, Key: s.Key(to)}
	}
	return v.asRedirect()
}

func (s *Scope) judgeTarget(from, to string) Verdict {
	a, v := s.read(to)
	if !v.Accepted() {
		return v
	}
	a.dropSection()
	if s.similar(from, &a) {
		return Verdict{URL: a.page(), Key: s.key(&a, s.options.DeduplicateSimilarURLs)}
	}
	return s.verdict(&a, &Link{From: s.seed.href})
}

// asRedirect makes a denial one of the page that led there.
func (v Verdict) asRedirect() Verdict {
	if v.Accepted() {
		return v
	}
	detail := string(v.Reason)
	if v.Detail != "" {
		detail += ": " + v.Detail
	}
	return Verdict{URL: v.URL, Reason: Redirect, Detail: detail}
}

func (s *Scope) similar(from string, to *address) bool {
	a, err := readAddress(from)
	return err == nil && a.web() && s.key(&a, true) == s.key(to, true)
}

// Rebase returns the scope with another seed and the same options: for a seed that redirected to another host.
// The error is an *OptionError.
func (s *Scope) Rebase(seed string) (*Scope, error) {
	moved := *s
	if err := moved.setSeed(seed); err != nil {
		return nil, err
	}
	return &moved, nil
}
