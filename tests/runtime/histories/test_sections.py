"""Documents cut at their headings, with nothing lost."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.html_sections import read_html
from designsearch.runtime.histories.sections import read_markdown

MARKDOWN = """\
before anything

# The Report  ##
---
## *Methods*

Walked **two** miles.

```
# no heading
```

### Gear
- rope
## Findings
| what | how many |
| --- | --- |
| owls | 3 |

## Sources
"""

HTML = """\
<!DOCTYPE html><html><head><title>hidden</title><style>h1 { color: red }</style></head><body>
<p>before   anything</p>
<h1>The <em>Report</em></h1><hr />
<h2>Methods &amp; gear</h2>
<p>Walked <strong>two</strong>
miles.<br />Then home.</p><script>alert("no")</script>
<ul><li>rope</li><li>lamp</li></ul>
<h2>Findings</h2>
<table><thead><tr><th>what</th><th>how many</th></tr></thead>
<tbody><tr><td>owls</td><td>3<br/>or 4</td></tr><tr><td></td><td>none</td></tr></tbody></table>
<img src="x.png" alt="an owl"><img src="y.png">
</body></html>
"""


def test_markdown_sections_and_their_paths():
    document = read_markdown(MARKDOWN)
    assert [section.path for section in document.sections] == [
        "",
        "The Report > Methods",
        "The Report > Methods > Gear",
        "The Report > Findings",
        "The Report > Sources",
    ]
    assert document.sections[0].text == "before anything"
    assert document.sections[1].text == (
        "# The Report  ##\n## *Methods*\nWalked **two** miles.\n\n```\n# no heading\n```"
    )
    assert document.sections[3].text == "## Findings\n| what | how many |\n| --- | --- |\n| owls | 3 |"
    assert document.sections[4].text == "## Sources"


def test_headings_know_what_they_stand_over():
    spans = {h.title: (h.level, h.section, h.stop) for h in read_markdown(MARKDOWN).headings}
    assert spans == {
        "The Report": (1, 1, 5),
        "Methods": (2, 1, 3),
        "Gear": (3, 2, 3),
        "Findings": (2, 3, 4),
        "Sources": (2, 4, 5),
    }


def test_html_becomes_plain_text():
    document = read_html(HTML)
    assert [(s.path, s.text) for s in document.sections] == [
        ("", "before anything"),
        (
            "The Report > Methods & gear",
            "The Report\nMethods & gear\nWalked two miles.\nThen home.\n- rope\n- lamp",
        ),
        (
            "The Report > Findings",
            "Findings\nwhat | how many\nowls | 3 or 4\n | none\n[image: an owl][image]",
        ),
    ]


def test_documents_without_headings_or_without_text():
    assert [s.text for s in read_markdown("just text").sections] == ["just text"]
    assert [s.text for s in read_html("just text").sections] == ["just text"]
    assert read_markdown("").sections == read_html("").sections == read_markdown("\n---\n").sections == ()
    assert [s.text for s in read_markdown("# Alone").sections] == ["# Alone"]


def test_broken_html_is_survived():
    document = read_html("</h2><h2>Open <h3>Inner</h3>text</pre></script> more <td>cell")
    assert document.sections[-1].text == "Inner\ntext\nmore | cell"


words = st.lists(st.sampled_from(["# ", "## ", "### ", "owl", "```", "\n", "\n\n", "- ", "rope", "---"]), max_size=25)


@given(words.map("".join))
def test_no_word_of_a_document_is_lost(text):
    kept = " ".join(section.text for section in read_markdown(text).sections)
    assert re.findall(r"\w+", kept) == re.findall(r"\w+", text)


@given(
    st.lists(st.sampled_from(["<h1>", "</h1>", "<p>", "<td>", "<tr>", "</table>", "owl ", "<pre>", "x\ty", "<"])).map(
        "".join
    )
)
def test_any_html_is_read(text):
    document = read_html(text)
    assert all(0 <= h.section < h.stop <= len(document.sections) for h in document.headings)


def test_what_the_head_of_a_page_holds_is_hidden_wherever_it_ends():
    page = "<title>t</title><meta name=x><style>p{}</style><body><p>seen"
    for start in ("<head>", "<html><head>", ""):
        assert [s.text for s in read_html(start + page).sections] == ["seen"]


def test_marks_of_other_programs_are_passed_over():
    (section,) = read_html("<![if !x]>a<![endif]><![unheard[b]]>c<![").sections
    assert section.text.startswith("ac")
