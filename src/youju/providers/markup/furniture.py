"""What stands around the text of a page: menus, banners, comments, what nobody sees."""

from __future__ import annotations

import re
from itertools import pairwise

from selectolax.lexbor import LexborNode

from youju.providers.markup.tree import attribute

# Never shown, or not as text.
SILENT = frozenset(
    {"script", "style", "noscript", "template", "svg", "canvas", "iframe", "object", "embed", "audio", "video", "map",
     "button", "select", "input", "textarea", "option", "datalist", "progress", "dialog", "head", "rt", "rp", "rtc",
     "noframes", "frameset", "applet", "meta", "link", "title"}
)  # fmt: skip
_AROUND = frozenset({"nav", "aside", "footer", "menu"})
_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu", "menubar",
     "toolbar", "tablist", "tooltip", "alert"}
)  # fmt: skip
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em)?\s*(?:;|\Z)")
_NAME_WORDS = 3
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_NAMES = frozenset(
    {"cookie", "cookies", "consent", "gdpr", "breadcrumb", "breadcrumbs", "crumb", "crumbs", "sidebar", "share",
     "sharing", "fenxiang", "comment", "comments", "disqus", "pinglun", "related", "recommend", "recommended",
     "recommendation", "recommendations", "advert", "advertisement", "ads", "ad", "banner", "pagination", "pager",
     "popup", "modal", "toolbar", "nav", "navbar", "navigation", "menu", "footer", "foot", "copyright", "beian",
     "login", "signup", "subscribe", "newsletter", "skip", "qrcode", "erweima", "hotnews", "social",
     "toc", "catalog", "promo", "sponsor", "masthead", "topbar", "widget", "tagcloud", "xgyd", "dqwz", "weizhi",
     "friendlink", "friendlinks", "youqing", "daohang", "mulu", "offscreen", "noprint", "editsection"}
)  # fmt: skip
_PAIRS = frozenset(
    {("sr", "only"), ("visually", "hidden"), ("screen", "reader"), ("site", "header"), ("page", "header"),
     ("back", "top"), ("mw", "editsection"), ("side", "bar"), ("bread", "crumb")}
)  # fmt: skip
# On these such a word speaks of the page (has-sidebar, comments-open), not of the element.
_TEXT = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tbody", "tr", "td",
                   "th", "p", "pre", "code", "em", "strong", "b", "i"})  # fmt: skip


def hidden(node: LexborNode) -> bool:
    """Whether nobody sees the element."""
    attributes = node.attrs
    if not len(attributes):  # most elements; looking for each by its name would take a third of the time
        return False
    if "hidden" in attributes and attribute(node, "hidden") != "until-found":
        return True
    return attribute(node, "aria-hidden") == "true" or bool(_HIDING.search(attribute(node, "style")))


def around(node: LexborNode) -> bool:
    """Whether the element is by its tag or role no part of the text."""
    if node.tag in _AROUND or attribute(node, "role") in _ROLES:
        return True
    return node.tag == "header" and not _inside_text(node)


def named_around(node: LexborNode) -> bool:
    """Whether the element is no part of the text by the name its author gave it: site-nav, comments_list, ad."""
    return node.tag not in _TEXT and len(node.attrs) > 0 and _named(node)


def _inside_text(node: LexborNode) -> bool:
    above = node.parent
    while above is not None:
        if above.tag in {"article", "main", "section"}:
            return True
        above = above.parent
    return False


def _named(node: LexborNode) -> bool:
    """Whether a class or the id ends or begins with such a name.

    Long names and ids of sections are made from titles: a section on navigation is none.
    """
    identity = "" if node.tag == "section" else node.attrs.sget("id") or ""
    classes = (node.attrs.sget("class") or "").split()[:20]
    return any(map(_is_name, classes)) or _is_name(identity)


def _is_name(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name[:100])]
    if not words or len(words) > _NAME_WORDS:
        return False
    return words[0] in _NAMES or words[-1] in _NAMES or not _PAIRS.isdisjoint(pairwise(words))


_PERMANENT = frozenset({"", "¶", "#", "§", "🔗", "[link]", "\uf0c1"})


def is_anchor(node: LexborNode) -> bool:
    """Whether a link only offers the address of its place."""
    return "#" in (node.attrs.sget("href") or "") and node.text(strip=True) in _PERMANENT


# Short lines that a portal writes around its texts.
_CHROME = re.compile(
    r"(?:您?(?:当前|现在|所在)的?位置|分享到|分享至|【?\s*字体\s*[:：]|字号\s*[:：]|【?打印(?:本页|此页|文章)?】?\s*(?:【?关闭|\Z)|【?关闭(?:窗口|本页)"
    r"|扫一扫|上一[篇页条]|下一[篇页条]|相关(?:链接|阅读|文章|新闻|推荐)\s*[:：]?\s*\Z|版权所有|Copyright|©|.{0,20}ICP备|.{0,12}公网安备|网站标识码"
    r"|主办(?:单位)?\s*[:：]|承办(?:单位)?\s*[:：]|技术支持\s*[:：]|责任编辑\s*[:：]|返回顶部|回到顶部|收藏本(?:页|站)|设为首页|加入收藏|打开微信"
    r"|All rights reserved|Skip to (?:main )?content|Back to top|Share this|Print this page|首页\s*[>＞»/›])",
    re.IGNORECASE,
)
_CHROME_MAX = 90


def is_chrome(text: str) -> bool:
    """Whether a paragraph is a line of the page's own: where one is, who to share it with, whose rights they are."""
    return len(text) <= _CHROME_MAX and bool(_CHROME.match(text)) and "。" not in text
