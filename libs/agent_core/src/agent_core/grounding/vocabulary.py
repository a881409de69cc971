"""Words that may be capitalised or written in kanji without naming anything in the catalogue.

The lists are closed on purpose: a word that is missing here costs a sentence, a name that is wrongly here costs the
truth. Words that are also given names (will, may, grace, mark, rose, light, near) stay out.
"""

_NUMBER_WORDS = """
    two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14
    fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70
    eighty=80 ninety=90 hundred=100 thousand=1000 million=1000000
"""
NUMBER_WORDS: dict[str, int] = {
    word: int(number) for word, number in (pair.split("=") for pair in _NUMBER_WORDS.split())
}

_MONTHS = """
    january=1 jan=1 february=2 feb=2 march=3 mar=3 april=4 apr=4 may=5 june=6 jun=6 july=7 jul=7 august=8 aug=8
    september=9 sept=9 sep=9 october=10 oct=10 november=11 nov=11 december=12 dec=12
"""
MONTHS: dict[str, int] = {name: int(number) for name, number in (pair.split("=") for pair in _MONTHS.split())}
_OTHER_MONTHS = """
    januar=1 februar=2 märz=3 mai=5 juni=6 juli=7 oktober=10 dezember=12 enero=1 febrero=2 marzo=3 abril=4 mayo=5
    junio=6 julio=7 agosto=8 septiembre=9 octubre=10 noviembre=11 diciembre=12
"""
DATE_MONTHS: dict[str, int] = MONTHS | {
    name: int(number) for name, number in (pair.split("=") for pair in _OTHER_MONTHS.split())
}
"""Months as the dates of all languages of answers have them; without a year some of them are given names."""

_PLAIN_WORDS = """
    a about above according across additionally adapted after again all also although always among an and
    another any anything are around as aside at based because before behind being below beside besides between
    beyond both but by can compared could currently despite did directed do does during each earlier either
    else even every everything except few finally first following for four from further furthermore had has
    have having he hence her here hers his how however i if in indeed instead into is it its itself last later
    least less like likewise many meanwhile more moreover most much nearly neither next no nobody none nor not
    nothing notably now of officially often on once one only onto or originally other others otherwise our out
    over overall part per perhaps please previously produced published regarding released respectively same
    second she similarly since so some someone something sometimes still such taking than that the their theirs them
    then there therefore these they third this those though through throughout thus to together too toward
    towards under unfortunately unlike until up upon very voiced was we well were what when where whereas
    whether which while who whose why with within without written yes yet you your
"""
_PLAIN_WORDS_OF_OTHERS = """
    aber als am an auch auf aus außerdem bei beide beiden beim bis da dabei damit danach dann darin das davor dazu
    dem den der des die dies diese dieser dieses dort durch ein eine einem einen einer eines er es für gegen hier
    ihr ihre ihrer im in insgesamt ist jede jeder jedes kein keine laut mit nach neben nein noch nur oder ohne sein
    seine seiner seit sich sie sind so sowie später und unter vom von vor war waren was weil welche welcher welches
    wenn wer wird wo wurde wurden zu zuerst zum zur zwischen zwei drei vier fünf sechs sieben acht neun zehn además
    al ambas ambos antes aparece aparecen aquí así aunque cada como con cuando de del desde después dirigida
    dirigido dónde el ella ellas ellos en entre es esa ese eso esta estas este esto estos está fue fueron ha han
    hasta la las lo los más mientras no otra otras otro otros para pero por que quién se según ser si sí sin sobre
    son su sus también tiene tienen todas todos tras un una uno y ya
"""
PLAIN_WORDS = frozenset((_PLAIN_WORDS + _PLAIN_WORDS_OF_OTHERS).split())

_DOMAIN_WORDS = """
    adaptation adaptations anime art author cast catalogue chapter chapters character characters compilation
    composer creator credits date director directors drama english episode episodes evidence film films format
    franchise french genre genres german hour hours japanese korean light-novel main manga minute minutes movie
    movies music name names novel ona original ova part people person plot prequel producer production
    protagonist relation relations role roles score season seasons sequel series side source special specials
    spin-off staff status story studio studios summary supporting synopsis title titles tv type version voice
    volume volumes work works writer year years spring summer fall autumn winter monday tuesday wednesday
    thursday friday saturday sunday chinese spanish italian portuguese russian
"""
_GERMAN_NOUNS = """
    ableger adaption adaptionen anfang anführer anführerin antwort autor autoren autorin band bände beschreibung
    bewertung beziehung bruder brüder charakter charakterdesign charaktere drehbuch elternteil eltern ende episoden
    erscheinungsjahr fassung feind feindin figur figuren filme folge folgen fortsetzung fortsetzungen franchise frau
    freund freunde freundin geschichte geschwister hauptfigur hauptfiguren hauptgeschichte inhalt jahr jahre jahren
    kapitel kapitän katalog kind kinder komponist komponistin laufzeit lehrer lehrerin mann meister mentorin minuten
    mitglied musik mutter nachfolger nebenfigur nebenfiguren nebengeschichte originalname originaltitel originalwerk
    personen produktion produzent produzentin punkte punkten regie regisseur regisseurin reihe reihenfolge rivale
    rivalin rolle rollen roman schwester schwestern schüler schülerin serie serien serienkomposition sohn söhne
    sprecher sprecherin staffel staffeln stimme stimmen synchronsprecher synchronsprecherin teil teile titeln
    tochter töchter vater verfilmung verfilmungen veröffentlichung vorgeschichte vorgänger vorlage weg werk werke
    werken
"""
"""German writes every noun large; Spanish and English only names."""

DOMAIN_WORDS = frozenset((_DOMAIN_WORDS + _GERMAN_NOUNS).split())

_KANJI_WORDS = """
    主人公 登場人物 登場 人物 作品 監督 声優 原作 原作者 漫画 放送 放送開始 開始 終了 制作 製作 続編 前作 映画
    劇場版 脚本 音楽 作者 著者 公開 連載 担当 出演 役 話 全 年 月 日 巻 章 期 人 者 作 本 名 第 分 中 後 前 上 下 同
    両 各 他 間 関係 共通 関連 共演 一緒 二人 両方 情報 答 回答 質問 検索 結果 見 出 来 入 言 所属 会社 存在 不明
    該当 以下 以上 次 通 例 物語 種類 形式 評価 点 季節 春 夏 秋 冬 外伝 番外編 総集編 版 編 回 本編 最初 最後 時 的
    演 描 含 基 始 終 作成 何 誰 彼 彼女 私 的に 有 无 的 是 在 和 与 动画 動畫 电影 作者是 部 集 季 由 导演 配音
    師匠 弟子 父親 母親 両親 息子 娘 兄弟 姉妹 作曲 翻案 声 前日譚 続篇 船長 主要 原題 別名 視聴 公式 代 アニメ
    マンガ キャラクター シリーズ スタジオ ライバル エピソード ジャンル タイトル ストーリー プロデューサー スピンオフ
    カタログ テレビ シーズン メインキャラクター
"""
KANJI_WORDS = tuple(sorted(_KANJI_WORDS.split(), key=len, reverse=True))

FACT_FREE_OPENINGS = (
    "here is what i found",
    "here are the results",
    "here is the answer",
    "this is what i found",
    "i don't know",
    "i do not know",
    "i could not find an answer",
    "i found nothing",
    "the evidence does not say",
    "the catalogue does not say",
    "which one do you mean",
    "which of them do you mean",
)
