HEAD = "version: 1\nretrieval: [{op: bm25}]\n"
STORES = (
    "version: 1\nstorage: {stores: {turns: {views: {w: {op: window}}}, facts: {}}}\n"
    "retrieval: [{op: bm25, store: turns}]\n"
)


def test_header_and_footer_of_the_flat_form_stand_around_everything(load):
    context = load(HEAD + "context: {header: H, footer: F, max_units: 5, fill: stop, separator: ' / '}").context
    assert (context.header, context.footer) == ("H", "F")
    section = context.sections[0]
    assert (section.header, section.footer, section.max_units, section.fill) == ("", "", 5, "stop")
    assert section.separator == " / "


def test_sections(load):
    context = load(
        STORES + "context:\n  header: H\n  sections:\n"
        "    - {from: facts, share: 0.4, header: Facts}\n    - {from: turns, item: '{{ unit.w }}'}\n    - {}\n"
    ).context
    assert context.header == "H"
    assert [(s.source, s.share, s.header) for s in context.sections] == [
        ("facts", 0.4, "Facts"),
        ("turns", 0.3, ""),
        (None, 0.3, ""),
    ]


def test_keys_of_a_section_beside_sections(complaints):
    assert complaints(HEAD + "context: {order: edges, sections: [{}]}") == [
        "3:11: context.order: with sections, order belongs in each section (move it down)"
    ]


def test_shares(complaints):
    assert complaints(HEAD + "context: {sections: [{share: 0.7}, {share: 0.6}]}") == [
        "3:21: context.sections: the shares add up to 1.3, more than 1 (lower some of them)"
    ]
    assert complaints(HEAD + "context: {sections: [{share: 1}, {}]}") == [
        (
            "3:21: context.sections: a section without share has no budget left: the others have all of it "
            "(lower some of them)"
        )
    ]
    assert complaints(HEAD + "context: {sections: [{share: 0}]}") == [
        "3:30: context.sections[0].share: must be more than 0 and at most 1; got 0"
    ]
    thirds = ", ".join(["{share: 0.1}"] * 10)
    assert complaints(HEAD + f"context: {{sections: [{thirds}]}}") == []


def test_a_title_needs_groups(complaints):
    assert complaints(HEAD + "context: {group: '{{ group }}'}") == [
        "3:11: context.group: group is the title of a group, but nothing is grouped (add group_by)"
    ]


def test_a_template_sees_the_views_of_its_store_only(complaints):
    sections = "context: {sections: [{from: facts, item: '{{ unit.w }}'}, {from: turns, item: '{{ unit.w }}'}]}"
    assert complaints(STORES + sections) == [
        (
            "4:51: context.sections[0].item: unit has no w "
            "(it has text, author, role, session, source, section, id, time, meta)"
        )
    ]
    assert complaints(STORES + "context: {item: '{{ unit.w is defined }}'}") == []
    assert len(complaints(STORES + "context: {item: '{{ unit.w }}'}")) == 1


def test_each_template_has_its_own_variables(complaints):
    text = HEAD + "context: {header: '{{ unit.text }}', group_by: day, group: '{{ group.time | day }} {{ unit }}'}"
    assert complaints(text) == [
        "3:23: context.header: unknown variable unit; available: question",
        "3:87: context.group: unknown variable unit; available: group, question",
    ]


def test_the_place_of_a_mistake_in_a_quoted_or_folded_template(complaints):
    assert complaints(HEAD + 'context: {item: "txt \\n {{ unit.txt }}"}') == [
        "3:33: context.item: unit has no txt (did you mean text?)"
    ]
    assert complaints(HEAD + "context:\n  item: >-\n    a\n    {{ unit.txt }}\n") == [
        "6:13: context.item: unit has no txt (did you mean text?)"
    ]
    assert complaints(HEAD + "x-t: &t |\n  a {{ unit.txt }}\ncontext:\n  item: *t\n") == [
        "4:13: context.item: unit has no txt (did you mean text?)"
    ]


def test_an_unknown_store(complaints):
    assert complaints(STORES + "context: {sections: [{from: fact}]}") == [
        "4:29: context.sections[0].from: there is no store fact (did you mean facts?)"
    ]


def test_a_note_stands_in_items_alone(load, complaints):
    load(HEAD + "context: {item: '{{ unit.text }} {{ note.content }}'}")
    assert complaints(HEAD + "context: {header: '{{ note.content }}'}") == [
        "3:23: context.header: unknown variable note; available: question"
    ]
