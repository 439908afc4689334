package content

import "strings"

// What a heading or a line says is extra evidence only: structure decides first, and no rule needs a page to be in one of
// these languages. All phrases are in lower case, without marks at their ends.

// foreignHeadings are headings above what is not of the text: other pages, the author, readers, ways to follow.
var foreignHeadings = set(
	// English
	"related", "related articles", "related posts", "related content", "related stories", "related news", "related reading", "related links",
	"related topics", "related products", "related resources", "related pages", "related coverage", "you may also like", "you might also like",
	"you may also be interested in", "you might also be interested in", "you might also enjoy", "you may like", "more from", "more stories",
	"more articles", "more posts", "more like this", "more news", "more on this topic", "more on this story", "more to explore",
	"recommended", "recommended for you", "recommended reading", "recommended articles", "recommended stories", "read more", "read next",
	"latest news", "latest posts", "latest articles", "latest stories", "recent posts", "recent articles", "recent news", "popular posts",
	"popular articles", "most read", "most popular", "most viewed", "trending", "trending now", "editor's picks", "editors' picks", "don't miss",
	"up next", "keep reading", "explore more", "also read", "featured articles", "featured posts", "what to read next", "other articles",
	"similar posts", "similar articles", "in other news", "top stories", "from around the web", "sponsored content", "sponsored",
	"comments", "leave a comment", "leave a reply", "leave a reply cancel reply", "post a comment", "add a comment", "join the discussion",
	"join the conversation", "what do you think", "cancel reply", "no comments", "reader comments", "share this", "share this article",
	"share this post", "share this story", "share this page", "share", "share on", "share it", "share via", "sharing is caring", "spread the word",
	"follow us", "follow us on", "stay connected", "connect with us", "about the author", "about the authors", "about author", "written by",
	"author", "author bio", "meet the author", "post author", "tags", "categories", "filed under", "tagged", "archives",
	"newsletter", "subscribe", "subscribe to our newsletter", "sign up for our newsletter", "sign up for the newsletter", "stay up to date",
	"stay in the loop", "join our newsletter", "get our newsletter", "table of contents", "in this article", "on this page", "in this post",
	"jump to", "was this page helpful", "was this article helpful", "was this helpful", "rate this article", "feedback", "advertisement",
	// German
	"mehr zum thema", "das könnte sie auch interessieren", "das könnte dich auch interessieren", "auch interessant", "ähnliche artikel",
	"ähnliche beiträge", "verwandte artikel", "verwandte beiträge", "verwandte themen", "weitere artikel", "weitere beiträge", "weitere themen",
	"weitere nachrichten", "meistgelesen", "meistgelesene artikel", "neueste beiträge", "neueste artikel", "aktuelle beiträge", "lesen sie auch",
	"lies auch", "lesen sie mehr", "mehr lesen", "kommentare", "kommentar schreiben", "schreibe einen kommentar", "schreiben sie einen kommentar",
	"kommentar hinterlassen", "hinterlasse einen kommentar", "teilen", "artikel teilen", "beitrag teilen", "diesen artikel teilen", "folgen sie uns",
	"über den autor", "über die autorin", "über die autoren", "zum autor", "zur autorin", "autor", "schlagwörter", "schlagworte", "kategorien",
	"themen", "newsletter abonnieren", "inhaltsverzeichnis", "inhalt", "empfehlungen der redaktion", "empfohlene artikel", "anzeige",
	// French
	"articles similaires", "articles liés", "articles connexes", "sur le même sujet", "sur le même thème", "à lire aussi", "lire aussi", "à lire également",
	"lire la suite", "lire plus", "vous aimerez aussi", "vous pourriez aussi aimer", "cela peut vous intéresser", "ces articles peuvent vous intéresser",
	"articles récents", "derniers articles", "les plus lus", "dernières actualités", "commentaires", "laisser un commentaire", "laissez un commentaire",
	"ajouter un commentaire", "partager", "partager cet article", "partagez cet article", "partager sur", "suivez-nous", "à propos de l'auteur",
	"à propos de l’auteur", "auteur", "l'auteur", "mots-clés", "étiquettes", "catégories", "abonnez-vous", "sommaire", "table des matières", "publicité",
	// Spanish
	"artículos relacionados", "noticias relacionadas", "entradas relacionadas", "contenido relacionado", "relacionado", "relacionados",
	"también te puede interesar", "te puede interesar", "también te puede gustar", "le puede interesar", "más noticias", "más leídas", "lo más leído",
	"últimas noticias", "entradas recientes", "leer más", "lee también", "lea también", "comentarios", "deja un comentario", "deja una respuesta",
	"dejar un comentario", "compartir", "comparte", "comparte este artículo", "compartir este artículo", "síguenos", "sobre el autor", "sobre la autora",
	"acerca del autor", "autor", "etiquetas", "categorías", "suscríbete", "suscríbete a nuestro boletín", "boletín", "índice", "tabla de contenidos", "publicidad",
	// Italian
	"articoli correlati", "articoli simili", "notizie correlate", "potrebbe interessarti", "potrebbe interessarti anche", "ti potrebbe interessare",
	"leggi anche", "leggi tutto", "ultime notizie", "articoli recenti", "i più letti", "più letti", "commenti", "lascia un commento", "lascia una risposta",
	"condividi", "condividi questo articolo", "condividi su", "seguici", "seguici su", "informazioni sull'autore", "sull'autore", "autore", "categorie",
	"iscriviti alla newsletter", "indice", "indice dei contenuti", "pubblicità",
	// Portuguese
	"artigos relacionados", "notícias relacionadas", "posts relacionados", "conteúdo relacionado", "veja também", "leia também", "leia mais", "saiba mais",
	"você também pode gostar", "talvez você goste", "mais lidas", "mais lidos", "últimas notícias", "posts recentes", "comentários", "deixe um comentário",
	"deixe uma resposta", "compartilhe", "compartilhar", "partilhar", "siga-nos", "sobre o autor", "sobre a autora", "categorias", "assine nossa newsletter",
	"índice do artigo", "publicidade",
	// Dutch
	"gerelateerde artikelen", "gerelateerde berichten", "gerelateerd", "lees ook", "lees meer", "lees verder", "meer nieuws", "meest gelezen", "laatste nieuws",
	"recente berichten", "misschien vind je dit ook leuk", "reacties", "geef een reactie", "laat een reactie achter", "plaats een reactie", "reageer", "delen",
	"deel dit artikel", "deel dit bericht", "volg ons", "over de auteur", "categorieën", "inhoudsopgave", "inhoud", "advertentie",
	// Polish
	"powiązane artykuły", "podobne artykuły", "podobne wpisy", "powiązane wpisy", "powiązane", "czytaj także", "czytaj też", "czytaj również", "czytaj więcej",
	"zobacz także", "zobacz też", "zobacz również", "przeczytaj także", "przeczytaj również", "może cię zainteresować", "najczęściej czytane", "najpopularniejsze",
	"najnowsze", "najnowsze wpisy", "ostatnie wpisy", "polecane", "polecamy", "komentarze", "dodaj komentarz", "skomentuj", "udostępnij", "podziel się",
	"o autorze", "o autorce", "tagi", "kategorie", "spis treści", "reklama",
	// Swedish, Danish, Norwegian
	"relaterade artiklar", "läs också", "läs mer", "läs även", "mest lästa", "senaste nytt", "kommentarer", "lämna en kommentar", "dela", "dela artikeln",
	"om författaren", "innehåll", "relaterede artikler", "læs også", "læs mere", "mest læste", "skriv en kommentar", "del", "del artiklen",
	"relaterte artikler", "les også", "les mer", "mest lest", "legg igjen en kommentar", "om forfatteren",
	// Czech, Hungarian, Romanian, Turkish
	"související články", "mohlo by vás zajímat", "čtěte také", "přečtěte si také", "nejčtenější", "komentáře", "diskuse", "napsat komentář", "sdílet", "o autorovi",
	"štítky", "rubriky", "obsah", "kapcsolódó cikkek", "ajánlott cikkek", "olvasd el ezt is", "legolvasottabb", "hozzászólások", "megosztás", "tartalomjegyzék",
	"articole similare", "citește și", "citeşte şi", "cele mai citite", "comentarii", "lasă un comentariu", "distribuie", "ilgili haberler", "ilgili yazılar",
	"benzer yazılar", "ilginizi çekebilir", "bunlar da ilginizi çekebilir", "çok okunanlar", "en çok okunanlar", "son yazılar", "yorumlar", "yorum yap",
	"bir yanıt yazın", "bir cevap yazın", "paylaş", "yazar hakkında", "etiketler", "kategoriler", "içindekiler",
	// Russian, Ukrainian, Greek, Bulgarian
	"читайте также", "читать также", "читайте ещё", "читать далее", "похожие статьи", "похожие записи", "похожие материалы", "по теме", "материалы по теме",
	"ещё по теме", "другие новости", "популярное", "популярные статьи", "самое читаемое", "последние новости", "свежие записи", "рекомендуем", "смотрите также",
	"вам может быть интересно", "вам также может понравиться", "комментарии", "добавить комментарий", "оставить комментарий", "поделиться", "поделиться ссылкой",
	"подписывайтесь на нас", "об авторе", "автор", "теги", "метки", "рубрики", "категории", "содержание", "оглавление", "реклама",
	"читайте також", "схожі статті", "коментарі", "залишити коментар", "поділитися", "зміст", "популярні", "σχετικά άρθρα", "διαβάστε επίσης", "διαβάστε ακόμη",
	"σχόλια", "μοιραστείτε", "ετικέτες", "περιεχόμενα", "подобни статии", "прочетете още", "вижте още", "коментари", "сподели",
	// Chinese, Japanese, Korean
	"相关文章", "相关阅读", "相关新闻", "相关推荐", "相关内容", "相关链接", "延伸阅读", "推荐阅读", "热门文章", "热门推荐", "热门新闻", "最新文章", "最新新闻", "猜你喜欢", "为你推荐",
	"更多文章", "更多新闻", "更多", "评论", "网友评论", "发表评论", "发表回复", "分享", "分享到", "分享文章", "关于作者", "作者简介", "标签", "分类", "目录", "广告",
	"相關文章", "相關新聞", "延伸閱讀", "推薦閱讀", "熱門文章", "最新文章", "猜你喜歡", "更多新聞", "評論", "留言", "發表留言", "發佈留言", "關於作者", "標籤", "分類", "目錄",
	"関連記事", "関連ニュース", "関連リンク", "関連", "あわせて読みたい", "こちらもおすすめ", "おすすめ記事", "おすすめ", "人気記事", "最新記事", "新着記事", "この記事を書いた人", "著者",
	"著者について", "コメント", "コメントを残す", "コメントする", "シェア", "シェアする", "この記事をシェア", "この記事をシェアする", "タグ", "カテゴリー", "目次", "もくじ", "アクセスランキング",
	"관련기사", "관련 기사", "관련 글", "추천 기사", "인기 기사", "많이 본 뉴스", "최신 뉴스", "최신 글", "댓글", "댓글 남기기", "공유하기", "공유", "태그", "카테고리", "목차", "광고",
	// Arabic, Persian, Hebrew, Hindi
	"مقالات ذات صلة", "مواضيع ذات صلة", "أخبار ذات صلة", "اقرأ أيضا", "اقرأ أيضاً", "اقرأ المزيد", "قد يعجبك أيضا", "الأكثر قراءة", "التعليقات", "تعليقات", "أضف تعليقا",
	"اترك تعليقا", "اترك تعليقاً", "شارك", "مشاركة", "شارك المقال", "عن الكاتب", "الكلمات المفتاحية", "الوسوم", "التصنيفات", "المحتويات", "إعلان",
	"مطالب مرتبط", "مطالب مشابه", "بیشتر بخوانید", "نظرات", "دیدگاه\u200cها", "اشتراک گذاری", "כתבות נוספות", "תגובות", "שתפו", "संबंधित खबरें", "यह भी पढ़ें", "टिप्पणियाँ", "शेयर करें",
	// Vietnamese, Indonesian, Finnish
	"bài viết liên quan", "tin liên quan", "có thể bạn quan tâm", "xem thêm", "đọc thêm", "bình luận", "chia sẻ", "mục lục", "artikel terkait", "berita terkait",
	"baca juga", "baca selengkapnya", "komentar", "bagikan", "daftar isi", "lue myös", "aiheeseen liittyvää", "luetuimmat", "kommentit", "jaa",
)

// moreHeadings are those that stand above the rest of a text, too, where it opens at a click.
var moreHeadings = set(
	"read more", "keep reading", "mehr lesen", "lesen sie mehr", "lire la suite", "lire plus", "leer más", "leggi tutto", "leia mais", "saiba mais", "lees meer", "lees verder",
	"czytaj więcej", "läs mer", "læs mere", "les mer", "читать далее", "更多", "xem thêm", "đọc thêm", "baca selengkapnya", "اقرأ المزيد", "بیشتر بخوانید",
)

// openers begin short lines that stand in a text without belonging to it: who, when, what else to read.
var openers = byStart(
	// English
	"tags:", "tag:", "categories:", "category:", "filed under", "posted in", "tagged with", "image credit", "image:", "image source", "image used", "images:",
	"photo:", "photo credit", "photo by", "photos by", "picture:", "credit:", "read also", "also read", "read more", "read next", "see also:", "related:", "related article",
	"related stor", "related post", "related read", "more:", "more on this", "also check", "don't miss", "don’t miss", "watch:", "listen:", "follow us", "share this", "share on",
	"last updated", "last modified", "updated:", "updated on", "published:", "published on", "posted on", "posted by", "post time", "reading time", "read time", "written by",
	"reviewed by", "fact checked by", "medically reviewed by", "edited by", "by:", "advertisement", "sponsored by", "comments are closed", "click here to", "sign up for",
	"subscribe to", "source:", "this article was originally published", "the post ", "estimated reading time",
	// German
	"lesen sie auch", "lies auch", "lesen sie mehr", "mehr zum thema", "mehr dazu", "auch interessant", "foto:", "bild:", "fotos:", "bildquelle", "quelle:", "veröffentlicht am",
	"aktualisiert am", "zuletzt aktualisiert", "stand:", "lesezeit", "schlagwörter", "schlagworte", "kategorie:", "kategorien:", "anzeige", "von:",
	// French
	"lire aussi", "à lire aussi", "lire également", "à lire également", "voir aussi", "crédit photo", "crédits photo", "photo :", "publié le", "mis à jour le", "modifié le",
	"temps de lecture", "étiquettes", "mots-clés", "par :", "source :", "publicité",
	// Spanish, Portuguese, Italian
	"lee también", "lea también", "leer también", "te puede interesar", "también te puede", "foto:", "fuente:", "publicado el", "publicado en", "actualizado", "tiempo de lectura",
	"etiquetas:", "leia também", "leia mais", "veja também", "saiba mais", "fonte:", "crédito", "publicado em", "atualizado", "tempo de leitura", "leggi anche", "pubblicato il",
	"aggiornato", "tempo di lettura",
	// Dutch, Polish, Swedish, Danish, Norwegian, Finnish, Czech, Turkish
	"lees ook", "lees meer", "bron:", "gepubliceerd", "bijgewerkt", "leestijd", "czytaj także", "czytaj też", "czytaj również", "zobacz także", "zobacz też", "zobacz również",
	"przeczytaj także", "fot.", "źródło:", "opublikowano", "tagi:", "läs också", "läs även", "läs mer", "källa:", "publicerad", "læs også", "les også", "kilde:", "publisert", "lue myös",
	"čtěte také", "čtěte i", "zdroj:", "publikováno", "kaynak:", "ayrıca bakınız", "güncelleme", "yayınlanma",
	// Russian, Ukrainian
	"читайте также", "читать также", "читайте ещё", "смотрите также", "фото:", "источник:", "опубликовано", "обновлено", "теги:", "автор:", "время чтения", "читайте також", "джерело:",
	// Chinese, Japanese, Korean
	"来源", "来源:", "作者:", "作者：", "编辑:", "编辑：", "责任编辑", "责编", "发布时间", "发布日期", "更新时间", "标签", "相关阅读", "延伸阅读", "阅读更多", "點擊", "點我", "更多新聞", "記者",
	"関連記事", "あわせて読みたい", "写真:", "写真：", "画像:", "画像：", "出典", "公開日", "更新日", "最終更新", "タグ:", "사진=", "사진:", "출처", "입력", "수정", "관련기사", "▶",
	// Arabic, Hindi, Vietnamese, Indonesian
	"اقرأ أيضا", "اقرأ أيضاً", "إقرأ أيضا", "شاهد أيضا", "المصدر", "نشر في", "تاريخ النشر", "آخر تحديث", "यह भी पढ़ें", "ये भी पढ़ें", "xem thêm", "đọc thêm", "nguồn:", "ảnh:", "baca juga", "sumber:",
)

func set(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// byStart files phrases by their first letters.
func byStart(phrases ...string) map[string][]string {
	m := make(map[string][]string)
	for _, p := range phrases {
		m[start(p)] = append(m[start(p)], p)
	}
	return m
}

// start is the first three bytes of a line, the least that all openers have.
// foreignWords is the number of words of the longest of foreignHeadings.
var foreignWords = func() (longest int32) {
	for heading := range foreignHeadings {
		longest = max(longest, int32(Words(heading)))
	}
	return longest
}()

// trimMarks takes the blanks and marks off both ends of a line, without which phrases are listed.
func trimMarks(line string) string {
	const marks = " :.!?"
	for {
		short := strings.TrimPrefix(strings.TrimSuffix(strings.Trim(line, marks), "…"), "…")
		if len(short) == len(line) {
			return line
		}
		line = short
	}
}

func start(line string) string { return line[:min(len(line), 3)] }

// opens reports that a line begins with one of the openers.
func opens(line string) bool {
	for _, o := range openers[start(line)] {
		if strings.HasPrefix(line, o) {
			return true
		}
	}
	return false
}
