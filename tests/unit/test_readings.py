"""What a call brings into a conversation: others' text, sensitive data."""

from typing import Any

import pytest

from toolmint.generator.gating.effects import judge
from toolmint.generator.gating.readings import reads
from toolmint.generator.model.api import Definitions, Result
from toolmint.generator.model.catalogue import Effects

from .samples import api, operation


def readings(key: str, schema: Any = None, *, scopes: tuple[str, ...] = (), **given: Any) -> Any:
    one = operation(key, output_schema=schema, **given)
    whole = api(
        one,
        security=({"oauth": scopes},),
        definitions=Definitions(input={}, output={"User": person("email")}),
    )
    return reads(one, judge(one), whole)


def person(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


@pytest.mark.parametrize("name", ["body", "commentText", "review", "subject"])
def test_a_text_that_people_write_is_untrusted(name: str) -> None:
    assert readings("GET /a", person("id", name)) == ("untrusted",)
    assert readings("GET /a", {"type": "array", "items": person(name)}) == ("untrusted",)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer"},
        {"type": "string", "enum": ["a"]},
        {"type": "string", "format": "uri"},
    ],
)
def test_a_value_from_a_set_or_of_a_format_is_no_free_text(schema: Any) -> None:
    assert readings("GET /a", {"type": "object", "properties": {"body": schema}}) == ()


def test_a_plain_text_answer_is_free_text() -> None:
    result = Result(status="200", media_type="text/plain; charset=utf-8", schema=None)

    assert readings("GET /readme", results=[result]) == ("untrusted",)


@pytest.mark.parametrize("name", ["email", "phoneNumber", "account_number", "api_key", "salary"])
def test_fields_that_name_people_money_or_secrets_are_sensitive(name: str) -> None:
    assert readings("GET /a", person("id", name)) == ("sensitive",)


@pytest.mark.parametrize("name", ["id", "email_verified", "token_count", "card_type", "api_url"])
def test_what_is_said_about_them_is_not(name: str) -> None:
    assert readings("GET /a", person(name)) == ()


@pytest.mark.parametrize(
    "name",
    ["nextPageToken", "sync_token", "total_tokens", "email_template", "salaryCap", "ip_address"],
)
def test_the_last_word_of_a_name_says_what_it_is(name: str) -> None:
    assert readings("GET /a", person(name)) == ()


@pytest.mark.parametrize(
    "name", ["access_tokens", "refreshToken", "date_of_birth", "billing_address", "phones"]
)
def test_a_qualified_name_is_as_sensitive(name: str) -> None:
    assert readings("GET /a", person(name)) == ("sensitive",)


def test_a_path_that_tells_something_about_a_secret_is_not_sensitive() -> None:
    assert readings("GET /password/policy") == ()
    assert readings("GET /patients/{id}/groups") == ("sensitive",)


def test_a_message_beside_a_status_is_the_apis_own() -> None:
    assert readings("GET /a", person("status", "message")) == ()
    assert readings("GET /a", person("author", "message")) == ("untrusted",)


def test_an_error_message_is_the_apis_own_and_a_flag_no_secret() -> None:
    flag = {"type": "object", "properties": {"has_password": {"type": "boolean"}}}

    assert readings("GET /a", person("error_message")) == ()
    assert readings("GET /a", person("chat_message")) == ("untrusted",)
    assert readings("GET /a", flag) == ()


def test_json_that_is_offered_as_text_as_well_is_no_free_text() -> None:
    media = ("text/plain", "application/json")
    results = [Result(status="200", media_type=one, schema=None) for one in media]

    assert readings("GET /a", results=results) == ()


def test_paths_and_scopes_count() -> None:
    assert readings("GET /orgs/{org}/secrets") == ("sensitive",)
    assert readings("GET /a", scopes=("user:email",)) == ("sensitive",)
    assert readings("GET /a", scopes=("repo",)) == ()


def test_a_record_with_an_author_is_not_both() -> None:
    """Else every read would be, and every write would ask."""
    issue = {
        "type": "object",
        "properties": {"body": {"type": "string"}, "user": {"$ref": "#/$defs/User"}},
    }

    assert readings("GET /issues/{id}", issue) == ("untrusted",)
    assert readings("GET /user", {"$ref": "#/$defs/User"}) == ("sensitive",)


def test_what_does_more_than_read_is_not_a_reading() -> None:
    assert readings("POST /users", person("email", "body")) == ()


def test_nothing_of_others_comes_from_a_closed_world() -> None:
    one = operation("GET /a", output_schema=person("body"))
    closed = Effects(
        read_only=True, destructive=False, idempotent=True, open_world=False, reason=""
    )

    assert reads(one, closed, api(one)) == ()
