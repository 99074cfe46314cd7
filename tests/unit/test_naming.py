"""Tool names, and Python's names for what strangers named."""

import keyword
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.generator.identifiers import (
    OWN_MODULES,
    argument_identifiers,
    class_name,
    class_names,
    identifier,
    module_names,
    package_class_name,
)
from toolmint.generator.model.api import Operation
from toolmint.generator.model.arguments import Argument
from toolmint.generator.naming import NAME, tool_names

from .samples import field, member, operation, query

ARRAY: dict[str, Any] = {"type": "array", "items": {}}


def name_of(one: Operation, **options: Any) -> str:
    return tool_names([one], **options).by_key[one.key]


@pytest.mark.parametrize(
    ("operation_id", "expected"),
    [
        ("listReports", "list_reports"),
        ("billing/list-invoices", "billing_list_invoices"),
        ("issues/create", "issues_create"),
        ("Users.Get", "users_get"),
        ("get_user_v1", "get_user_v1"),
        ("getOAuth2Token", "get_oauth2_token"),
        ("listIPs", "list_ips"),
        ("HTTPStatus2XX", "http_status_2xx"),
        ("2fa.enable", "op_2fa_enable"),
        ("列表", "get_thing"),
        ("créerÉlément", "creer_element"),
        ("straßen-Übersicht", "strassen_ubersicht"),
        ("naïve列表ﬁ", "naive_fi"),
        ("XMLHttpRequest", "xml_http_request"),
        ("getIPv6Address", "get_ipv6_address"),
        ("S3Bucket", "s3_bucket"),
        ("Base64URLEncode", "base64_url_encode"),
        ("import", "import_"),
        ("x'); raise SystemExit('pwned') #", "x_raise_system_exit_pwned"),
    ],
)
def test_an_operation_id_becomes_snake_case(operation_id: str, expected: str) -> None:
    assert name_of(operation("GET /things/{id}", operation_id)) == expected


@pytest.mark.parametrize(
    ("key", "output", "expected"),
    [
        ("GET /users/{id}", None, "get_user"),
        ("GET /users", ARRAY, "list_users"),
        ("GET /users", None, "get_users"),
        ("GET /users/{id}", ARRAY, "get_user"),
        ("POST /users", None, "create_user"),
        ("PUT /users/{id}", None, "replace_user"),
        ("PATCH /users/{id}", None, "update_user"),
        ("DELETE /users/{id}", None, "delete_user"),
        ("HEAD /users", None, "head_users"),
        ("GET /things/{id}/parts", None, "get_thing_parts"),
        ("POST /things/{id}/categories", None, "create_thing_category"),
        ("GET /files/{name}.json", None, "get_file_json"),
        ("GET /", None, "get"),
    ],
)
def test_without_one_a_verb_and_nouns_do(key: str, output: Any, expected: str) -> None:
    assert name_of(operation(key, output_schema=output)) == expected


def test_a_paged_list_is_a_list() -> None:
    page = {"$ref": "#/$defs/Page"}
    definitions: dict[str, Any] = {"Page": {"type": "object", "properties": {"items": ARRAY}}}
    asked = operation("GET /users", arguments=[query("per_page")], output_schema=page)
    unpaged = operation("GET /users", output_schema=page)

    assert name_of(asked, results=definitions) == "list_users"
    assert name_of(unpaged, results=definitions) == "get_users"


def test_verb_and_noun_can_be_asked_for() -> None:
    assert name_of(operation("GET /users/{id}", "fetchIt"), naming="verb_noun") == "get_user"


LONG = "listOrganisationSubscriptionPaymentMethodAuthorisationAttemptsForCustomerByReferenceV"
TWINS = [
    operation("GET /a", "billing/list_invoices"),
    operation("GET /b", "billing.list_invoices"),
    operation("GET /c", f"{LONG}1"),
    operation("GET /d", f"{LONG}2"),
    operation("GET /things/{thingId}/parts"),
    operation("POST /f", "2fa/enable"),
    operation("GET /g", "一覧取得"),
]
EXPECTED = {
    "GET /a": "billing_list_invoices_f302df",
    "GET /b": "billing_list_invoices_db789e",
    "GET /c": "list_organisation_subscription_payment_method_authorisati_247925",
    "GET /d": "list_organisation_subscription_payment_method_authorisati_f0d211",
    "GET /things/{thingId}/parts": "get_thing_parts",
    "POST /f": "op_2fa_enable",
    "GET /g": "get_g",
}


def test_names_that_collide_or_are_too_long_get_a_hash_of_their_own_and_a_warning() -> None:
    names = tool_names(TWINS)

    assert names.by_key == EXPECTED
    assert [warning.text for warning in names.warnings] == [
        (
            '"billing_list_invoices" would name 2 tools (GET /a, GET /b); named '
            "billing_list_invoices_f302df, billing_list_invoices_db789e. "
            'Choose with tools."GET /a".name.'
        ),
        (
            '"list_organisation_subscription_payment_method_authorisation_attempts_for_customer_by_'
            'reference_v1" is longer than 64 characters; named '
            "list_organisation_subscription_payment_method_authorisati_247925. "
            'Choose with tools."GET /c".name.'
        ),
        (
            '"list_organisation_subscription_payment_method_authorisation_attempts_for_customer_by_'
            'reference_v2" is longer than 64 characters; named '
            "list_organisation_subscription_payment_method_authorisati_f0d211. "
            'Choose with tools."GET /d".name.'
        ),
    ]


def test_names_do_not_depend_on_order_or_on_other_operations() -> None:
    shuffled = [*TWINS, operation("GET /other", "another")]
    random.Random(4).shuffle(shuffled)

    assert tool_names(shuffled).by_key == {**EXPECTED, "GET /other": "another"}


def test_helpers_keep_their_names() -> None:
    taken = [operation("GET /a", "describeType"), operation("GET /b", "load_pets_tools")]

    assert tool_names(taken).by_key == {
        "GET /a": "describe_type_f302df",
        "GET /b": "load_pets_tools_db789e",
    }


def test_others_make_way_for_a_name_that_the_user_chose() -> None:
    both = [operation("GET /a", "one"), operation("GET /b", "two")]

    assert tool_names(both, chosen={"GET /b": "one"}).by_key == {
        "GET /a": "one_f302df",
        "GET /b": "one",
    }


def test_a_query_and_a_mutation_of_one_name_say_which_they_are() -> None:
    fields = [field("Query.issue"), field("Mutation.issue", "mutation"), field("Query.userName")]

    assert tool_names(fields).by_key == {
        "Query.issue": "issue_query",
        "Mutation.issue": "issue_mutation",
        "Query.userName": "user_name",
    }


@given(st.lists(st.text(max_size=80), min_size=1, max_size=6))
def test_every_name_is_legal_and_unique_whatever_the_ids(ids: list[str]) -> None:
    operations = [operation(f"GET /{index}", text) for index, text in enumerate(ids)]
    names = list(tool_names(operations).by_key.values())

    assert len(set(names)) == len(operations)
    assert all(NAME.fullmatch(name) and not keyword.iskeyword(name) for name in names)


# ── arguments ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ("per_page", "per_page"),
        ("X-Trace", "x_trace"),
        ("from", "from_"),
        ("self", "self_"),
        ("$filter", "filter"),
        ("page[size]", "page_size"),
        ("__class__", "class_"),
        ("__x", "x"),
        ("UNSET", "unset"),
        ("2fa", "argument_2fa"),
        ("+1", "plus_1"),
        ("-1", "minus_1"),
        ("DateCreated<", "date_created_lt"),
        ("列", "argument"),
        ("", "argument"),
        ('q"r', "q_r"),
        ("s\nt", "s_t"),
    ],
)
def test_a_wire_name_becomes_an_identifier(wire: str, expected: str) -> None:
    assert identifier(wire) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([query("id", "id__path", "path"), member("id")], {"id__path": "id__path", "id": "id"}),
        (
            [query("from"), query("From", place="header")],
            {"from": "from_", "From": "from_header"},
        ),
        (
            [query("user_id"), query("userId"), member("UserID")],
            {"user_id": "user_id", "userId": "user_id_query", "UserID": "user_id_body"},
        ),
        ([query("a__query")], {"a__query": "a_query"}),
        (
            [query("userId"), query("UserID")],
            {"userId": "user_id_6ccb21", "UserID": "user_id_2140f1"},
        ),
    ],
)
def test_arguments_that_clash_say_where_they_travel(
    arguments: list[Argument], expected: dict[str, str]
) -> None:
    assert argument_identifiers(arguments) == expected
    assert argument_identifiers(arguments[::-1]) == expected


@given(st.lists(st.text(max_size=12), unique=True, max_size=8))
def test_arguments_are_always_distinct_parameters(names: list[str]) -> None:
    found = list(argument_identifiers([query(name) for name in names]).values())

    assert len(set(found)) == len(names)
    for name in found:
        assert name.isidentifier() and name.isascii()
        assert not keyword.iskeyword(name)
        assert not name.startswith("__") and name != "self"


# ── modules and classes ─────────────────────────────────────────────────────────────


def test_tags_become_modules_that_differ() -> None:
    tags = ["pets", "code-scanning", "Models", "import", "2fa", "列", "Users", "users", "find"]

    assert module_names(tags) == {
        "pets": "pets",
        "code-scanning": "code_scanning",
        "Models": "models_d17d2d",
        "import": "import_",
        "2fa": "group_2fa",
        "列": "group",
        "Users": "users_6b0cc9",
        "users": "users_7dfb4c",
        "find": "find_e6640d",
    }


def test_no_tag_takes_a_name_of_the_package_itself() -> None:
    assert not OWN_MODULES & set(module_names(OWN_MODULES).values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("code-scanning", "CodeScanning"),
        ("2fa", "Group2fa"),
        ("", "Group"),
        ("none", "None_"),
    ],
)
def test_a_class_is_in_pascal_case(text: str, expected: str) -> None:
    assert class_name(text) == expected


def test_classes_differ_and_leave_taken_names_alone() -> None:
    found = class_names(["pets", "path", "a_1", "a1"], taken=["Path"])

    assert found["pets"] == "Pets"
    assert found["path"] == "PathGroup"
    assert len(set(found.values())) == 4


@pytest.mark.parametrize(
    ("package", "expected"),
    [("acme.github_tools", "Github"), ("petstore_tools", "Petstore"), ("tools", "Tools")],
)
def test_a_toolset_is_named_after_its_package(package: str, expected: str) -> None:
    assert package_class_name(package) == expected
