"""Words that are not said any more, the ones in their place, and how many messages still have them.

The number only falls: when a word is gone from a language, it is 0.
"""

RETIRED: dict[str, tuple[tuple[str, str, int], ...]] = {
    "en": (
        (r"\b(lay|lays|laying|laid)\b", "play a card, place a die", 6),
        (r"\banew\b", "again", 1),
        (r"\botherwise\b", "(default: …)", 1),
        (r"\balso when\b", "even if", 0),
        (r"\bfor no\b", "doesn't count for", 0),
        (r"\bfor ever\b", "forever", 2),
        (r"\bcannot\b", "can't", 1),
        (r"\b(is|are|was|were|do|does|did|has|have) not\b", "isn't, didn't …", 11),
        (r"\b[Mm]y panel\b", "My cards, My dice", 0),
        (r"\b[Cc]omputers?\b(?![}])", "robot", 0),
        (r"\basleep\b", "timed out", 2),
        (r"\bwritten (it )?down\b", "logged", 3),
        (r"\b(he|him|his|she|her)\b", "they, them, their", 0),
        (r"\bbesides\b", "as well", 0),
    ),
    "de": (
        (r"\bComputer|\bMaschine", "Roboter", 0),
        (r"\bschläf", "abgelaufen", 2),
        (r"Klartext", "Nur-Text", 5),
        (r"\bmeisterhaft", "Meister", 3),
        (r"\b[Vv]ergiss mich|\bvergiss dich", "Daten löschen", 2),
        (r"\bzugesagt", "Prüfsumme", 1),
        (r"\bsonst (der|die|das|nach|du|seit)\b", "(Standard: …)", 6),
    ),
    "fr": (
        (r"\bordinateurs?\b", "robot", 0),
        (r"\btrous?\b", "place vide", 14),
        (r"\bappuis?\b(?! sur)", "clic", 9),
        (r"\b[Ll]ibérer\b", "sans, exclure", 7),
        (r"\b[Tt]ourner\b", "retourner", 5),
        (r"\bdort\b", "a expiré", 2),
        (r"\bm’oublier|\bt’oublier", "effacer mes données", 0),
    ),
    "it": (
        (r"\b[Cc]omputer\b(?![}])", "robot", 0),
        (r"\bdorme\b", "è scaduto", 2),
        (r"\b[Dd]imentica(mi|re)\b", "cancella i dati", 4),
        (r"\btocc(o|hi)\b", "clic", 9),
        (r"\blettori di schermo\b", "screen reader", 2),
        (r"\boblio\b", "utente cancellato", 1),
    ),
    "nl": (
        (r"\b[Cc]omputer\b(?![}])", "robot", 0),
        (r"\bslaapt\b", "is verlopen", 2),
        (r"\b[Vv]ergeet mij\b", "gegevens wissen", 2),
        (r"\bAller tijden\b", "Altijd", 1),
        (r"\bgat\b|\bgaten\b", "lege plek", 11),
        (r"\bStop ronde\b", "Ronde stoppen", 7),
    ),
    "es": (
        (r"\b[Mm]áquinas?\b|\b[Oo]rdenador", "robot", 0),
        (r"\b[Oo]lvídame\b|\bTe olvid", "borrar datos", 3),
        (r"\bdormid[oa]\b", "ha caducado", 1),
        (r"\b[Tt]odo sigue igual\b", "no ha cambiado nada", 7),
        (r"\b[Aa]tasco\b", "nadie puede jugar", 1),
        (r"\borganiza\b", "host", 6),
    ),
}
