package content

// topic is what a heading says the section below it is about, when that is not the page's own subject.
type topic uint8

const (
	ownSubject topic = iota
	related          // other pages on the same subject, other things to buy
	popular          // what is new or read most on the site
	opinions         // customers' reviews of a thing for sale
	answering        // the form for a comment
	letters          // newsletters and following
	discussion       // what readers wrote below the text; only if the title says nothing else
)

// titles are the beginnings of headings by topic, in lower case, in the languages most pages are in. They are evidence beside
// structure: what a heading stands above must look like it, too.
var titles = map[topic][]string{
	related: {
		"related", "you may also like", "you might also like", "you may like", "you might like", "you may also be interested", "you might also be interested", "recommended",
		"recommendations", "more like this", "similar", "read next", "up next", "more stories", "more articles", "more posts", "more news", "recently viewed", "customers also",
		"customers who", "people also", "people who", "others also", "frequently bought together", "keep reading", "what to read next", "also viewed", "complete the look",
		"pairs well with", "goes well with", "explore more", "sponsored", "promoted", "from around the web", "around the web", "more on this topic", "more from", "suggested",
		"shop similar", "complete your", "people are asking", "compare with similar", "compare similar", "other products", "more products", "other articles", "also in this series",
		"ähnliche", "verwandte", "das könnte", "auch interessant", "lesen sie auch", "mehr zum thema", "weitere artikel", "weitere beiträge", "weitere themen", "weitere produkte",
		"kunden kauften", "kunden, die", "zuletzt angesehen", "empfohlen", "empfehlungen", "passend dazu", "passende produkte", "mehr aus", "mehr von",
		"articles similaires", "articles liés", "à lire aussi", "à lire également", "lire aussi", "sur le même sujet", "vous aimerez", "vous pourriez aussi", "produits similaires",
		"produits associés", "dans la même rubrique", "recommandé", "nos recommandations", "vus récemment", "les clients ont aussi",
		"artículos relacionados", "relacionados", "relacionadas", "noticias relacionadas", "productos relacionados", "te puede interesar", "también te puede", "le puede interesar",
		"lee también", "lea también", "te recomendamos", "productos similares", "vistos recientemente",
		"articoli correlati", "correlati", "potrebbe interessarti", "potrebbero interessarti", "ti potrebbe interessare", "ti potrebbero", "leggi anche", "prodotti correlati",
		"artigos relacionados", "leia também", "leia mais", "você também pode gostar", "produtos relacionados", "também pode gostar", "notícias relacionadas",
		"gerelateerd", "gerelateerde", "lees ook", "misschien vind je", "ook interessant", "aanbevolen", "vergelijkbare", "anderen bekeken",
		"powiązane", "podobne", "zobacz także", "zobacz również", "zobacz też", "czytaj także", "czytaj też", "czytaj również", "przeczytaj także", "przeczytaj również", "polecane", "polecamy",
		"похожие", "читайте также", "рекомендуем", "вам также может", "материалы по теме", "по теме", "смотрите также", "с этим товаром", "читайте також", "схожі",
		"relaterade", "läs också", "läs även", "liknande", "relaterede", "læs også", "relaterte", "les også", "lignende", "aiheeseen liittyvää", "lue myös",
		"ilgili", "benzer", "bunlar da ilginizi", "önerilen", "související", "podobné", "mohlo by vás", "čtěte také", "kapcsolódó", "articole similare", "citește și",
		"σχετικά άρθρα", "διαβάστε επίσης", "baca juga", "artikel terkait", "bài viết liên quan", "tin liên quan",
		"関連", "おすすめ", "あわせて読みたい", "こちらもおすすめ", "この記事を読んだ", "この商品を", "相关", "推荐", "猜你喜欢", "相關", "推薦", "延伸閱讀", "延伸阅读", "你可能",
		"관련", "추천", "함께 본", "مقالات ذات صلة", "مواضيع ذات صلة", "أخبار ذات صلة", "ذات صلة", "اقرأ أيضا", "اقرأ أيضًا", "قد يعجبك", "संबंधित", "ये भी पढ़ें",
	},
	popular: {
		"most popular", "most read", "most viewed", "most recent", "most shared", "popular posts", "popular articles", "popular topics", "popular now", "popular", "trending", "latest posts",
		"latest articles", "latest news", "latest stories", "latest topics", "latest discussions", "recent posts", "recent articles", "recent comments", "recent topics", "recent discussions",
		"recent news", "best sellers", "bestsellers", "editor's picks", "editors' picks", "top stories", "hot network questions", "forum statistics", "members online", "share this page",
		"meistgelesen", "meist gelesen", "beliebte", "neueste beiträge", "neueste artikel", "aktuelle beiträge", "letzte beiträge", "les plus lus", "articles récents", "derniers articles", "les plus populaires",
		"más leídas", "más leído", "lo más leído", "lo más visto", "entradas recientes", "últimas noticias", "più letti", "i più letti", "le più lette", "articoli recenti", "mais lidas",
		"mais lidos", "posts recentes", "últimas notícias", "meest gelezen", "recente berichten", "najczęściej czytane", "najpopularniejsze", "ostatnie wpisy", "популярное", "популярные", "самое читаемое",
		"последние записи", "последние новости", "mest läst", "mest læste", "mest lest", "senaste", "çok okunanlar", "son yazılar", "nejčtenější", "人気記事", "最近の投稿", "新着記事", "ランキング",
		"热门文章", "最新文章", "热门", "熱門文章", "熱門", "인기", "최신 글", "الأكثر قراءة", "أحدث المقالات",
	},
	opinions: {
		"customer reviews", "customer ratings", "customer review", "reviews", "ratings & reviews", "ratings and reviews", "ratings", "user reviews", "product reviews", "what customers say",
		"what our customers", "write a review", "write your own review", "seller feedback", "questions & answers", "customer questions", "most helpful", "review this product", "top reviews",
		"kundenbewertungen", "kundenrezensionen", "bewertungen", "rezensionen", "kundenmeinungen", "avis clients", "avis des clients", "avis", "opiniones", "opiniones de clientes", "reseñas", "valoraciones",
		"recensioni", "avaliações", "opiniões", "klantbeoordelingen", "beoordelingen", "reviews van klanten", "opinie", "opinie klientów", "отзывы", "recensioner", "omdömen", "anmeldelser",
		"müşteri yorumları", "değerlendirmeler", "hodnocení", "recenze", "カスタマーレビュー", "レビュー", "商品评价", "用户评价", "商品評價", "顾客评论", "상품평", "리뷰", "구매후기", "تقييمات", "آراء العملاء",
	},
	answering: {
		"leave a reply", "leave a comment", "post a comment", "add a comment", "join the conversation", "join the discussion", "your answer", "write a comment", "submit a comment", "quick reply",
		"schreibe einen kommentar", "kommentar schreiben", "kommentar verfassen", "schreiben sie einen kommentar", "laisser un commentaire", "deja una respuesta", "deja un comentario", "lascia un commento",
		"deixe um comentário", "deixe uma resposta", "geef een reactie", "plaats een reactie", "dodaj komentarz", "zostaw odpowiedź", "добавить комментарий", "оставить комментарий", "lämna ett svar",
		"lämna en kommentar", "bir yanıt yazın", "napsat komentář", "コメントを残す", "コメントする", "发表评论", "发表回复", "發佈留言", "댓글 남기기", "اترك تعليقا", "اترك تعليقاً",
	},
	letters: {
		"newsletter", "subscribe", "sign up for", "sign up to", "join our newsletter", "join our mailing list", "follow us", "get our newsletter", "stay in the loop", "stay up to date", "stay connected",
		"newsletter abonnieren", "jetzt newsletter", "folgen sie uns", "inscrivez-vous", "abonnez-vous", "suivez-nous", "suscríbete", "síguenos", "iscriviti", "seguici", "inscreva-se", "siga-nos",
		"schrijf je in", "volg ons", "zapisz się", "obserwuj nas", "подпишитесь", "подписаться", "prenumerera", "följ oss", "bültene", "メールマガジン", "订阅", "訂閱", "구독", "اشترك",
	},
	discussion: {
		"comments", "comment", "reader comments", "user comments", "responses", "replies", "reactions", "kommentare", "kommentar", "leserkommentare", "commentaires", "commentaire", "réactions",
		"comentarios", "comentario", "commenti", "commento", "comentários", "comentário", "reacties", "reactie", "komentarze", "komentarz", "комментарии", "комментариев", "комментария",
		"комментарий", "коментарі", "kommentarer", "kommentit", "yorumlar", "yorum", "komentáře", "hozzászólások", "comentarii", "σχόλια", "komentar", "bình luận", "コメント", "评论", "評論",
		"留言", "网友评论", "댓글", "تعليقات", "التعليقات", "टिप्पणियाँ",
	},
}
