"""The glossary: cue words of other languages with the English that each stands for, and what tells a language."""

WIDE: dict[str, str] = {
    "ja": """
        の='s 監督は誰=director_who 監督したのは誰=director_who 監督した=directed
        作ったスタジオ=studio 作った会社=studio 演じた声優=voice_actor 演じた=voices 担当しました= 担当した= 担当=
        エピソード数=episode_count 次の作品=sequel 監督=director 声優=voice_actor 担当声優=voice_actor
        声は誰がやっています=voice_actor_who 声は誰=voice_actor_who 声=voice_actor
        原作者=author 作者=author 漫画家=author 原作=source_work 脚本家=script_writer 脚本=script_writer
        シリーズ構成=series_composition 音楽=composer 作曲家=composer 作曲=composer
        音楽は誰が作った=composer_who 音楽を作ったのは誰=composer_who 音楽を担当したのは誰=composer_who
        キャラクターデザイン=character_designer キャラデザ=character_designer 制作会社=studio アニメ制作会社=studio
        アニメーション制作=studio 制作スタジオ=studio 制作=studio スタジオ=studio 主人公=protagonist
        登場人物=characters キャラクター=characters キャラ=characters 主要キャラクター=main_characters
        メインキャラクター=main_characters 続編=sequel 続き=sequel 前作=prequel 前日譚=prequel スピンオフ=spin_off
        外伝=side_story 総集編=recap 全何話=how_many_episodes 何話=how_many_episodes 話数=episode_count
        何巻=how_many_volumes 巻数=volume_count 何章=how_many_chapters いつ=when 放送開始日=start_date
        放送日=start_date 公開日=start_date 見る順番=watch_order 視聴順=watch_order 放送開始=start 放送=start
        始まっ=start 始まり=start 公開=start 開始=start 終わっ=end 終わり=end 終了=end 完結=finished 誰=who
        だれ=who 何年=what_year 何=what なに=what なん=what どこ=where どの=which 関係=relationship
        繋がり=connection つながり=connection 兄弟=siblings 兄=brother 弟=brother 姉=sister 妹=sister 父親=father
        父=father 母親=mother 母=mother 友達=friends 友人=friends ライバル=rival 師匠=mentor 先生=mentor
        ジャンル=genres 評価=score スコア=score アニメ版=anime
        アニメ=anime 漫画=manga マンガ=manga 映画=movies 劇場版=movies
        小説=novel 作品=works あらすじ=synopsis 内容=synopsis どんな話=synopsis 出演=appears 登場=appears
        比較=compare 違い=difference 演じ=voices 演じて=voices と=and や=and 書い=wrote 描い=wrote 作っ=made て=
        おすすめ=recommendations オススメ=recommendations お勧め=recommendations に似た=style と似た=style
        みたいな=style のような=style っぽい=style 次に何を見れば=what_should_i_watch_next いい=good
        は= が= を= に= で= も= か= です= ですか= ですか? だ= た= ます= ましたか= ました= ください= 教えて=
        教えてください= いる= る= って= という= こと= について=about? いますか= ありますか=

    """,
    "zh": """
        的='s 导演是谁=director_who 导演=director 監督=director 声优=voice_actor 配音演员=voice_actor
        配音=voice_actor 作者=author 谁=who 是谁=who 几集=how_many_episodes 多少集=how_many_episodes
        共有几集=how_many_episodes 几卷=how_many_volumes 什么时候=when 何时=when 播出=start 开始=start 开播=start
        是哪个公司制作的=studio 是哪家公司制作的=studio 哪个公司=which_studio 哪家公司=which_studio
        是谁导演的=director_who 是谁配音的=voice_actor_who 集数=episode_count 续集=sequel 前传=prequel 主角=protagonist
        角色=characters 工作室=studio 动画公司=studio 制作公司=studio
        推荐=recommend 推薦=recommend 类似=similar_to 类似于=similar_to 一部=an 动画=anime 动漫=anime
        关系=relationship 和=and 与=and 是= 有= 在= 类型=genres 评分=score

    """,
    "ko": """
        의='s 감독=director 성우=voice_actor 작가=author 원작자=author 누구=who 몇화=how_many_episodes 언제=when
        속편=sequel 주인공=protagonist 등장인물=characters 제작사=studio 는= 은= 이= 가= 을= 를= 야= 입니까=
        인가요= 와=and 과=and 관계=relationship

    """,
}
WORDS: dict[str, str] = {
    "de": """
        wer=who ist=is sind=are war=was hat=has haben=have der=the die=the das=the des=the den=the dem=the ein=a
        eine=a einen=a einer=a von=of vom=of_the zu=to zum=to_the zur=to_the bei=of für=for in=in im=in_the
        aus=from und=and oder=or mit=with wie_viele=how_many wieviele=how_many folgen=episodes folge=episode
        episoden=episodes staffeln=seasons kapitel=chapters bände=volumes bände_hat=volumes regisseur=director
        regisseurin=director regie=director regie_führte=directed führte_regie=directed führte_regie_bei=directed
        wer_führte_regie_bei=who_directed inszenierte=directed synchronsprecher=voice_actor
        synchronsprecherin=voice_actor sprecher=voice_actor sprecherin=voice_actor spricht=voices sprach=voiced
        autor=author autorin=author schrieb=wrote geschrieben=wrote gezeichnet=drawn komponiert=composed
        produziert=produced animiert=animated synchronisiert=voices gesprochen=voices inszeniert=directed
        erfunden=created zeichnete=drew schöpfer=creator komponist=composer komponierte=composed
        komponistin=composer musik=music drehbuch=script wann=when erschien=released startete=started
        begann=started lief=aired endete=ended fortsetzung=sequel fortsetzungen=sequels vorgänger=prequel
        ableger=spin_off hauptfigur=protagonist hauptfiguren=main_characters hauptcharakter=protagonist
        hauptcharaktere=main_characters charaktere=characters figuren=characters welche=which welcher=which
        welches=which welchem=which welchen=which was=what worum_geht_es_in=synopsis_of
        worum_geht_es_bei=synopsis_of handlung=plot film=movie filme=movies serie=series serien=series werke=works
        zusammenhang=connection verbindung=connection beziehung=relationship zwischen=between verbunden=connected
        verwandt=related wie=how bruder=brother schwester=sister vater=father mutter=mother freund=friend
        freunde=friends rivale=rival lehrer=mentor vergleiche=compare unterschied=difference genres=genres
        bewertung=score produzierte=produced animierte=animated machte=made basiert_auf=based_on basiert=based
        auf=on erzähl_mir_von=tell_me_about erzähle_mir_von=tell_me_about kommt=appears tritt=appears auf=in vor=in
        in_welchem_jahr=what_year von_wem_stammt_die_musik=who_composed_the_music
        von_wem_ist_die_musik=who_composed_the_music von_wem_stammt=who_made welche_figuren_spricht=roles_of
        welche_charaktere_spricht=roles_of welche_rollen_spricht=roles_of erscheinungsdatum=release_date
        anzahl_der=number_of anzahl=number von_welchem_studio_stammt=which_studio_made
        von_welchem_studio_ist=which_studio_made von_welchem_studio_wurde=which_studio_made stammt=is
        in_welcher_reihenfolge=in_what_order reihenfolge=watch_order sollte_man=should_i soll_ich=should_i
        sollte_ich=should_i soll_man=should_i schaut_man=should_i_watch sieht_man=should_i_watch schauen=watch
        ansehen=watch jahr=year abgeschlossen=finished es=it gibt_es=is_there eine_verbindung=a_connection
        empfiehl=recommend empfiehlst=recommend empfehle=recommend empfehlen=recommend empfehlung=recommendation
        empfehlungen=recommendations kannst_du=can_you könntest_du=could_you mir=me etwas_wie=something_like
        etwas_ähnliches_wie=something_like was_ähnliches_wie=something_like ähnlich_wie=similar_to anime_wie=anime_like
        film_wie=movie_like filme_wie=movies_like serie_wie=series_like serien_wie=series_like ohne=without aber=but
        soll_ich_nach=should_i_watch_after sollte_ich_nach=should_i_watch_after als_nächstes=next ich_mag=i_like
        ich_mochte=i_liked ich_liebe=i_love ich_hasse=i_hate romantik=romance kurze=short kurzen=short kurzer=short
        lange=long langen=long abgeschlossene=finished abgeschlossenen=finished abgeschlossener=finished gute=good
        guten=good weiblicher_hauptfigur=a_female_lead
        an_welchem_tag=when nenne_mir=name nenne=name zeige_mir=show zeig_mir=show liste=list hinter=behind gab=voiced
        gibt=voices
        was_für_ein_genre_hat=genres_of was_für_genres_hat=genres_of von_wem_wurde=by_whom_was von_wem_ist=by_whom_is
        staffel=season gemacht=made gedreht=directed
        erschaffen=created geschaffen=created ausgestrahlt=aired
        veröffentlicht=released adaptiert=adapted erschienen=released gestartet=started kam=did raus=come_out
        heraus=come_out leiht=voices lieh=voiced seine_stimme= ihre_stimme= die_stimme= die_stimme_von=voice_actor_of
        stimme=voice auf_englisch=in_english auf_japanisch=in_japanese auf_deutsch=in_german im_englischen=in_english
        im_japanischen=in_japanese englische=english englischer=english englischen=english japanische=japanese
        japanischer=japanese wie_heißt=what_is wie_heisst=what_is wie_heißen=what_are wie_hieß=what_was
        worum_geht_'s_in=synopsis_of worum_geht_'s_bei=synopsis_of um_was_geht_es_in=synopsis_of
        wovon_handelt=synopsis_of wovon_erzählt=synopsis_of inhalt=synopsis länger=longer kürzer=shorter älter=older
        neuer=newer mehr=more weniger=fewer als=than längste=longest längster=longest längsten=longest
        kürzeste=shortest kürzester=shortest neueste=newest älteste=oldest beste=best meisten=most die_meisten=the_most
        hängen=are hängt=is zusammen=connected ich_suche=recommend suche=recommend worauf_basiert=source_work_of
        worauf_beruht=source_work_of gibt_es_einen_anime_zu=anime_adaptations_of
        gibt_es_eine_verfilmung_von=anime_adaptations_of verfilmung_von=anime_adaptations_of
        wie_lange_dauert=runtime_of wie_lang_ist=runtime_of wie_lange_läuft=runtime_of dauer=runtime laufzeit=runtime
        zu_welchem_genre_gehört=genres_of zu_welchen_genres_gehört=genres_of welches_genre_hat=genres_of
        welche_genres_hat=genres_of bewertet=rated wie_vielen=how_many
        aus_wie_vielen_folgen_besteht=number_of_episodes_of
        aus_wie_vielen_episoden_besteht=number_of_episodes_of umfasst=has andere=other anderen=other noch=else
        nach=after
        insgesamt=in_total ähnelt=similar_to ähneln=similar_to zeichner=illustrator zeichnerin=illustrator
        buch=novel roman=novel romane=novels vorlage=source_work vorlage_von=source_work_of mangas=manga
        verraten=tell sagen=tell spielt=appears spielen=appear rolle=role rollen=roles spricht_noch=else_voices
        geschwister=siblings hauptrolle=main_role zwillingsbruder=brother zwillingsschwester=sister meister=master
        erste=first ersten=first zuerst=first früher=earlier später=later ende=end kapitelzahl=number_of_chapters
        folgenzahl=number_of_episodes wie_viele_minuten_dauert=runtime_of

    """,
    "es": """
        quién=who quien=who quiénes=who es=is son=are fue=was era=was el=the la=the los=the las=the un=a una=a
        de=of del=of_the al=of_the a=of en=in y=and e=and o=or con=with por=by para=for entre=between que=that
        qué=what cuál=which cual=which cuáles=which cuántos=how_many cuántas=how_many cuantos=how_many
        cuantas=how_many episodios=episodes capítulos=episodes capitulos=episodes tomos=volumes volúmenes=volumes
        tiene=has tienen=have hay=are_there director=director directora=director dirigió=directed dirigio=directed
        autor=author autora=author creador=creator creó=created escribió=wrote escribio=wrote dibujó=drew
        compositor=composer compuso=composed música=music guionista=script_writer actor_de_voz=voice_actor
        actriz_de_voz=voice_actor actores_de_voz=voice_actors seiyuu=voice_actor voz=voice la_voz_de=the_voice_of
        pone_voz_a=voices da_voz_a=voices le_da_voz_a=voices dobla_a=voices interpreta_a=voices cuándo=when
        cuando=when se_estrenó=premiered estrenó=premiered salió=released empezó=started comenzó=started
        terminó=ended acabó=ended secuela=sequel secuelas=sequels continuación=sequel precuela=prequel
        personaje=character personajes=characters personajes_principales=main_characters
        personaje_principal=protagonist protagonista=protagonist protagonistas=protagonists estudio=studio
        animó=animated produjo=produced hizo=made género=genre géneros=genres de_qué_trata=synopsis_of
        de_que_trata=synopsis_of sinopsis=synopsis aparece=appears relación=relationship conexión=connection
        conectado=connected relacionado=related conecta=connects compara=compare diferencia=difference
        basado_en=based_on basada_en=based_on película=movie películas=movies serie=series obras=works
        hermano=brother hermana=sister padre=father madre=mother amigo=friend amigos=friends rival=rival
        maestro=mentor año=year en_qué_año=what_year puntuación=score nota=score cómo=how como=how está=is
        fecha_de_estreno=release_date fecha_de_emisión=release_date fecha_de_lanzamiento=release_date
        número_de=number_of numero_de=number_of en_qué_orden_se_ve=in_what_order_should_i_watch
        en_qué_orden_debería_ver=in_what_order_should_i_watch en_qué_orden_debo_ver=in_what_order_should_i_watch
        en_qué_orden_veo=in_what_order_should_i_watch en_qué_orden_hay_que_ver=in_what_order_should_i_watch
        en_qué_orden_ver=in_what_order_should_i_watch en_que_orden_ver=in_what_order_should_i_watch
        orden_para_ver=watch_order_of orden_de=watch_order_of están=are
        qué_estudio=which_studio háblame_de=tell_me_about cuéntame_de=tell_me_about terminado=finished
        recomiéndame=recommend_me recomiendame=recommend_me recomienda=recommend recomiendas=recommend
        recomendarme=recommend_me recomendar=recommend recomendación=recommendation recomendaciones=recommendations
        puedes=can_you me=me algo_como=something_like algo_parecido_a=something_like parecido_a=similar_to
        parecida_a=similar_to parecidos_a=similar_to similar_a=similar_to similares_a=similar_to anime_como=anime_like
        película_como=movie_like películas_como=movies_like serie_como=series_like series_como=series_like sin=without
        pero=but me_gustó=i_liked me_gusta=i_like me_encantó=i_loved odio=i_hate odié=i_hated
        debería_ver_después_de=should_i_watch_after ver_después_de=watch_after misterio=mystery corto=short corta=short
        largo=long larga=long terminada=finished ciencia_ficción=science_fiction
        ha=has han=have dirigido=directed escrito=written compuesto=composed hecho=made producido=produced
        animado=animated creado=created doblado=voiced interpretado=voiced estrenado=released publicado=published
        dirige=directed escribe=wrote interpreta=voices dobla=voices de_qué_va=synopsis_of de_que_va=synopsis_of
        más=more menos=fewer más_largo=longer más_larga=longer más_corto=shorter más_corta=shorter más_antiguo=older
        más_antigua=older más_nuevo=newer más_nueva=newer más_reciente=newer más_episodios_que=more_episodes_than
        más_capítulos_que=more_chapters_than más_tomos_que=more_volumes_than el_anime_más_largo=the_longest_anime
        la_serie_más_larga=the_longest_series la_película_más_larga=the_longest_movie
        la_película_más_corta=the_shortest_movie la_película_más_antigua=the_oldest_movie
        el_anime_más_antiguo=the_oldest_anime quisiera_saber= me_gustaría_saber= quiero_saber= dime=tell_me
        podrías=could_you podrías_decirme=could_you_tell_me puedes_decirme=can_you_tell_me sabes=do_you_know
        busco=recommend en_qué_se_basa=source_work_of en_que_se_basa=source_work_of cuánto_dura=runtime_of
        cuanto_dura=runtime_of qué_papeles_interpreta=roles_of qué_personajes_interpreta=roles_of
        qué_personajes_dobla=roles_of a_qué_personajes_da_voz=roles_of qué_papeles_tiene=roles_of
        a_quién_da_voz=roles_of a_quién_interpreta=roles_of papel=role papeles=roles
        guion=script guión=script banda_sonora=soundtrack antes_de=before después_de=after desde=since
        género_de=genre_of hermanos=siblings otros=other otras=other ha_terminado=is_finished
        duración=runtime novela=novel novelas=novels libro=novel manga=manga mangas=manga animes=anime en_total=in_total
        actor_de_doblaje=voice_actor dibujante=illustrator mangaka=mangaka salen_en=appear_in sale_en=appears_in
        primero=first antes=before en_inglés=in_english en_japonés=in_japanese cómo_se_llama=what_is
        como_se_llama=what_is

    """,
    "fr": """
        qui=who est=is sont=are était=was le=the la=the les=the l'=the un=a une=a de=of du=of_the des=of_the d'=of
        et=and ou=or dans=in avec=with entre=between a_réalisé=directed réalisé=directed réalisateur=director
        réalisatrice=director auteur=author autrice=author créateur=creator a_écrit=wrote a_créé=created
        a_composé=composed compositeur=composer combien_d'=how_many combien_de=how_many combien=how_many
        épisodes=episodes tomes=volumes chapitres=chapters a=has y_a_t_il=are_there quand=when sorti=released
        commencé=started terminé=ended suite=sequel préquelle=prequel personnages=characters
        personnages_principaux=main_characters personnage_principal=protagonist héros=protagonist
        doubleur=voice_actor doubleuse=voice_actor double=voices studio=studio quel=which quelle=which quels=which
        quel_studio=which_studio a_animé=animated a_produit=produced de_quoi_parle=synopsis_of
        relation=relationship lien=connection genre=genre frère=brother sœur=sister père=father mère=mother
        compare=compare différence=difference film=movie films=movies nombre_d'=number_of année=year comment=how
        recommande=recommend recommandes=recommend recommander=recommend recommandez=recommend moi=me me=me
        recommandation=recommendation recommandations=recommendations peux_tu=can_you quelque_chose_comme=something_like
        similaire_à=similar_to similaires_à=similar_to comme=like film_comme=movie_like anime_comme=anime_like
        série_comme=series_like sans=without mais=but j'_ai_aimé=i_liked j'_ai_adoré=i_loved court=short courte=short

    """,
    "ru": """
        кто=who что=what какая=which какой=which какие=which озвучивает=voices озвучил=voices озвучила=voices
        режиссёр=director режиссер=director снял=directed поставил=directed автор=author автора=author
        написал=wrote создал=created композитор=composer сколько=how_many серий=episodes эпизодов=episodes
        томов=volumes глав=chapters в=in и=and когда=when вышел=released вышла=released вышло=released
        начался=started закончился=ended студия=studio сделала=made продолжение=sequel сиквел=sequel
        приквел=prequel главный_герой=protagonist главные_герои=main_characters персонажи=characters
        о_чём=synopsis_of жанр=genre связь=connection между=between как=how связаны=connected брат=brother
        сестра=sister отец=father мать=mother друг=friend аниме=anime фильм=movie фильмы=movies

    """,
}
CERTAIN: dict[str, set[str]] = {
    "de": {
        "wer",
        "wann",
        "wie viele",
        "welche",
        "welcher",
        "welches",
        "worum",
        "vergleiche",
        "zwischen",
        "wieviele",
        "regisseur",
        "regisseurin",
        "anzahl",
        "studio von",
        "folgen von",
        "reihenfolge",
        "von welchem",
        "synchronsprecher von",
        "synchronsprecherin von",
        "autor von",
        "in welchem",
        "von wem",
        "erscheinungsdatum",
        "fortsetzung",
        "empfiehl",
        "empfiehlst",
        "empfehlen",
        "empfehlung",
        "empfehlungen",
        "etwas wie",
        "ähnlich wie",
        "soll ich",
        "nenne",
        "was für",
        "wie heißt",
        "wie heisst",
        "wie heißen",
        "welchen",
        "welchem",
        "wovon",
        "worauf",
        "was ist",
        "was sind",
        "wie lange",
        "wie lang",
        "wie gut",
        "wie hängen",
        "wie hängt",
        "gibt es",
        "ich suche",
        "ich mag",
        "ist",
        "sind",
        "mehr",
        "länger",
        "älter",
        "oder",
        "wessen",
        "verfilmung",
        "sprecher von",
        "aus wie",
        "stimme von",
        "komponist von",
        "laufzeit",
        "bruder",
        "schwester",
    },
    "es": {
        "quién",
        "cuántos",
        "cuántas",
        "cuándo",
        "qué",
        "cuál",
        "cuáles",
        "cómo",
        "quien",
        "cuantos",
        "cuantas",
        "háblame",
        "compara",
        "director de",
        "fecha de",
        "directora de",
        "número de",
        "orden para",
        "orden de",
        "estudio de",
        "autor de",
        "secuela",
        "recomiéndame",
        "recomiendame",
        "recomienda",
        "recomiendas",
        "recomendaciones",
        "algo como",
        "parecido a",
        "me gustó",
        "quiénes",
        "actriz de voz",
        "actor de voz",
        "quienes",
        "son los",
        "los personajes",
        "dime",
        "busco",
        "quisiera",
        "cuánto",
        "tiene",
        "está",
        "ha terminado",
        "más episodios",
        "puedes",
        "podrías",
        "sabes",
        "el director",
        "la secuela",
        "el autor",
        "estrenó",
        "compositor de",
        "hermano de",
        "hermana de",
        "duración de",
    },
    "fr": {
        "réalisateur de",
        "doubleur de",
        "nombre d",
        "suite de",
        "qui",
        "quand",
        "combien",
        "quel",
        "quelle",
        "quels",
        "de quoi",
        "recommande",
        "recommandes",
        "recommander",
        "quelque chose comme",
        "similaire à",
    },
    "ru": {"кто", "что", "сколько", "когда", "какая", "какой", "какие", "режиссёр", "режиссер", "автор", "студия"},
}
