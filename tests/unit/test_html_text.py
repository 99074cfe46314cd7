"""Descriptions written in HTML: the text that they show, and what is no HTML left alone."""

import pytest

from toolmint.generator.html_text import shown


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<p>One.</p> <p>Two\nlines.</p>", "One.\n\nTwo\nlines."),
        ("One.<p>Two.<br/>Three.<BR>Four.", "One.\n\nTwo.\nThree.\nFour."),
        (
            "Values:<ul> <li> <p><code>a</code>: one</p> </li> <li>two</li> </ul> <p>End.</p>",
            "Values:\n- `a`: one\n- two\n\nEnd.",
        ),
        ("<b>Never</b> do <i>this</i>, or <span class='x'>that</span>.", "Never do this, or that."),
        (
            'See <a target="_blank" href="https://a.example/x?y=1#z">the <code>x</code></a>.',
            "See [the `x`](https://a.example/x?y=1#z).",
        ),
        (
            'See <code><a href="https://a.example">X</a></code>, <a href="/docs">docs</a>.',
            "See [`X`](https://a.example), docs.",
        ),
        ('<a href="javascript:alert(1)">x</a><a href="https://a.example/)(">y</a>', "xy"),
        (
            "<table><tr><th>code</th><th>why</th></tr><tr><td>`a`</td><td>b</td></tr></table>",
            "code  why \n `a`  b",
        ),
        ("So:<pre><code>a &lt; b\n  c</code></pre>", "So:\n\n```\na < b\n  c\n```"),
        (
            "<p>a &amp; b&nbsp;&mdash; &#x3C;c&gt; &#8203; &bogus;</p>",
            "a & b — <c> &#8203; &bogus;",
        ),
        ("<p>Use `<b>` and `&amp;`.</p>", "Use `<b>` and `&amp;`."),
        ("Seen<!-- and\nnot seen -->.", "Seen."),
        ("<h2>Head</h2>text<code></code><img src='a'>", "Head\n\ntext"),
    ],
)
def test_html_becomes_the_text_that_it_shows(written: str, expected: str) -> None:
    assert shown(written) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  plain &amp; simple\n\n\n\n- x  ",
        "`Authorization: Bearer <token>`, or <id>, <code>, <b> and Map<String, A>",
        "if a<b and c>d, x </i> y",
        "```xml\n<p>a</p> <!-- b -->\n```",
        "Write `<p>` and `<br>`.",
        "Referred to by <img src='cid:a'> in a message, or in <p> tags.",
        "<https://a.example> <me@a.example>",
    ],
)
def test_what_is_no_html_stays(text: str) -> None:
    assert shown(text) == text
