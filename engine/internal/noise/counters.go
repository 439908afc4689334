package noise

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// counterWords are the words beside counters, by rule, in the languages that most pages are in.
var counterWords = []struct{ rule, words string }{
	{"counter/present", `(?:other_)?(?:people|persons|shoppers|customers|users|visitors|guests|readers|viewers|travell?ers|others)_(?:(?:are|have|is)_)?` +
		`(?:currently_|also_|right_now_)?(?:looking|viewing|watching|reading|browsing|online|here|in_their_carts?)(?:_(?:at_)?(?:this|it)(?:_(?:page|item|product|offer|job|article|property|event))?)?(?:_(?:right_)?now)? ` +
		`(?:users?_|members?_|guests?_)?online(?:_now)? guests? watching(?:_now)? personen_(?:sehen|schauen)_sich_(?:das|dies|diesen_artikel)(?:_gerade)?_an ` +
		`personnes_(?:regardent|consultent)(?:_(?:cet_article|cette_page))?(?:_en_ce_moment)? personas_están_(?:viendo|mirando)(?:_esto)?(?:_ahora)? persone_stanno_guardando pessoas_estão_vendo ` +
		`mensen_bekijken_dit 人が閲覧中 人正在(?:看|浏览)`},
	{"counter/views", `views? page_?views? plays? reads? hits? visits? visitors? impressions? listens? streams? aufrufe? ansichten? zugriffe? mal_gelesen mal_angesehen klicks? ` +
		`vues? lectures? visitas? vistas? lecturas? visualizaciones visualizzazioni letture visualizações visualizacoes weergaven bekeken keer_gelezen просмотр(?:а|ов)? wyświetle(?:ń|nia) ` +
		`visningar visninger görüntülenme 回視聴 次观看 次浏览 浏览 阅读 閲覧 조회`},
	{"counter/likes", `likes? upvotes? votes? reactions? hearts? claps? favou?rites? thumbs_up points_by gefällt_mir(?:-angaben)? stimmen reaktionen j['’]aime réactions? me_gusta(?:s)? reacciones ` +
		`mi_piace reazioni curtidas? gostos? vind-ik-leuks лайк(?:а|ов)? polubie(?:ń|nia) gillar 赞 点赞 いいね`},
	{"counter/comments", `comments? replies reply responses? answers? reviews? ratings kommentare? antwort(?:en)? bewertungen rezensionen beiträge commentaires? réponses? avis comentarios? respuestas? ` +
		`opiniones reseñas commenti risposte recensioni comentários? respostas? avaliações reacties beoordelingen комментари(?:й|я|ев) ответ(?:а|ов)? отзыв(?:а|ов)? komentarz(?:e|y)? ` +
		`kommentarer svar yorum 件のコメント コメント 条评论 评论 개의_댓글 posts?`},
	{"counter/shares", `shares? retweets? reposts? downloads? sold bought_(?:in|this)_(?:the_)?(?:past|last)?_?(?:month|week|day) saves? bookmarks? mal_geteilt geteilt verkauft ` +
		`partages? téléchargements? vendus compartidos? descargas? vendidos? condivisioni compartilhamentos? gedeeld verkocht скачиван(?:ие|ия|ий)`},
	{"counter/followers", `followers? subscribers? members? fans? applicants? attendees? participants? going interested registered watchers? stargazers? contributors_online listeners? ` +
		`abonnenten? follower mitglieder teilnehmer bewerber abonnés? membres? suscriptores seguidores? miembros? iscritti membri inscritos? membros? volgers leden ` +
		`подписчик(?:а|ов)? obserwujących följare takipçi 关注者 粉丝 フォロワー`},
}

type counterRule struct {
	rule          string
	before, after *regexp.Regexp // the number before the word, or after it
}

var counterRules = compileCounters()

// extra stands between a number and its word.
const extra = `(?:(?:total|new|other|unique|page|active|monthly|recent|user|customer|verified|people|global|persons?|(?:people|users|customers|others)(?:\sare|\shave)?|neue|nouveaux|nuevos|nuovi)\s+)?`

// about stands before a number.
const about = `(?:(?:over|about|more\sthan|almost|nearly|~|über|plus\sde|más\sde|oltre)\s*)?`

func compileCounters() (rules []counterRule) {
	for _, c := range counterWords {
		word := anyOf(c.words)
		rule := counterRule{
			rule:   c.rule,
			before: regexp.MustCompile(`(?i)` + about + `(` + number + `|no|an?|one|keine?|aucun|sin)[*_]*\s*[*_]*` + extra + word),
			after:  regexp.MustCompile(`(?i)` + word + `[*_]*\s*(?::|\(|·)?[*_]*\s*[*_]*(` + number + `)\)?`),
		}
		rule.before.Longest() // of words, one is the beginning of another
		rule.after.Longest()
		rules = append(rules, rule)
	}
	return rules
}

// countingVerbs stand before counters: “viewed 12 times”, “saved by 3 people”.
var countingVerbs = regexp.MustCompile(`(?i)(?:viewed|read|watched|played|seen|visited|downloaded|shared|saved|liked|bought|sold|used|rated)\s+(?:by\s+)?` + about +
	`(` + number + `)\s+(?:times?|people|users|others|members|readers|customers)`)

var pictogram = regexp.MustCompile(`(?:👁|❤|♥|👍|👎|💬|🔁|⬆|▲|👀|🔥)\x{fe0f}?\s*(` + number + `)`)

// counters masks numbers with a word beside them that says what is counted.
func (m *masker) counters(text string) string {
	if m.prose || m.open&^(pictogramGate-1) == 0 {
		return text
	}
	if m.open&pictogramGate != 0 {
		text = m.each(text, pictogram, func(part string, at []int) (mark, bool) {
			return mark{rule: "counter/likes"}, !guardAfter.MatchString(part[at[3]:])
		})
	}
	if m.open&verbGate != 0 {
		text = m.each(text, countingVerbs, func(string, []int) (mark, bool) { return mark{rule: "counter/views"}, true })
	}
	for i, c := range counterRules {
		if m.open&(counterGates<<i) == 0 {
			continue
		}
		text = m.each(text, c.before, func(part string, at []int) (mark, bool) {
			return mark{rule: c.rule}, !fraction.MatchString(part[at[2]:at[3]]) && !guardedCounter(part, at[2]) && !goesOnAsName(part, at[1])
		})
		text = m.each(text, c.after, func(part string, at []int) (mark, bool) {
			return mark{rule: c.rule}, !fraction.MatchString(part[at[2]:at[3]]) && !guardAfter.MatchString(part[at[3]:]) && m.labels(part, at[0])
		})
	}
	return text
}

// fraction is a number that counts nothing.
var fraction = regexp.MustCompile(`^\d+[.,]\d{1,2}$`)

// guardedCounter reports a number that a currency or the like stands before: "€ 12 sold".
func guardedCounter(part string, at int) bool {
	before := strings.TrimRight(part[:at], " ")
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune("€$£", last) || at > 0 && strings.ContainsRune(".-/,", rune(part[at-1]))
}

// goesOnAsName reports a word that is the beginning of another: "3 reads-per-second", "2 members only".
func goesOnAsName(part string, at int) bool {
	rest := strings.ToLower(part[at:])
	for _, begin := range []string{"-", "/", " per ", " only", " required", " needed", " max", " limit", " pro "} {
		if strings.HasPrefix(rest, begin) {
			return true
		}
	}
	return false
}

// labels reports a word that begins a block or a part of one, so that the number behind it is its value.
func (m *masker) labels(part string, at int) bool {
	if m.kind == tracking.Heading {
		return true
	}
	before := strings.TrimRight(part[:at], " *_")
	return before == "" || strings.ContainsAny(before[len(before)-1:], "-|·•>(,;:]"+closing) || strings.HasSuffix(before, "·") ||
		len(strings.Fields(before)) <= 2
}
