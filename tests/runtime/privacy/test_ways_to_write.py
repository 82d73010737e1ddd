"""The ways in which people of many languages write what is replaced, and what only looks like it."""

import time

import pytest

from designsearch.runtime.privacy.redact import Redactor

MIXED = "a1B2c3D4e5" * 6
HEX = "0123456789abcdef" * 5


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("телефон: 8 (495) 123-45-67", "телефон: [phone 1]"),
        ("8-916-123-45-67", "[phone 1]"),
        ("我的电话是13800138000。", "我的电话是[phone 1]。"),
        ("手机 138-0013-8000", "手机 [phone 1]"),
        ("電話 03-1234-5678", "電話 [phone 1]"),
        ("Llámame al 912 345 678", "Llámame al [phone 1]"),
        ("Tlf. 22 12 34 56", "Tlf. [phone 1]"),
        ("phone:01711234567", "phone:[phone 1]"),
        ("4111.1111.1111.1111", "[card 1]"),
        ("4111/1111/1111/1111", "[card 1]"),
        ("4111\u202f1111\u202f1111\u202f1111", "[card 1]"),
        ("4111 1111 1111 1111 123, 12/26", "[card 1] 123, 12/26"),
        ("4111111111111111 12/26", "[card 1] 12/26"),
        ("DE89.3704.0044.0532.0130.00", "[iban 1]"),
        ("DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00", "[iban 1]"),
        ("ana at example dot com", "[email 1]"),
        ("ana＠example．com", "[email 1]"),
        ("пароль: hunter2", "пароль: [secret 1]"),
        ("我的密码：hunter2，谢谢", "我的密码：[secret 1]，谢谢"),
        ("パスワードはhunter2です", "パスワードは[secret 1]"),
        ("<password>hunter2</password>", "<password>[secret 1]</password>"),
        (r"{\"password\": \"hunter2\"}", r"{\"password\": \"[secret 1]\"}"),
        ("login --password hunter2 --user me", "login --password [secret 1] --user me"),
        ("PIN 4821.", "PIN [secret 1]."),
        (f"AccountKey={MIXED}==", "AccountKey=[secret 1]"),
        (f"https://x.example/f?sv=1&sig={MIXED}%3D", "https://x.example/f?sv=1&sig=[secret 1]"),
        (f"AZURE_OPENAI_KEY={HEX[:32]}", "AZURE_OPENAI_KEY=[secret 1]"),
    ],
)
def test_what_is_found(text, cleaned):
    assert Redactor().text(text) == cleaned


@pytest.mark.parametrize(
    "key",
    [
        f"gsk_{MIXED[:52]}", f"r8_{MIXED[:37]}", f"pplx-{MIXED[:48]}", f"xai-{MIXED}", f"lin_api_{MIXED[:40]}",
        f"secret_{MIXED[:43]}", f"ntn_{MIXED[:46]}", f"figd_{MIXED[:40]}", f"EAA{MIXED}", f"GOCSPX-{MIXED[:28]}",
        f"1//0{MIXED}", f"AC{HEX[:32]}", f"SK{HEX[:32]}", f"sq0atp-{MIXED[:22]}", f"sq0csp-{MIXED[:43]}",
        f"PMAK-{HEX[:24]}-{HEX[:34]}", f"dckr_pat_{MIXED[:27]}", f"hvs.{MIXED}", f"tskey-auth-{MIXED[:17]}-{MIXED}",
        f"sntrys_{MIXED}", f"phc_{MIXED[:43]}", f"dapi{HEX[:32]}", f"nvapi-{MIXED}", f"{HEX[:32]}-us12",
        f"discord.com/api/webhooks/{'1' * 18}/{MIXED}",
    ],
)  # fmt: skip
def test_keys_of_providers(key):
    assert Redactor().text(f"use {key} here") == "use [secret 1] here"


@pytest.mark.parametrize(
    "text",
    [
        "Kapitel 1.2.3.4", "Fig. 1.2.3.4", "Flight 0123 456 789", "Nr. 0123/456789", "secret: nothing", "PIN 12345",
        "meet me at noon", "numbers 138 0013 8000", "basic 1234567890123", "secret_santa_list_for_all_of_the_family",
        "4111.1111/1111 1111", "PRIMARY_KEY=id", "--token-limit 2000",
    ],
)  # fmt: skip
def test_what_stays(text):
    assert Redactor().text(text) == text


def test_a_text_of_addresses_alone_takes_no_time():
    text = " ".join(f"a{n}@example.com" for n in range(20_000))
    begun = time.perf_counter()
    assert Redactor().text(text).endswith("[email 20000]")
    assert time.perf_counter() - begun < 5
