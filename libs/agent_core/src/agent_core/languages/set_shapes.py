"""Sentences about whole sets: `{s}` is a set in words, `{e}` an extreme, `{f}` a figure, `{g}` what parts the set."""

type Row = tuple[str, str, str, str]

SET_SHAPES: tuple[Row, ...] = (
    (
        "The catalogue holds no {s}: the count is 0",
        "Im Katalog steht nichts davon ({s}): die Anzahl ist 0",
        "El catálogo no contiene nada de eso ({s}): el total es 0",
        "カタログに該当するものはありません（{s}）：0件です",
    ),
    (
        "The catalogue holds no {s}",
        "Im Katalog steht nichts davon: {s}",
        "El catálogo no contiene nada de eso: {s}",
        "カタログに該当するものはありません：{s}",
    ),
    (
        "The catalogue holds {n} {s}",
        "Anzahl im Katalog ({s}): {n}",
        "Número en el catálogo ({s}): {n}",
        "カタログにある数（{s}）：{n}",
    ),
    (
        "The catalogue holds {n} {s}: {p}",
        "Anzahl im Katalog ({s}): {n}, nämlich {p}",
        "Número en el catálogo ({s}): {n}, que son {p}",
        "カタログにある数（{s}）：{n}、{p}",
    ),
    (
        "The catalogue holds {n} {s}; the first of them are {p}",
        "Anzahl im Katalog ({s}): {n}; die ersten davon sind {p}",
        "Número en el catálogo ({s}): {n}; los primeros son {p}",
        "カタログにある数（{s}）：{n}、最初のものは{p}",
    ),
    ("They are {p}", "Es sind {p}", "Son {p}", "該当するのは{p}です"),
    ("It is {p}", "Es ist {p}", "Es {p}", "該当するのは{p}です"),
    (
        "The only match in the catalogue is {p}",
        "Der einzige Treffer im Katalog ist {p}",
        "La única coincidencia en el catálogo es {p}",
        "カタログで該当するのは{p}だけです",
    ),
    (
        "Of the {s}, {a} has {e}: {f}",
        "{a} hat {e} ({s}): {f}",
        "{a} tiene {e} ({s}): {f}",
        "{e}のは{a}です（{s}）：{f}",
    ),
    (
        "Of the {s} whose {g} is known, {a} has {e}: {f}",
        "{a} hat {e} ({s}; soweit bekannt): {f}",
        "{a} tiene {e} ({s}; según lo conocido): {f}",
        "{e}のは{a}です（{s}、判明分）：{f}",
    ),
    (
        "Of the {s}, those with {e} are {p}",
        "Es haben {e} ({s}): {p}",
        "Tienen {e} ({s}): {p}",
        "{e}もの（{s}）：{p}",
    ),
    (
        "Of the {s} whose {g} is known, those with {e} are {p}",
        "Es haben {e} ({s}; soweit bekannt): {p}",
        "Tienen {e} ({s}; según lo conocido): {p}",
        "{e}もの（{s}、判明分）：{p}",
    ),
    (
        "The {s} in the catalogue by {g} are {p}",
        "Anzahl im Katalog ({s}) nach {g}: {p}",
        "Número en el catálogo ({s}) por {g}: {p}",
        "カタログにある数（{s}、{g}別）：{p}",
    ),
    (
        "{a} has the most {s} in the catalogue: {n}",
        "{a} hat die meisten im Katalog ({s}): {n}",
        "{a} tiene el mayor número en el catálogo ({s}): {n}",
        "カタログで最も多いのは{a}です（{s}）：{n}",
    ),
    (
        "As {k}, {a} has the most {s} in the catalogue: {n}",
        "{a} hat die meisten im Katalog ({k}; {s}): {n}",
        "{a} tiene el mayor número en el catálogo ({k}; {s}): {n}",
        "カタログで最も多いのは{a}です（{k}、{s}）：{n}",
    ),
    (
        "In order of release: {p}",
        "In der Reihenfolge des Erscheinens: {p}",
        "Por orden de estreno: {p}",
        "公開順：{p}",
    ),
    (
        "In the order of the story: {p}",
        "In der Reihenfolge der Geschichte: {p}",
        "En el orden de la historia: {p}",
        "物語の順：{p}",
    ),
    (
        "In order of release, which is also that of the story: {p}",
        "In der Reihenfolge des Erscheinens, zugleich der Geschichte: {p}",
        "Por orden de estreno, que es también el de la historia: {p}",
        "公開順（物語の順と同じ）：{p}",
    ),
    (
        "The average over the {s} in the catalogue is {f}, from {n} {k}",
        "Der Durchschnitt im Katalog ({s}) ist {f}, aus {n} Einträgen ({k})",
        "La media en el catálogo ({s}) es {f}, de {n} entradas ({k})",
        "カタログでの平均（{s}）は{f}です（{k}{n}件）",
    ),
    (
        "The total over the {s} in the catalogue is {f}, from {n} {k}",
        "Die Summe im Katalog ({s}) ist {f}, aus {n} Einträgen ({k})",
        "El total en el catálogo ({s}) es {f}, de {n} entradas ({k})",
        "カタログでの合計（{s}）は{f}です（{k}{n}件）",
    ),
    (
        "Of the {s} in the catalogue, these are most like {p}",
        "Am ähnlichsten zu {p} sind im Katalog ({s})",
        "Lo más parecido a {p} en el catálogo ({s})",
        "カタログで{p}に最も近いもの（{s}）",
    ),
    (
        "Of the {s} in the catalogue, this one is most like {p}",
        "Am ähnlichsten zu {p} ist im Katalog ({s})",
        "Lo más parecido a {p} en el catálogo ({s})",
        "カタログで{p}に最も近いもの（{s}）",
    ),
    (
        "Of the {s} in the catalogue, these are the best known",
        "Am bekanntesten sind im Katalog ({s})",
        "Lo más conocido en el catálogo ({s})",
        "カタログで最もよく知られているもの（{s}）",
    ),
    (
        "Of the {s} in the catalogue, this one fits",
        "Im Katalog passt ({s})",
        "En el catálogo encaja ({s})",
        "カタログで当てはまるもの（{s}）",
    ),
    (
        "The catalogue holds no {s} that have enough in common with {p}",
        "Der Katalog enthält nichts ({s}), das {p} ähnlich genug ist",
        "El catálogo no contiene nada ({s}) que se parezca lo bastante a {p}",
        "カタログには{p}に十分似たもの（{s}）がありません",
    ),
    (
        "The catalogue holds no {s} to recommend",
        "Der Katalog enthält nichts ({s}) zum Empfehlen",
        "El catálogo no contiene nada ({s}) que recomendar",
        "カタログにおすすめできるもの（{s}）がありません",
    ),
    (
        "{a} goes on in its sequel {b}",
        "{a} geht weiter in der Fortsetzung {b}",
        "{a} continúa en su secuela {b}",
        "{a}は続編の{b}に続きます",
    ),
)

EXTREMES: tuple[Row, ...] = (
    ("the highest score", "die höchste Bewertung", "la puntuación más alta", "最も評価が高い"),
    ("the lowest score", "die niedrigste Bewertung", "la puntuación más baja", "最も評価が低い"),
    ("the most episodes", "die meisten Folgen", "más episodios", "最も話数が多い"),
    ("the fewest episodes", "die wenigsten Folgen", "menos episodios", "最も話数が少ない"),
    ("the most chapters", "die meisten Kapitel", "más capítulos", "最も章が多い"),
    ("the fewest chapters", "die wenigsten Kapitel", "menos capítulos", "最も章が少ない"),
    ("the most volumes", "die meisten Bände", "más tomos", "最も巻数が多い"),
    ("the fewest volumes", "die wenigsten Bände", "menos tomos", "最も巻数が少ない"),
    ("the longest running time", "die längste Laufzeit", "la mayor duración", "最も上映時間が長い"),
    ("the shortest running time", "die kürzeste Laufzeit", "la menor duración", "最も上映時間が短い"),
    ("the latest start", "den spätesten Start", "el inicio más reciente", "最も開始が遅い"),
    ("the earliest start", "den frühesten Start", "el inicio más antiguo", "最も開始が早い"),
    ("the longest run", "die längste Laufdauer", "la emisión más larga", "最も期間が長い"),
    ("the shortest run", "die kürzeste Laufdauer", "la emisión más corta", "最も期間が短い"),
)

FIGURES: tuple[Row, ...] = (
    ("episode", "{n} Folge", "{n} episodio", "{n}話"),
    ("episodes", "{n} Folgen", "{n} episodios", "{n}話"),
    ("chapter", "{n} Kapitel", "{n} capítulo", "{n}章"),
    ("chapters", "{n} Kapitel", "{n} capítulos", "{n}章"),
    ("volume", "{n} Band", "{n} tomo", "{n}巻"),
    ("volumes", "{n} Bände", "{n} tomos", "{n}巻"),
    ("minute", "{n} Minute", "{n} minuto", "{n}分"),
    ("minutes", "{n} Minuten", "{n} minutos", "{n}分"),
    ("day", "{n} Tag", "{n} día", "{n}日"),
    ("days", "{n} Tage", "{n} días", "{n}日"),
)

NOTES: tuple[Row, ...] = (
    (
        "optional, beside the main story",
        "optional, neben der Hauptgeschichte",
        "opcional, al margen de la historia",
        "任意、本編外",
    ),
    ("optional, a recap", "optional, ein Rückblick", "opcional, un resumen", "任意、総集編"),
    ("optional, an alternative telling", "optional, andere Fassung", "opcional, otra versión", "任意、別バージョン"),
)
"""What stands in brackets behind a name."""

GROUPS: tuple[Row, ...] = (
    ("score", "Bewertung", "puntuación", "評価"),
    ("number of episodes", "Folgenzahl", "número de episodios", "話数"),
    ("number of chapters", "Kapitelzahl", "número de capítulos", "章数"),
    ("number of volumes", "Bandzahl", "número de tomos", "巻数"),
    ("running time", "Laufzeit", "duración", "上映時間"),
    ("year", "Jahr", "año", "年"),
    ("decade", "Jahrzehnt", "década", "年代"),
    ("season", "Saison", "temporada", "シーズン"),
    ("genre", "Genre", "género", "ジャンル"),
    ("format", "Format", "formato", "形式"),
    ("status", "Status", "estado", "状態"),
    ("source", "Vorlage", "fuente", "原作"),
    ("studio", "Studio", "estudio", "スタジオ"),
)
