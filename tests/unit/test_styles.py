"""Every row of OpenAPI's table "Style Examples", and what the table leaves open."""

from collections.abc import Sequence
from typing import Any, Literal, get_args
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.arguments import Argument, ArrayFormat, Cookie, Delimited, Header, Path, Query
from toolmint.runtime.operation import HttpOperation
from toolmint.runtime.wire.refusal import RequestProblem
from toolmint.runtime.wire.request import build

SERVER = "https://api.example"
BLUE: Any = "blue"
COLORS: Any = ["blue", "black", "brown"]
RGB: Any = {"R": 100, "G": 200, "B": 150}

PathStyle = Literal["simple", "label", "matrix"] | Delimited
QueryStyle = Literal["form", "spaceDelimited", "pipeDelimited", "deepObject"]
CookieStyle = Literal["form", "cookie"]


def operation(*arguments: Argument, path: str = "/x") -> HttpOperation:
    return HttpOperation(name="paint", method="GET", path=path, arguments=arguments)


def url(argument: Argument, value: Any, path: str = "/x") -> str:
    return build(operation(argument, path=path), {"color": value}, SERVER).url


def path_url(style: PathStyle, explode: bool, value: Any) -> str:
    return url(Path("color", style=style, explode=explode), value, "/x/{color}")


def query_url(style: QueryStyle, explode: bool, value: Any) -> str:
    return url(Query("color", style=style, explode=explode), value)


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        ("matrix", False, BLUE, ";color=blue"),
        ("matrix", False, COLORS, ";color=blue,black,brown"),
        ("matrix", False, RGB, ";color=R,100,G,200,B,150"),
        ("matrix", True, BLUE, ";color=blue"),
        ("matrix", True, COLORS, ";color=blue;color=black;color=brown"),
        ("matrix", True, RGB, ";R=100;G=200;B=150"),
        ("label", False, BLUE, ".blue"),
        ("label", False, COLORS, ".blue,black,brown"),
        ("label", False, RGB, ".R,100,G,200,B,150"),
        ("label", True, BLUE, ".blue"),
        ("label", True, COLORS, ".blue.black.brown"),
        ("label", True, RGB, ".R=100.G=200.B=150"),
        ("simple", False, BLUE, "blue"),
        ("simple", False, COLORS, "blue,black,brown"),
        ("simple", False, RGB, "R,100,G,200,B,150"),
        ("simple", True, BLUE, "blue"),
        ("simple", True, COLORS, "blue,black,brown"),
        ("simple", True, RGB, "R=100,G=200,B=150"),
        ("pipeDelimited", False, COLORS, "blue%7Cblack%7Cbrown"),
        ("spaceDelimited", False, BLUE, "blue"),
        ("tabDelimited", True, COLORS, "blue%09black%09brown"),
        ("spaceDelimited", False, RGB, "R%20100%20G%20200%20B%20150"),
    ],
)
def test_a_path_is_written_as_the_table_says(
    style: PathStyle, explode: bool, value: Any, expected: str
) -> None:
    assert path_url(style, explode, value) == f"https://api.example/x/{expected}"


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        ("form", False, "", "color="),
        ("form", False, BLUE, "color=blue"),
        ("form", False, COLORS, "color=blue,black,brown"),
        ("form", False, RGB, "color=R,100,G,200,B,150"),
        ("form", True, "", "color="),
        ("form", True, BLUE, "color=blue"),
        ("form", True, COLORS, "color=blue&color=black&color=brown"),
        ("form", True, RGB, "R=100&G=200&B=150"),
        ("spaceDelimited", False, COLORS, "color=blue%20black%20brown"),
        ("spaceDelimited", False, RGB, "color=R%20100%20G%20200%20B%20150"),
        ("pipeDelimited", False, COLORS, "color=blue%7Cblack%7Cbrown"),
        ("pipeDelimited", False, RGB, "color=R%7C100%7CG%7C200%7CB%7C150"),
        ("deepObject", True, RGB, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        # Not in the table. Exploded, the delimiters have nothing to stand between; deepObject
        # ignores explode.
        ("spaceDelimited", True, COLORS, "color=blue&color=black&color=brown"),
        ("pipeDelimited", True, COLORS, "color=blue&color=black&color=brown"),
        ("spaceDelimited", False, BLUE, "color=blue"),
        ("deepObject", False, RGB, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        ("deepObject", True, BLUE, "color=blue"),
    ],
)
def test_a_query_is_written_as_the_table_says(
    style: QueryStyle, explode: bool, value: Any, expected: str
) -> None:
    assert query_url(style, explode, value) == f"https://api.example/x?{expected}"


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        ("form", False, BLUE, "color=blue"),
        ("form", False, COLORS, "color=blue,black,brown"),
        ("form", False, RGB, "color=R,100,G,200,B,150"),
        ("form", True, BLUE, "color=blue"),
        ("form", True, "a b;c", "color=a%20b%3Bc"),
        ("cookie", False, "", "color="),
        ("cookie", False, BLUE, "color=blue"),
        ("cookie", False, COLORS, "color=blue,black,brown"),
        ("cookie", False, RGB, "color=R,100,G,200,B,150"),
        ("cookie", True, BLUE, "color=blue"),
        ("cookie", True, COLORS, "color=blue; color=black; color=brown"),
        ("cookie", True, RGB, "R=100; G=200; B=150"),
        ("cookie", True, "a%20b=c d", "color=a%20b=c d"),
        # The `&` that form would explode with separates no cookies: each becomes its own.
        ("form", True, COLORS, "color=blue; color=black; color=brown"),
        ("form", True, RGB, "R=100; G=200; B=150"),
    ],
)
def test_a_cookie_is_written_as_the_table_says(
    style: CookieStyle, explode: bool, value: Any, expected: str
) -> None:
    row = Cookie("color", style=style, explode=explode)
    draft = build(operation(row), {"color": value}, SERVER)
    assert draft.headers == {"Accept": "application/json", "Cookie": expected}


@pytest.mark.parametrize(
    ("explode", "value", "expected"),
    [
        (False, BLUE, "blue"),
        (False, COLORS, "blue,black,brown"),
        (False, RGB, "R,100,G,200,B,150"),
        (True, COLORS, "blue,black,brown"),
        (True, RGB, "R=100,G=200,B=150"),
        (False, "a b%20;é", "a b%20;é"),  # headers are never percent-encoded
    ],
)
def test_a_header_is_written_as_the_table_says(explode: bool, value: Any, expected: str) -> None:
    draft = build(operation(Header("color", explode=explode)), {"color": value}, SERVER)
    assert draft.headers == {"Accept": "application/json", "color": expected}


def test_a_header_of_2_0_may_have_another_delimiter() -> None:
    row = operation(Header("color", style="pipeDelimited"))
    draft = build(row, {"color": COLORS}, SERVER)
    assert draft.headers == {"Accept": "application/json", "color": "blue|black|brown"}


@pytest.mark.parametrize("style", get_args(QueryStyle))
@pytest.mark.parametrize("explode", [True, False])
@pytest.mark.parametrize("value", [None, [], {}, [None], {"a": None}])
def test_what_rfc_6570_calls_undefined_is_left_out(
    style: QueryStyle, explode: bool, value: Any
) -> None:
    everywhere = operation(
        Query("color", style=style, explode=explode),
        Header("h", "color", explode=explode),
        Cookie("c", "color", explode=explode),
    )
    draft = build(everywhere, {"color": value}, SERVER)
    assert (draft.url, draft.headers) == ("https://api.example/x", {"Accept": "application/json"})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (1.0, "1"),
        (-0.0, "0"),
        (1e16, "10000000000000000"),
        (0.1, "0.1"),
        (1e-7, "1e-07"),
        (1e30, "1e%2B30"),
        (2**80, "1208925819614629174706176"),
        ([1, None, 2], "1,2"),
        ({"a": None, "b": 0}, "b,0"),
        ([[1, 2], {"a": "b c"}], "%5B1%2C2%5D,%7B%22a%22%3A%22b%20c%22%7D"),
        ([[1.0, {"a": 2.50}], "1.0"], "%5B1%2C%7B%22a%22%3A2.5%7D%5D,1.0"),
    ],
)
def test_scalars_are_written_as_json_does_and_nested_values_as_json_text(
    value: Any, text: str
) -> None:
    assert query_url("form", False, value) == f"https://api.example/x?color={text}"
    assert path_url("simple", False, value) == f"https://api.example/x/{text}"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": {"b": {"c": 1}}}, "q[a][b][c]=1"),
        ({"tags": ["x", "y"]}, "q[tags]=x&q[tags]=y"),
        ({"a": [{"b": 1}, {"b": 2}]}, "q[a][0][b]=1&q[a][1][b]=2"),
        ({"a": [], "b": {}, "c": None, "d": ""}, "q[d]="),
        (["x", "y"], "q=x&q=y"),
        ([{"price": 1}], "q[0][price]=1"),
        ({"a]b": 1}, "q[a]b]=1"),
    ],
)
def test_a_deep_object_goes_on_in_brackets(value: Any, expected: str) -> None:
    built = url(Query("q", "color", style="deepObject"), value).partition("?")[2]
    assert "&".join(map(unquote, built.split("&"))) == expected


@pytest.mark.parametrize(
    ("arrays", "value", "expected"),
    [
        ("brackets", ["x", "y"], "q[]=x&q[]=y"),
        ("brackets", {"tags": ["x", "y"]}, "q[tags][]=x&q[tags][]=y"),
        ("brackets", [{"ids": [1, 2]}], "q[0][ids][]=1&q[0][ids][]=2"),
        ("indices", ["x", "y"], "q[0]=x&q[1]=y"),
        ("indices", {"tags": ["x"]}, "q[tags][0]=x"),
        ("indices", [[1], [2]], "q[0][0]=1&q[1][0]=2"),
        ("indices", [{"a": 1}, {}, None, {"a": 2}], "q[0][a]=1&q[1][a]=2"),
    ],
)
def test_arrays_in_a_deep_object_are_as_the_description_hints(
    arrays: ArrayFormat, value: Any, expected: str
) -> None:
    query = Query("q", "color", style="deepObject", arrays=arrays)
    assert unquote(url(query, value).partition("?")[2]) == expected


def test_an_array_in_an_exploded_object_repeats_its_key() -> None:
    assert query_url("form", True, {"tag": ["a", "b"], "by": {"x": 1}}) == (
        "https://api.example/x?tag=a&tag=b&by=%7B%22x%22%3A1%7D"
    )


def test_names_are_encoded_too() -> None:
    assert url(Query("a[b] &=", "color"), "v") == "https://api.example/x?a%5Bb%5D%20%26%3D=v"
    assert url(Path("é;", "color", style="matrix"), "v", "/{é;}") == (
        "https://api.example/;%C3%A9%3B=v"
    )


def test_reserved_characters_stay_where_they_are_allowed_to() -> None:
    reserved = ":/?#[]@!$&'()*+,;=%41"
    assert url(Query("q", "color", allow_reserved=True), reserved) == (
        "https://api.example/x?q=:/?%23%5B%5D@!$%26'()*%2B,;=%41"
    )
    assert url(Path("p", "color", allow_reserved=True), reserved, "/x/{p}") == (
        "https://api.example/x/:/%3F%23%5B%5D@!$&'()*+,;=%41"
    )


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
SCALARS = st.text(st.characters(exclude_categories=["Cs"]))


def parsed(built: str) -> list[tuple[str, str]]:
    # `+` is never written raw, so that reading it as a space changes nothing.
    return parse_qsl(built.partition("?")[2], keep_blank_values=True)


@given(NAMES, st.lists(SCALARS, min_size=1))
def test_a_repeated_query_reads_back_as_what_was_given(name: str, values: list[str]) -> None:
    assert parsed(url(Query(name, "color"), values)) == [(name, value) for value in values]


@given(NAMES, st.dictionaries(SCALARS, SCALARS, min_size=1))
def test_a_deep_object_reads_back_as_what_was_given(name: str, value: dict[str, str]) -> None:
    expected = [(f"{name}[{key}]", member) for key, member in value.items()]
    assert parsed(url(Query(name, "color", style="deepObject"), value)) == expected


DELIMITERS: Sequence[tuple[QueryStyle, str]] = [
    ("form", ","),
    ("spaceDelimited", "%20"),
    ("pipeDelimited", "%7C"),
]


@given(st.lists(SCALARS.filter(lambda text: " " not in text and "|" not in text), min_size=2))
def test_delimited_items_read_back_as_what_was_given(values: list[str]) -> None:
    for style, delimiter in DELIMITERS:
        raw = query_url(style, False, values).partition("=")[2]
        assert [unquote(item) for item in raw.split(delimiter)] == values


@given(SCALARS)
def test_a_path_value_reads_back_as_what_was_given_or_is_refused(value: str) -> None:
    try:
        raw = path_url("simple", False, value).removeprefix("https://api.example/x/")
    except RequestProblem as problem:
        assert (problem.argument, problem.outcome) == ("color", "invalid_arguments")
    else:
        assert "/" not in raw and "?" not in raw and unquote(raw) == value
