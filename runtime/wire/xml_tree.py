"""An XML document as a plain tree; nothing in it is fetched or expanded."""

from dataclasses import dataclass, field
from xml.parsers.expat import ExpatError, ParserCreate, errors

_DEEPEST = 200
_NIL = frozenset(("true", "1"))


class NoXml(Exception):
    """The bytes are no XML document that is safe to read."""


@dataclass(slots=True)
class Element:
    """An element under its local name; declarations of namespaces are no attributes."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: list["Element"] = field(default_factory=list["Element"])
    texts: list[str] = field(default_factory=list[str])
    is_nil: bool = False

    @property
    def text(self) -> str:
        """Its own character data."""
        return "".join(self.texts)

    @property
    def is_bare(self) -> bool:
        """It holds text at most."""
        return not self.attributes and not self.children


def read_tree(body: bytes, charset: str | None) -> Element:
    """The root element.

    Raises NoXml for what is not well-formed, is nested too deep, or has a document type: its
    entities could grow without end.
    """
    parser = ParserCreate(charset)
    builder = _Builder()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = builder.refuse
    try:
        parser.Parse(body, True)
    except ExpatError as error:
        reason = errors.messages.get(error.code, str(error))
        raise NoXml(f"{reason}, line {error.lineno}") from None
    except LookupError as error:  # an encoding that Python does not know
        raise NoXml(str(error)) from None
    return builder.top.children[0]


class _Builder:
    def __init__(self) -> None:
        self.top = Element("")
        self._open = [self.top]

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) > _DEEPEST:
            raise NoXml(f"it is nested more than {_DEEPEST} deep")
        element = Element(_local(name))
        for key, value in attributes.items():
            if key == "xmlns" or key.startswith("xmlns:"):
                continue
            if key.startswith("xsi:"):
                element.is_nil = element.is_nil or (key == "xsi:nil" and value in _NIL)
            else:
                element.attributes[_local(key)] = value
        self._open[-1].children.append(element)
        self._open.append(element)

    def end(self, name: str) -> None:
        self._open.pop()

    def data(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def refuse(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        raise NoXml("it has a document type, and those are not read")


def _local(name: str) -> str:
    return name.rpartition(":")[2]
