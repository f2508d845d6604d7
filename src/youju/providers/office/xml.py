"""XML of office files as trees with short names; documents that declare entities are refused.

Names are `{w}p`, `{a}t`, `{m}f`: the namespaces of both editions of the standard, transitional and strict, under one
letter. A document type, the only place where entities can be declared, stands before the root element and never in an
office file, so looking that far is enough to read on with the fast parser.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import IO, Literal, NoReturn
from xml.etree import ElementTree as ET
from xml.parsers import expat

from youju.errors import DocumentError

Element = ET.Element
Event = Literal["start", "end"]

_PROLOG = 1 << 16
_MOST_ELEMENTS = 3_000_000
_TRANSITIONAL, _STRICT = "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"
_SHORT: Mapping[str, str] = MappingProxyType(
    {
        f"{base}{path}": short
        for short, paths in {
            "w": ("wordprocessingml/2006/main", "wordprocessingml/main"),
            "s": ("spreadsheetml/2006/main", "spreadsheetml/main"),
            "p": ("presentationml/2006/main", "presentationml/main"),
            "a": ("drawingml/2006/main", "drawingml/main"),
            "c": ("drawingml/2006/chart", "drawingml/chart"),
            "d": ("drawingml/2006/diagram", "drawingml/diagram"),
            "m": ("officeDocument/2006/math", "officeDocument/math"),
            "r": ("package/2006/relationships",),
            "rel": ("officeDocument/2006/relationships", "officeDocument/relationships"),
        }.items()
        for path in paths
        for base in (_TRANSITIONAL, _STRICT)
    }
    | {
        "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
        "urn:schemas-microsoft-com:vml": "v",
        "http://purl.org/dc/elements/1.1/": "dc",
        "http://www.w3.org/XML/1998/namespace": "xml",
    }
)


class _Root(Exception):  # noqa: N818 (a signal, not an error)
    """The root element begins: the prolog is over."""


def broken(message: str) -> DocumentError:
    return DocumentError(message, remedy="请用原来的软件打开并重新保存后再上传", code="broken")


def short(name: str) -> str:
    """`{w}p` for the same name with its whole namespace; unknown namespaces become `{?}`."""
    space, closed, local = name.rpartition("}")
    return f"{{{_SHORT.get(space[1:], '?')}}}{local}" if closed else name


def parsed(file: IO[bytes]) -> Element:
    """The root of the document in `file`, all names short.

    Raises:
        DocumentError: broken: no well-formed XML, a document type, more elements than any real file has.
    """
    root: Element | None = None
    for count, (_, element) in enumerate(events(file, ("start",))):
        if root is None:
            root = element
        if count > _MOST_ELEMENTS:
            raise broken("文件的结构复杂得不合常理")
    if root is None:
        raise broken("文件里有一部分是空的")
    _shorten(root)
    return root


def _shorten(root: Element) -> None:
    names: dict[str, str] = {}
    for element in root.iter():
        tag = names.get(element.tag)
        if tag is None:
            tag = names[element.tag] = short(element.tag)
        element.tag = tag
        if element.attrib:
            element.attrib = {short(name) if name[0] == "{" else name: value for name, value in element.attrib.items()}


def events(file: IO[bytes], kinds: tuple[Event, ...]) -> Iterator[tuple[str, Element]]:
    """(event, element) as `iterparse` gives them, names as they stand in the file.

    Raises:
        DocumentError: broken.
    """
    begin = _prolog(file)
    try:
        parser: ET.XMLPullParser[Element] = ET.XMLPullParser(kinds)
        data = begin
        while data:
            parser.feed(data)
            yield from _elements(parser)
            data = file.read(_PROLOG)
        parser.close()
        yield from _elements(parser)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise broken("文件已损坏：有一部分不是完整的 XML") from error


def _elements(parser: ET.XMLPullParser[Element]) -> Iterator[tuple[str, Element]]:
    for event in parser.read_events():
        element = event[-1]
        if isinstance(element, ET.Element):
            yield event[0], element


def _prolog(file: IO[bytes]) -> bytes:
    """The beginning of the document, which has been looked through up to the root element."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = _stop
    begin = io.BytesIO()
    while data := file.read(_PROLOG):
        begin.write(data)
        try:
            parser.Parse(data)
        except _Root:
            break
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise broken("文件已损坏：有一部分不是完整的 XML") from error
        if begin.tell() > _PROLOG:
            raise broken("文件已损坏：有一部分没有内容")
    return begin.getvalue()


def _refuse(*_: object) -> NoReturn:
    raise broken("文件里有不允许的实体声明（DOCTYPE）")


def _stop(*_: object) -> NoReturn:
    raise _Root


def flag(element: Element | None, name: str = "{w}val") -> bool:
    """Whether an on/off property is there and on."""
    return element is not None and element.get(name, "true") not in {"0", "false", "off", "none"}


def value(parent: Element | None, path: str, name: str = "{w}val") -> str:
    """The attribute of the element at `path` under `parent`, "" where there is none."""
    found = parent.find(path) if parent is not None else None
    return found.get(name, "") if found is not None else ""


def number(text: str, default: int = 0) -> int:
    """The integer that an attribute holds, `default` where it holds none."""
    try:
        return int(text)
    except ValueError:
        return default
