"""Lines of a WhatsApp chat that nobody wrote: what stands for media, and what the program itself says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from designsearch.runtime.histories.whatsapp_times import MARKS

_OMITTED = (
    "omit|omes|omis|absent|ausgeschl|weggelassen|ausgelassen|weggelaten|ocult|dahil edilme|пропущ|опущ"
    "|без мед|вимк|pomini|utelämn|udelad|utelat|jätet|vynech|kihagy|exclus|省略|忽略|含まれていません"
    "|除外|생략|제외|누락|छोड़|शामिल नहीं|बिना|محذوف|استبعاد|استبعد|استُبعد|غير مدرج|حذف شد|הושמט|לא נכלל|disertakan"
    "|dihilangkan|tidak ada|bỏ qua|ละเว้น|παραλείφ|πολυμέσ"
)
_KIND = (
    "image|imagen|imagem|immagine|afbeelding|bild|billede|foto|photo|picture|v[ií]d[eé]o|a[uú]dio|sticker"
    "|gif|document|documento|dokument|contact|kontakt|contatto|media|voice"
    "|изображени|видео|аудио|фото|стикер|документ|画像|動画|音声|图片|圖片|视频|影片|이미지|사진|동영상"
    "|صورة|فيديو|צילום|תמונה|resim|görüntü|imagine|obraz|bilde|kuva"
)
_EDITED = (
    r"edit|bearbeit|modifi|bewerkt|измен|редакт|düzenle|編集|编辑|編輯|수정|تعديل|ویرایش|संपादित|עריכה|redigera|zmodyf"
)
_ANGLE_OMITTED = re.compile(rf"[{MARKS}]*<[^<>\n]{{0,80}}(?:{_OMITTED})[^<>\n]{{0,80}}>", re.IGNORECASE)
_ATTACHED = re.compile(rf"[{MARKS}]{{0,4}}<[^<>:\n]{{2,30}}:\s{{0,4}}[^<>\n]{{1,255}}\.\w{{2,5}}>")
_FILE = re.compile(rf"(?:[{MARKS}]+[^\n]+\.\w{{2,5}}|[{MARKS}]*[A-Z]{{3}}-\d{{8}}-WA\d+\.\w{{2,5}})\s\([^()\n]+\)")
_BARE = re.compile(
    rf"(?:(?:{_KIND})\w*\W(?:[\w']+\W){{0,2}}(?:{_OMITTED})\w*|(?:{_KIND})\w*(?:{_OMITTED})\w*)\.?", re.IGNORECASE
)
_MARKED = re.compile(
    rf"[^\n]*[\u200e\u200f](?P<what>[^\n\u200e\u200f]{{0,40}}(?:{_OMITTED})[^\n\u200e\u200f]{{0,20}})", re.IGNORECASE
)
_EDIT_MARK = re.compile(
    rf"(?:[\u200e\u200f]<[^<>\n]{{4,60}}>|<[^<>\n]{{0,60}}(?:{_EDITED})[^<>\n]{{0,60}}>)\Z", re.IGNORECASE
)
_DELETED = re.compile(
    r"this message was deleted|you deleted this message|se eliminó este mensaje|eliminaste este mensaje"
    r"|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|ce message a été supprimé"
    r"|vous avez supprimé ce message|questo messaggio è stato eliminato|hai eliminato questo messaggio"
    r"|mensagem apagada|esta mensagem foi apagada|você apagou esta mensagem|dit bericht (?:is|werd) verwijderd"
    r"|je hebt dit bericht verwijderd|данное сообщение удалено|вы удалили данное сообщение|bu mesaj silindi"
    r"|此訊息已刪除|此消息已被删除|このメッセージは削除されました|삭제된 메시지입니다",
    re.IGNORECASE,
)

_LONGEST = 400
"""Letters of a line beyond which it stands for no media."""

MEDIA = "[media]"
"""What stands in a record for media that an export does not hold."""


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody wrote in a message.

    Attributes:
        text: the words, with a sign for media behind them.
        media: the line of the export that stands for media; empty without any.
        edited: whether the export says that it was edited.
    """

    text: str
    media: str
    edited: bool


def words_of(text: str) -> Words:
    """The words of a message, without what the program put among them.

    Args:
        text: all lines of the message, invisible marks and all.
    """
    media, rest = _media(text)
    bare = _EDIT_MARK.sub("", rest.rstrip())
    edited = bare != rest.rstrip()
    bare = bare.rstrip() if edited else rest
    plain = bare.lstrip("\u200e\u200f").strip("\n")
    if media:
        plain = f"{plain.strip()} {MEDIA}".lstrip()
    return Words(plain, media, edited)


def _media(text: str) -> tuple[str, str]:
    """The line that stands for media, and what else the message says."""
    first, _, more = text.partition("\n")
    if found := _ATTACHED.search(text):
        return _visible(found[0]), text[: found.start()] + text[found.end() :]
    if len(first) > _LONGEST:
        return "", text
    for pattern in (_ANGLE_OMITTED, _FILE, _BARE):
        if pattern.fullmatch(first.strip()):
            return _visible(first), more
    if found := _MARKED.fullmatch(first.strip()):
        before = first[: first.rindex(found["what"])]
        return _visible(first), ("" if "•" in before else _visible(before)) + ("\n" + more if more else "")
    return "", text


def is_of_the_program(text: str, style: str) -> bool:
    """Whether a message with a sender was written by the program itself.

    Where dates are in brackets, such a message stands under the name of the chat or of a person, and begins with an
    invisible mark; so do shared places and polls, which are somebody's.

    Args:
        text: all its lines.
        style: what parts the date from the message.
    """
    if _DELETED.fullmatch(_visible(text).rstrip(".。")):
        return True
    return style == "]" and text[:1] in ("\u200e", "\u200f") and "\n" not in text and "http" not in text


def _visible(text: str) -> str:
    """A text without invisible marks and white space around it."""
    return re.sub(f"[{MARKS}]", "", text).strip()
