"""What stands in a record for a picture that cannot be shown."""

from __future__ import annotations

from collections.abc import Sequence


def with_image(text: str, caption: str, *, has_image: bool) -> str:
    """A message's text with its picture: ``[image: caption]``, or ``[image]`` where nobody described it.

    Args:
        text: the words of the message, may be empty.
        caption: a description of the picture, kept word for word; may be empty.
        has_image: whether there is a picture at all.

    Returns:
        The words, then the picture.
    """
    if not has_image and not caption:
        return text
    shown = f"[image: {caption}]" if caption else "[image]"
    return f"{text} {shown}" if text else shown


def files_named(files: Sequence[tuple[str, bool]]) -> str:
    """What stands for the files of a message that has no words.

    Args:
        files: each with its name, which may be empty, and whether it is a picture.

    Returns:
        ``[image: name]`` or ``[file: name]`` for each, parted by spaces; empty without files.
    """
    kinds = (("image" if is_image else "file", name) for name, is_image in files)
    return " ".join(f"[{kind}: {name}]" if name else f"[{kind}]" for kind, name in kinds)
