"""The words that operations are named by, and what kind of act each one is."""

from typing import Literal, TypeAlias

Act: TypeAlias = Literal["reads", "either", "writes", "destroys", "undoes", "removes"]
"""`either` reads in one API and makes or begins something in another: alone it decides nothing."""

_TABLE: dict[Act, str] = {
    "reads": """
        aggregate analyse analyze autocomplete browse calculate categorise categorize check classify
        compare compute correlate count decode decrypt describe detect determine diff disambiguate
        discover download encode encrypt enrich enumerate estimate evaluate exist explain explore
        extract fetch filter find forecast geocode geolocate get head humanize infer inspect
        interpolate introspect lint list locate lookup measure obtain parse peek predict preflight
        preview query rank read recognise recognize recommend render rephrase rerank retrieve
        returns reveal sanitise sanitize score search show solve suggest summarise summarize
        synthesize translate transliterate validate view visualise visualize wait whoami
    """,
    "either": """
        annotate authenticate convert diagnose display export generate identify moderate ping poll
        receive resolve reverse scan simulate test transform verify watch
    """,
    "writes": """
        accept access acknowledge activate add adjust allocate allow append apply approve archive
        assign associate attach authorize award ban begin bind block book bookmark build buy call capture
        change charge checkin checkout claim clone close combine commit complete configure confirm
        connect copy create decline decrease define deliver deny deploy disconnect dismiss dispatch
        duplicate edit enable end enqueue enroll enter exchange exec execute expose extend favorite favourite finalize
        finish fire fix flag follow force fork forward fulfil fulfill grant hide ignore import
        increase ingest initiate insert install invite invoke issue join kick kill launch leave like
        link load lock log login logoff logon logout make mark merge migrate modify move mute notify
        open order patch pause pay perform pin place play post process promote propose provision
        publish pull purchase push put queue reboot rebuild record recover redeem redeliver reduce
        refresh refund register reject release rename renew reopen reorder replace replay reply
        report request rerun reschedule resend reserve resize restart restore resume retry return
        revert run save schedule send set setup share shutdown sign signin signout signup skip
        snooze star start stop store submit subscribe suspend swap switch sync synchronize tag take
        toggle touch track train trigger undelete undo update upgrade upload upsert vote write
    """,
    "destroys": """
        abandon abort anonymize cancel clean cleanup clear deallocate decommission delete deprovision deregister
        destroy disband discard dissolve drop empty erase evict expire expunge factoryreset flush
        forget invalidate jettison obliterate prune purge recycle redact regenerate reimage
        reinitialize reset revoke rollback rotate shred terminate transfer trash truncate uninstall
        unregister unset void wipe withdraw
    """,
    "undoes": "deactivate demote detach disable disallow disassociate dissociate unban unlock",
    "removes": "remove",
}
_ACTS: dict[str, Act] = {word: act for act, listed in _TABLE.items() for word in listed.split()}
_NOUN_WORDS = """
access award block book bookmark build call change charge claim clean copy deploy end exchange favorite favourite filter fire fix flag fork
import increase index issue like link load lock log mark match open order patch place play post
process pull purchase push queue rank record release reply report request reserve return schedule
score set setup share sign star start store switch tag test touch track train transfer trash
trigger update upgrade upload vote
"""
NOUNS = frozenset(_NOUN_WORDS.split())
"""Words of the table that as often name a thing: `GET /orders`, "Schedule"."""
_ACTED_WORDS = """
call change end fix import increase process reply reserve return set start switch test transfer trigger
update upload
"""
ACTED = frozenset(_ACTED_WORDS.split())
"""Those of them that are rather a verb than a thing where a longer name begins with one."""
_VAGUE_WORDS = """
allow authorize combine confirm define execute forward grant load make perform run take
"""
VAGUE = frozenset(_VAGUE_WORDS.split())
"""Words of the table that alone make no act of a GET: what they do, the rest says."""

READINGS = {
    "analysis": "analyze",
    "calculation": "calculate",
    "classification": "classify",
    "comparison": "compare",
    "computation": "compute",
    "detection": "detect",
    "discovery": "discover",
    "estimation": "estimate",
    "evaluation": "evaluate",
    "existence": "exist",
    "extraction": "extract",
    "identification": "identify",
    "lookup": "lookup",
    "overview": "show",
    "prediction": "predict",
    "preview": "preview",
    "query": "query",
    "recognition": "recognize",
    "search": "search",
    "statistics": "show",
    "summary": "summarize",
    "translation": "translate",
    "validation": "validate",
}
"""Nouns that a name or a title ends in when the whole of it reads, and their verbs."""
LOSSES = {
    "cancellation": "cancel",
    "deletion": "delete",
    "destruction": "destroy",
    "erasure": "erase",
    "eviction": "evict",
    "invalidation": "invalidate",
    "redaction": "redact",
    "removal": "delete",
    "revocation": "revoke",
    "termination": "terminate",
}
"""Nouns of what cannot be kept, and their verbs: `ScheduleKeyDeletion`, "Request the removal"."""
_RESTORING = frozenset(("recover", "restore", "revert", "undelete", "undo"))


def act_of(word: str) -> Act | None:
    """What kind of act a word names; None for one that the table does not know.

    `un` before what writes takes it back, `re` before it does it again.
    """
    known = _ACTS.get(word)
    if known is None and len(word) > 4 and word[:2] in ("un", "re"):
        again = _ACTS.get(word[2:])
        if again in ("writes", "undoes"):
            return "undoes" if word.startswith("un") else "writes"
    return known


def restores(word: str) -> bool:
    """Whether a word brings back what was lost: `restore a deletion` loses nothing."""
    return word in _RESTORING
