"""Phone numbers: international forms by the rules of each country, national ones by their shape or the words before.

The rules are those of ``phonenumbers``. Its own search through a text is not used: where no country is given it takes
dates, numbers of orders and amounts for phones, and it is slow. So shapes are looked for here, and it says whether a
number of that shape can exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from designsearch.runtime.privacy.found import Found, is_numbered

_EXTENSION = r"(?:[ ,]{0,2}(?:x|ext\.?|extension|durchwahl|dw|poste)[ .:]{0,2}\d{1,5})?"
_NOT_BEFORE = r"(?<![\w.,/:+#$€£-])"
_NOT_AFTER = r"(?![\w/-]|[.,:]\d| ?(?:[%€$£¥°]|(?:eur|usd|gbp|chf|dollars?|euros?|people|users|points)\b))"

_WORLD = re.compile(
    r"(?<![\w.,+-])(?:\+|＋|00 ?(?=[1-9])) ?\d(?:[ \u00a0().\-/\u2010-\u2013]{0,3}\d){6,14}" + _EXTENSION + _NOT_AFTER,
    re.IGNORECASE,
)
_AMERICA = re.compile(
    _NOT_BEFORE
    + r"(?<!\d )(?:1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d(?P<gap>[-. ]))\d{3}(?(gap)(?P=gap)|[-. ])\d{4}"
    + _EXTENSION
    + _NOT_AFTER,
    re.IGNORECASE,
)
_TRUNK = re.compile(
    _NOT_BEFORE
    + r"(?<!\d )(?:\(0[1-9]\d{0,4}\)|0[1-9]\d{0,4})(?: ?[-/.] ?| |(?<=\)))\d{1,4}(?:[ .-]?\d{1,4}){1,4}"
    + _EXTENSION
    + _NOT_AFTER,
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    _NOT_BEFORE + r"(?<!\d )\([1-9]\d{1,2}\) ?\d{4,5}[- ]\d{4}" + _NOT_AFTER,
    re.IGNORECASE,
)
_RUSSIA = re.compile(_NOT_BEFORE + r"8(?: ?\(\d{3,4}\) ?|-\d{3}-)\d{2,3}-\d\d-\d\d" + _NOT_AFTER, re.IGNORECASE)
_CHINA = re.compile(_NOT_BEFORE + r"1[3-9]\d-\d{4}-\d{4}" + _NOT_AFTER, re.IGNORECASE)
_ANY = re.compile(rf"(?<![\d+#$€£/-])\(?\d(?:[ \u00a0().\-/]{{0,2}}\d){{6,13}}{_EXTENSION}{_NOT_AFTER}", re.IGNORECASE)
_LINK = re.compile(r"(?:\bwa\.me/|\btel:|\bsms:|api\.whatsapp\.com/send\?phone=)(\+?[\d().-]{7,20})", re.IGNORECASE)

_SAYS_PHONE = re.compile(
    r"(?:\b(?:tele?|(?:tele)?phone|phone|mobile|cell(?:phone)?|fax|landline|whatsapp|signal|handy|mobil|telefon|"
    r"festnetz|telefax|rufnummer|handynummer|téléphone|portable|teléfono|móvil|celular|cellulare|telefono|telefone|"
    r"telefoon|mob|tél|tlf|tfn|puh|puhelin|komórka|telemóvel|cep|gsm|"
    r"тел|телефона?|моб|мобильный|τηλ|τηλέφωνο|κινητό|טלפון|נייד|هاتف|جوال|फ़ोन|मोबाइल)"
    r"(?:[ -]?(?:no|nr|number|nummer|numéro|número))?|"
    r"\b(?:my|her|his|their|your|our|new|meine|seine|ihre) (?:number|nummer)|"
    r"\b(?:call|ring|dial|text|reach|ruf|anrufen|appelle[rz]?|llama|ll[aá]mame|chiamami|звони(?:те)?)"
    r"(?: (?:me|us|her|him|them|mich|uns|an))?|"
    r"(?:电话|電話|手机|手機|携帯|전화|휴대폰|핸드폰)(?:号码|號碼|号|番号|번호)?)"
    r"(?: (?:at|on|under|unter|is|ist|au|al|es|est|è|é))?[\s.:=(：＝是は]{0,4}$",
    re.IGNORECASE,
)
_WORDS_BEFORE = 40
LEAST = 7
"""Digits of a phone number at least."""

_DATE = re.compile(r"(?:19|20)\d\d[-./ ]?[01]\d[-./ ]?[0-3]\d|[0-3]?\d[-./ ][01]?\d[-./ ](?:19|20)\d\d")
_NO_TRUNK = re.compile(r"\d{5}-\d{4}|\d+\.\d+")
"""A US postal code, and a decimal number."""

_AT_HOME = range(9, 13)
"""Digits of a number with its leading 0."""

_YEARS = re.compile(r"(?:19|20)\d\d[-/ –](?:19|20)\d\d")
_TRUNK_REGIONS = (
    "GB",
    "DE",
    "FR",
    "AT",
    "CH",
    "NL",
    "BE",
    "IT",
    "SE",
    "AU",
    "NZ",
    "JP",
    "IN",
    "IE",
    "ZA",
    "PL",
    "RO",
    "TR",
    "IL",
    "BR",
)
"""Countries whose numbers are written with a leading 0 at home; the most spoken of first."""


def phones(text: str) -> Iterator[Found]:
    """Phone numbers in international and national forms."""
    if sum(map(str.isdigit, text)) < LEAST:
        return
    for found in _LINK.finditer(text):
        yield Found(*found.span(1), _plain(found[1]))
    for pattern, value_of in (
        (_WORLD, _international),
        (_AMERICA, _american),
        (_TRUNK, _trunk),
        (_BRACKETED, _plain),
        (_RUSSIA, _plain),
        (_CHINA, _plain),
    ):
        for found in pattern.finditer(text):
            if (value := value_of(found[0])) and not is_numbered(text, found.start()):
                yield Found(found.start(), found.end(), value)
    for found in _ANY.finditer(text):
        says = _SAYS_PHONE.search(text, max(0, found.start() - _WORDS_BEFORE), found.start())
        if says and not _is_no_phone(found[0]):
            yield Found(found.start(), found.end(), _national(found[0]) or _plain(found[0]))


def _digits(written: str) -> str:
    """The digits, without those of an extension."""
    return "".join(letter for letter in re.split(r"[a-z]", written, flags=re.IGNORECASE)[0] if letter.isdigit())


def _plain(written: str) -> str:
    return "+" * written.startswith("+") + _digits(written)


def _is_no_phone(written: str) -> bool:
    """A date, or a span of years."""
    inner = written.strip("() ")
    return bool(_DATE.fullmatch(inner) or _YEARS.fullmatch(inner))


def _international(written: str) -> str:
    """The number behind ``+`` or ``00`` in its one form; empty where no country has such numbers."""
    from phonenumbers import NumberParseException, is_possible_number, is_valid_number, parse

    digits = _digits(written.replace("(0)", ""))
    plus = written[0] in "+＋"
    if not plus and written.isdigit():  # as likely the number of an order, filled up with zeros
        return ""
    try:
        number = parse("+" + (digits if plus else digits[2:]), None)
    except NumberParseException:
        return ""
    good = is_possible_number(number) if plus else is_valid_number(number)
    return f"+{number.country_code}{number.national_number}" if good else ""


def _american(written: str) -> str:
    return f"+1{_digits(written).removeprefix('1')}"


def _trunk(written: str) -> str:
    fits = len(_digits(written)) in _AT_HOME and not _NO_TRUNK.fullmatch(written)
    return _national(written) if fits and not _is_no_phone(written) else ""


def _national(written: str) -> str:
    """The number as the first country reads it in which it is one; empty where it is one nowhere."""
    from phonenumbers import NumberParseException, is_valid_number, parse

    digits = _digits(written)
    for region in _TRUNK_REGIONS if digits.startswith("0") else ("US",):
        try:
            number = parse(digits, region)
        except NumberParseException:
            continue
        if is_valid_number(number):
            return digits if digits.startswith("0") else f"+{number.country_code}{number.national_number}"
    return ""
