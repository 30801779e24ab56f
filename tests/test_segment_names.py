"""Which folders of a partition count as segments, held against the definition: no other one contains it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schemas.segments import Span, replaced, segment_name, span_of, standing

SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: (min(pair), max(pair))), unique=True
)


def test_a_name_has_twenty_digits_twice_and_nothing_else() -> None:
    name = segment_name(7, 123)
    assert name == "00000000000000000007-00000000000000000123"
    assert span_of(name) == Span(7, 123, name)
    for other in (".writing-" + name, name + "x", name[1:], name.replace("-", "_"), "", "settings.json", name + "\n"):
        assert span_of(other) is None


@given(SPANS)
def test_what_counts_is_what_no_other_contains(spans: list[tuple[int, int]]) -> None:
    names = [segment_name(*span) for span in spans]
    counted = [
        segment_name(first, last)
        for first, last in sorted(spans)
        if not any(a <= first and last <= b for a, b in spans if (a, b) != (first, last))
    ]
    assert [span.name for span in standing(names)] == counted
    assert {span.name for span in replaced(names)} == set(names) - set(counted)
    assert standing(reversed(names)) == standing(names)
    # a listing taken while the small ones are being removed counts the same
    gone = replaced(names)[: len(spans) // 2]
    assert standing(set(names) - {span.name for span in gone}) == standing(names)
