"""References to other files: read below the description's folder, and nowhere else."""

from pathlib import Path

import pytest

from toolmint.generator.errors import InputError
from toolmint.generator.load import load
from toolmint.generator.model.api import Api
from toolmint.generator.model.nodes import Location
from toolmint.generator.reading.library import Library, OutOfReach, Reach
from toolmint.generator.sources.openapi import LowerOptions, lower

HEAD = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\nservers: [{url: https://a.example}]\n'
OK = 'responses: {"204": {description: done}}'


def posting(schema: str) -> str:
    """`paths` with one operation that sends this schema."""
    content = "{application/json: {schema: " + schema + "}}"
    return "paths: {/a: {post: {requestBody: {content: " + content + "}, " + OK + "}}}\n"


def lay(folder: Path, **files: str) -> Path:
    """Write files, `__` standing for a folder; the path of the description."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "api.yaml"


def read(path: Path, reach: Reach | None = None) -> tuple[Api, Library]:
    document = load(str(path))
    library = Library(document, reach)
    return lower(document, LowerOptions(library=library)), library


def test_schemas_of_other_files_become_definitions(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD
        + "paths: {/pets: {get: {parameters: [{$ref: 'parts/parameters.yaml#/Kind'}], responses:"
        " {'200': {description: d, content: {application/json: {schema:"
        " {$ref: 'parts/pet.yaml'}}}}}}}}",
        parts__parameters="Kind: {name: kind, in: query, schema: {$ref: 'kinds.yaml#/Kind'}}",
        parts__kinds="Kind: {enum: [cat, dog]}",
        parts__pet="type: object\nproperties: {mother: {$ref: '#'}, kind: {$ref: 'kinds.yaml#/Kind'}}",
    )
    api, library = read(path)
    (operation,) = api.operations
    assert operation.arguments[0].schema == {"$ref": "#/$defs/Kind"}
    assert api.definitions.input == {"Kind": {"enum": ["cat", "dog"]}}
    assert operation.output_schema == {"$ref": "#/$defs/pet"}
    assert api.definitions.output == {
        "Kind": {"enum": ["cat", "dog"]},
        "pet": {
            "type": "object",
            "properties": {"kind": {"$ref": "#/$defs/Kind"}, "mother": {"$ref": "#/$defs/pet"}},
        },
    }
    assert sorted(library.parts) == ["parts/kinds.yaml", "parts/parameters.yaml", "parts/pet.yaml"]
    assert api.losses == ()


def test_path_items_stand_in_their_own_files_and_places_say_so(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD + "paths: {'/pets/{id}': {$ref: paths/pet.yaml}}",
        paths__pet="parameters: [{$ref: '../common.yaml#/Id'}]\n"
        f"get: {{operationId: getPet, {OK}}}\n"
        f"delete: {{parameters: [{{name: dry, in: query, schema: 7}}], {OK}}}",
        common="Id: {name: id, in: path, required: true, schema: {type: integer}}",
    )
    api, _ = read(path)
    assert [one.key for one in api.operations] == ["DELETE /pets/{id}", "GET /pets/{id}"]
    assert [argument.schema for argument in api.operations[1].arguments] == [{"type": "integer"}]
    pet = str(tmp_path / "paths/pet.yaml")
    assert api.operations[1].location == Location(file=pet, pointer="/get")
    (loss,) = api.losses
    assert loss.location == Location(file=pet, pointer="/delete/parameters/0/schema")


def test_one_reference_text_means_what_its_own_file_says(tmp_path: Path) -> None:
    schema = "content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}"
    path = lay(
        tmp_path,
        api=HEAD + f"paths: {{/a: {{post: {{requestBody: {{{schema}}}, {OK}}}}},"
        " /b: {$ref: other.yaml#/b}}\ncomponents: {schemas: {A: {type: string}}}",
        other=f"b: {{post: {{requestBody: {{{schema}}}, {OK}}}}}\n"
        "components: {schemas: {A: {type: integer}}}",
    )
    api, _ = read(path)
    first, second = (one.arguments[0].schema for one in api.operations)
    assert first == {"$ref": "#/$defs/A"}
    assert second != first
    assert api.definitions.input["A"] == {"type": "string"}
    assert list(api.definitions.input.values()) == [{"type": "string"}, {"type": "integer"}]


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("http://169.254.169.254/x", "is on the network and is not read"),
        ("https://example.com/x.yaml", "is on the network and is not read"),
        ("file:///etc/passwd", "is outside of the description's folder"),
        ("/etc/passwd", "is outside of the description's folder"),
        ("../../outside.yaml", "is outside of the description's folder"),
        ("%2e%2e/outside.yaml", "is outside of the description's folder"),
        ("link.yaml", "is outside of the description's folder"),
        ("//host/share/x.yaml", "neither a file nor a web address"),
        ("ftp://host/x.yaml", "neither a file nor a web address"),
        ("missing.yaml", "there is no file 'missing.yaml'"),
        (".", "there is no file '.'"),
        ("broken.yaml", "broken.yaml:1: "),
    ],
)
def test_what_may_not_be_read_is_refused_unread(tmp_path: Path, reference: str, why: str) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("type: string")
    path = lay(tmp_path / "deep", api=HEAD, broken="{")
    (tmp_path / "deep/link.yaml").symlink_to(outside)
    path.write_text(HEAD + posting("{$ref: '" + reference + "'}"))
    api, library = read(path)
    (loss,) = api.losses
    assert why in loss.what
    assert library.parts == {}
    assert len(api.operations) == 1


def test_folders_that_the_user_allows_are_read(tmp_path: Path) -> None:
    lay(tmp_path / "shared", common="A: {type: string}")
    path = lay(tmp_path / "deep", api=HEAD + f"paths: {{/a: {{get: {{{OK}}}}}}}")
    document = load(str(path))
    allowed = Library(document, Reach(folders=(str(tmp_path / "shared"),)))
    assert allowed.open("../shared/common.yaml", "") == "../shared/common.yaml"
    with pytest.raises(OutOfReach):
        allowed.open("../secret.yaml", "")


def test_files_claimed_by_an_address_are_read_from_the_folder(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD.replace("3.1", "3.2")
        + "$self: https://a.example/v1/api.yaml\n"
        + posting(
            "{allOf: [{$ref: 'https://a.example/v1/api.yaml#/components/schemas/A'}, "
            "{$ref: 'https://a.example/v1/b.yaml'}, {$ref: 'b.yaml'}]}"
        )
        + "components: {schemas: {A: {type: object}}}",
        b="type: object\nrequired: [x]",
    )
    api, library = read(path)
    assert api.losses == ()
    assert list(library.parts) == ["b.yaml"]
    assert api.definitions.input == {
        "A": {"type": "object"},
        "b": {"type": "object", "required": ["x"]},
    }


def test_relative_ids_name_schemas(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD
        + posting("{$ref: '#/components/schemas/A'}")
        + "components: {schemas: {A: {$id: 'schemas/a', type: array, items: {$ref: b}},"
        " B: {$id: 'schemas/b', type: string}}}",
    )
    api, library = read(path)
    assert api.losses == ()
    assert library.parts == {}
    assert api.definitions.input["A"] == {"type": "array", "items": {"$ref": "#/$defs/B"}}


def test_an_id_that_is_no_address_costs_nothing(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD
        + posting("{$ref: '#named'}")
        + "$self: 'http://[bad'\ncomponents: {schemas: {A: {$id: 'http://[worse', $anchor: named}}}",
    )
    api, _ = read(path)
    assert api.losses == ()
    assert api.definitions.input == {"A": {}}


def test_parts_of_swagger_2_files_are_moved_as_well(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api="swagger: '2.0'\ninfo: {title: T, version: '1'}\nhost: a.example\n"
        "paths: {/a: {$ref: paths/a.yaml}}\nresponses: {Gone: {$ref: 'common.yaml#/Gone'}}",
        paths__a="post:\n  parameters: [{$ref: '../common.yaml#/Body'}]\n"
        "  responses: {'200': {$ref: '../api.yaml#/responses/Gone'}}",
        common="Body: {name: b, in: body, schema: {$ref: '#/A'}}\n"
        "Gone: {description: d, schema: {$ref: '#/A'}}\nA: {type: array, items: {type: string}}",
    )
    api, _ = read(path)
    (operation,) = api.operations
    assert api.losses == ()
    assert [one.name for one in operation.arguments] == ["body"]
    assert operation.input_schema["properties"] == {"body": {"$ref": "#/$defs/A"}}
    assert operation.output_schema == {"$ref": "#/$defs/A"}
    assert operation.location.file == str(tmp_path / "paths/a.yaml")


def test_addresses_need_permission_and_a_network(tmp_path: Path) -> None:
    document = load(str(lay(tmp_path, api=HEAD + "paths: {}")))
    with pytest.raises(InputError, match="--offline forbids"):
        Library(document, Reach(remote=True, offline=True)).open("https://a.example/x", "")
    with pytest.raises(OutOfReach, match=r"127\.0\.0\.1 is at the private address"):
        Library(document, Reach(remote=True)).open("http://127.0.0.1:9/x", "")


def test_a_response_of_another_file_is_no_schema(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD + posting("{$ref: 'common.yaml#/components/responses/Gone'}"),
        common="components: {responses: {Gone: {description: d}}}",
    )
    api, _ = read(path)
    assert [loss.what for loss in api.losses] == [
        "'common.yaml#/components/responses/Gone' is no schema; any value is taken"
    ]


def test_a_union_over_files_has_its_tags(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD + posting("{$ref: 'pets/pet.yaml'}"),
        pets__pet="oneOf: [{$ref: cat.yaml}, {$ref: 'more.yaml#/Dog'}]\n"
        "discriminator: {propertyName: kind, mapping: {c: cat.yaml, d: 'more.yaml#/Dog'}}",
        pets__cat="type: object\nproperties: {kind: {type: string}}",
        pets__more="Dog: {type: object, properties: {kind: {const: d}}}",
    )
    api, _ = read(path)
    assert api.losses == ()
    assert api.definitions.input["pet"]["oneOf"] == [  # type: ignore[index]
        {"$ref": "#/$defs/cat", "properties": {"kind": {"const": "c"}}},
        {"$ref": "#/$defs/Dog"},
    ]


def test_references_where_the_standard_has_none_are_followed(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api="openapi: 3.1.0\ninfo: {$ref: info.yaml}\nservers: {$ref: 'info.yaml#/x-servers'}\n"
        "paths: {$ref: paths.yaml}\n"
        "x-responses: {'200': {description: ok}}\n",
        info="title: Split\nversion: '2'\nx-servers: [{url: 'https://a.example'}]",
        paths="/a:\n  get: {$ref: 'operations/a.yaml'}\n"
        "/b:\n  post:\n    parameters: {$ref: 'lists.yaml#/page'}\n"
        "    responses: {$ref: 'api.yaml#/x-responses'}\n"
        "    requestBody: {content: {application/json: {schema: {$ref: 'lists.yaml#/size'}}}}",
        operations__a="operationId: one\nparameters: {$ref: '../lists.yaml#/page'}",
        lists="page: [{name: page, in: query, schema: {$ref: '#/size'}}]\nsize: {type: integer}",
    )
    api, _ = read(path)
    assert api.losses == ()
    assert (api.title, [one.url for one in api.servers]) == ("Split", ["https://a.example"])
    one, other = api.operations
    assert (one.key, one.operation_id, other.key) == ("GET /a", "one", "POST /b")
    page = {"$ref": "#/$defs/size"}
    assert one.input_schema["properties"] == {"page": page}
    assert other.input_schema["properties"] == {"page": page, "body": page}
    assert [result.status for result in other.results] == ["200"]


def test_a_reference_that_leads_nowhere_stays_and_is_told(tmp_path: Path) -> None:
    path = lay(
        tmp_path,
        api=HEAD + "paths: {/a: {get: {$ref: none.yaml}}, /b: {get: {parameters: {$ref: '#/c'}}}}",
    )
    api, _ = read(path)
    assert [(one.operation, one.what) for one in api.losses] == [
        ("GET /b", "`parameters` is no list; it is dropped")
    ]
    assert [(one.operation, one.why) for one in api.left_out] == [
        ("GET /a", "the operation cannot be read: 'none.yaml' leads nowhere")
    ]
