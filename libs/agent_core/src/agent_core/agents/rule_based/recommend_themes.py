"""Words for themes by the tags that catalogues carry, and for wishes that no catalogue row tells."""

from agent_core.agents.rule_based.cues import CueRow, GenreCue

THEME_CUES: tuple[CueRow, ...] = (
    (r"isekai", GenreCue("Isekai")),
    (r"time travel(?:ling|ing)?", GenreCue("Time Travel")),
    (r"time loops?", GenreCue("Time Loop")),
    (r"cyberpunk", GenreCue("Cyberpunk")),
    (r"steampunk", GenreCue("Steampunk")),
    (r"post apocalyptic", GenreCue("Post-Apocalyptic")),
    (r"space operas?", GenreCue("Space Opera")),
    (r"(?:outer )?space", GenreCue("Space")),
    (r"wars?", GenreCue("War")),
    (r"military", GenreCue("Military")),
    (r"(?:high )?schools?", GenreCue("School")),
    (r"historical", GenreCue("Historical")),
    (r"samurai", GenreCue("Samurai")),
    (r"ninjas?", GenreCue("Ninja")),
    (r"pirates?", GenreCue("Pirates")),
    (r"vampires?", GenreCue("Vampire")),
    (r"martial arts", GenreCue("Martial Arts")),
    (r"volleyball", GenreCue("Volleyball")),
    (r"basketball", GenreCue("Basketball")),
    (r"idols?", GenreCue("Idol")),
    (r"iyashikei|healing|soothing", GenreCue("Iyashikei")),
    (r"coming of age", GenreCue("Coming of Age")),
    (r"super ?powers?", GenreCue("Super Power")),
    (r"super ?heroe?s?", GenreCue("Superhero")),
    (r"gore|gory", GenreCue("Gore")),
    (r"survival", GenreCue("Survival")),
    (r"revenge", GenreCue("Revenge")),
    (r"tragedy|tragic", GenreCue("Tragedy")),
    (r"crime", GenreCue("Crime")),
    (r"politic(?:s|al)", GenreCue("Politics")),
    (r"spy|spies|espionage", GenreCue("Espionage")),
    (r"found family", GenreCue("Found Family")),
    (r"dark fantasy", GenreCue("Dark Fantasy")),
    (r"magic(?! girls?)", GenreCue("Magic")),
    (r"aliens?", GenreCue("Aliens")),
    (r"demons?", GenreCue("Demons")),
    (r"witch(?:es)?", GenreCue("Witch")),
    (r"reincarnation", GenreCue("Reincarnation")),
)

UNCHECKED_WISHES: tuple[tuple[str, str], ...] = (
    (
        r"(?:(?:that|which) (?:is|are|has|have) )?(?:with |in |available in |has |have )?(?:an? )?(?:good |great"
        r" )?(?:(?:english|german|french|spanish|italian) )?(?:dub(?:s|bed)?(?: version)?|audio)",
        "dubs",
    ),
    (
        r"(?:(?:that|which) )?(?:(?:i can|we can|is|are) )?(?:available |stream(?:s|ing|ed|able)? |watchable |free"
        r" )*(?:to (?:watch|stream) )?(?:on|at|from) (?:netflix|crunchyroll|hulu|disney ?(?:plus|\+)?|amazon(?:"
        r" prime)?|prime(?: video)?|hidive|funimation|youtube)(?: right now| now)?",
        "streaming services",
    ),
    (r"(?:that i can |available (?:for|to) )(?:stream|streaming)(?: legally| online)?", "streaming services"),
    (
        r"(?:(?:that|which) (?:is|are) )?(?:suitable |appropriate |okay |ok |safe )?for (?:my |an? |the )*(?:(?:small"
        r"|young|little|\w+ year old) )*(?:kids?|child(?:ren)?|son|daughter|famil(?:y|ies)|toddlers?)|(?:kid|child"
        r"|family) friendly",
        "age ratings",
    ),
    (
        r"(?:(?:very|really|not too|a bit|rather) )*(?:sad|dark|feel ?good|relaxing|calm|heart ?warming|wholesome"
        r"|emotional|cozy|cosy|cute|epic|beautiful(?:ly animated)?|gripping|light ?hearted|uplifting|melancholic"
        r"|mature|underrated|obscure|hidden)",
        "moods",
    ),
)
"""What is wished, and the word for what would have to be known."""
