"""What a message of a ChatGPT export says: its words, and a sign for each picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.runtime.histories.export_values import items, label, mapping, string
from designsearch.runtime.histories.images import with_image
from designsearch.runtime.histories.report import LoadReport

_SPEECH = ("text", "multimodal_text", "code")
"""Types of content that are words to the reader."""

_NO_SPEECH = (
    "thoughts", "reasoning_recap", "execution_output", "tether_quote", "tether_browsing_display", "system_error",
    "user_editable_context", "model_editable_context", "computer_output", "sonic_webpage",
)  # fmt: skip
"""Types that are none: thoughts, results of tools, instructions."""

_IMAGES = ("image_asset_pointer", "image", "image_url")
_TRANSCRIPTS = ("audio_transcription",)
_SOUNDS = ("audio_asset_pointer", "video_container_asset_pointer", "real_time_user_audio_video_asset_pointer")


def words(content: Any, place: str, report: LoadReport) -> str:
    """The text of a message.

    Args:
        content: the message's ``content``, whatever it is.
        place: the message, for the report.
        report: gets the types of content and parts that are not read.

    Returns:
        The words as they were written, parts on lines of their own; empty where there are none.
    """
    if isinstance(content, str):
        return content
    body = mapping(content)
    kind = label(body.get("content_type"))
    if kind and kind not in _SPEECH:
        if kind in _NO_SPEECH:
            report.note(f"messages that are nobody's speech ({kind}), left out", place)
        else:
            report.note("messages with content of unknown types, left out", f"{place}: {kind[:40]}")
        return ""
    parts = body.get("parts")
    if parts is None and isinstance(body.get("text"), str):
        return string(body["text"])
    if isinstance(parts, str):
        return parts
    if not isinstance(parts, list):
        report.note("messages whose content has no parts", place)
    return _joined(items(parts), place, report)


def _joined(parts: Any, place: str, report: LoadReport) -> str:
    """The parts' words, a part a line; a picture stands behind the words before it or after it."""
    said, pictures = list[str](), list[Mapping[str, Any]]()
    for part in parts:
        kind = label(part.get("content_type") or part.get("type")) if isinstance(part, dict) else ""
        if isinstance(part, str):
            said.append(part)
        elif kind in _IMAGES:
            pictures.append(part)
            report.count("pictures")
        elif kind in (*_TRANSCRIPTS, "text") or (isinstance(part, dict) and not kind and string(part.get("text"))):
            said.append(string(part.get("text")))
        elif kind in _SOUNDS:
            report.note("sound and film of spoken messages, left out", place)
        else:
            report.note("parts of messages of unknown types, left out", f"{place}: {kind[:40] or 'no type'}")
    text = "\n".join(one for one in said if one.strip())
    for picture in pictures:
        text = with_image(text, _caption(picture), has_image=True)
    return text


def _caption(picture: Mapping[str, Any]) -> str:
    """What is said of a picture: what it was drawn from, or its description."""
    drawn = mapping(mapping(picture.get("metadata")).get("dalle"))
    return string(drawn.get("prompt")) or next(
        (found for key in ("caption", "alt_text", "alt") if (found := string(picture.get(key)))), ""
    )
