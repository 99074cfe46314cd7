"""What a call does by what it answers with, by its object, and by who can reverse it."""

import pytest

from toolmint.generator.gating.effects import judge
from toolmint.generator.model.api import Result

from .samples import operation


def verdict(key: str, *words: str, answers: tuple[str, ...] = ()) -> str:
    """`words` are the operationId, the summary and the description; `answers` `200 image/png`."""
    identifier, summary, description = (*words, "", "", "")[:3]
    told = [answer.partition(" ") for answer in answers]
    results = [Result(status=told[0], media_type=told[2] or None, schema=None) for told in told]
    effects = judge(
        operation(key, identifier, summary=summary, description=description, results=results)
    )
    kind = "destroys" if effects.destructive else "reads" if effects.read_only else "writes"
    return f"{kind}: {effects.reason}"


SHAPES = "reads: POST, but it only shapes what it is given"


@pytest.mark.parametrize(
    ("key", "words", "answers", "expected"),
    [
        ("POST /certificate", ("", "Ration Card"), ("200 application/pdf",), SHAPES),
        ("POST /remove_pages", ("", "Remove pages"), ("200 application/pdf",), SHAPES),
        ("POST /x/{id}/pdf", ("", "Generate it"), ("200 application/pdf",), SHAPES),
        ("POST /image-resize", ("", "Resize an image"), ("200 application/json",), SHAPES),
        ("POST /convert", ("convert", "Convert a number into text"), (), SHAPES),
        # something is kept, sent or begun
        ("POST /x/{id}/pages", ("", "Add a page"), ("200 image/png",), "writes: POST creates"),
        ("POST /x", ("", "Send a photo"), ("200 image/png",), "writes: POST creates"),
        ("POST /x", ("", "Convert a video"), ("202",), "writes: POST creates"),
        ("POST /x", ("", "Convert a lead to a contact"), (), "writes: POST creates"),
        ("POST /x/{id}", ("", "Convert an image"), (), "writes: POST creates"),
        ("POST /x", ("", "Delete pages"), ("200 image/png",), 'destroys: "delete" destroys'),
        ("POST /x", ("", "Render a video"), ("201 application/json",), "writes: POST creates"),
        ("POST /x", ("", "Render a text"), ("200 text/html",), 'reads: POST, but "render" reads'),
        # a GET that makes a file, or goes on telling
        ("GET /archive", ("", "Create an archive"), ("200 application/zip",), "reads: GET reads"),
        ("GET /x", ("", "Subscribe to updates"), ("200 text/event-stream",), "reads: GET reads"),
        ("GET /x", ("", "Subscribe to updates"), ("200",), 'writes: GET, but "subscribe" acts'),
    ],
)
def test_what_comes_back_tells_what_is_done(
    key: str, words: tuple[str, ...], answers: tuple[str, ...], expected: str
) -> None:
    assert verdict(key, *words, answers=answers) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("", "Close an account"), 'destroys: "terminate" destroys'),
        (("", "Close an issue"), "writes: POST creates"),
        (("", "Merge many contacts"), 'destroys: "dissolve" destroys'),
        (("", "Merge a branch"), "writes: POST creates"),
        (("", "Release public IP address"), 'destroys: "deallocate" destroys'),
        (("", "Test a connection"), 'reads: POST, but "check" reads'),
        (("testNotificationConfiguration",), "writes: POST creates"),
        (("", "Create a preview"), 'reads: POST, but "preview" reads'),
        (("", "Submit a query"), 'reads: POST, but "query" reads'),
        (("", "", "Returns a set of temporary credentials"), "writes: POST creates"),
        # what is only asked for, stopped or ended is not lost
        (("cancelKeyDeletion", "Cancel the deletion"), "writes: POST creates"),
        (("requestPasswordReset", "Request password reset"), "writes: POST creates"),
        (("", "Forget password"), "writes: POST creates"),
        (("logout", "Revoke the token"), "writes: POST creates"),
        (("transferEventList", "List events"), 'reads: POST, but "list" reads'),
        (("", "Switch over", "This may result in data loss."), "destroys: the description says"),
        (("", "Stop it", "Freezes it permanently."), "destroys: the description says"),
        (("", "Import it", "This is a destructive action!"), "destroys: the description says"),
        (("", "Set it and also delete the old"), 'destroys: "delete" destroys'),
    ],
)
def test_the_object_tells_what_a_verb_does(words: tuple[str, ...], expected: str) -> None:
    assert verdict("POST /x", *words).startswith(expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("", "Text - Encode a URL"), 'reads: POST, but "encode" reads'),
        (("", "", "### Description: Wipe a device"), 'destroys: "wipe" destroys'),
        (("", "", "Deprecated. Check an address"), 'reads: POST, but "check" reads'),
        (("", "", "Paginated listing of users"), 'reads: POST, but "list" reads'),
        (("", "", "Given the ID of a hook, return it"), 'reads: POST, but "returns" reads'),
        (("", "", "The API returns a list"), 'reads: POST, but "returns" reads'),
        (("", "[10 units per name] Infer it"), 'reads: POST, but "infer" reads'),
        (("", "Invoke action getByIds"), 'reads: POST, but "get" reads'),
        # one word of a name, a second verb and how it is sent prove nothing
        (("mail_a_check",), "writes: POST creates"),
        (("selectViewAndGetDetails",), "writes: POST creates"),
        (("templates_render_create",), 'reads: POST, but "render" reads'),
        (("", "Analyze a text", "Send it as JSON"), 'reads: POST, but "analyze" reads'),
    ],
)
def test_what_stands_before_a_verb_is_skipped(words: tuple[str, ...], expected: str) -> None:
    assert verdict("POST /x", *words) == expected


@pytest.mark.parametrize(
    ("key", "words", "expected"),
    [
        ("GET /subtask/move", ("canMoveSubTask",), "reads: GET reads"),
        ("GET /x", ("sendAnalytics", "Send Analytics", "Retrieves them"), "reads: GET reads"),
        ("GET /x", ("startSearch", "Starts a search"), "reads: GET reads"),
        ("GET /x/run", ("", "Runs it", "Returns the result"), "reads: GET reads"),
        ("GET /m.delta()", ("", "Invoke function delta"), "reads: GET reads"),
        ("GET /search", ("", "", "Like /find, but counts"), "reads: GET reads"),
        ("GET /x", ("share_get", "Create a link"), 'writes: GET, but "create" acts'),
        ("GET /reset", ("", "Reset it", "Gets it"), 'destroys: GET, but "reset" destroys'),
        ("PUT /validate", ("", "Validate it"), 'reads: PUT, but "validate" reads'),
        ("PUT /x", ("", "Validate it"), "writes: PUT replaces"),
        ("PUT /x", ("getX", "Get it"), "writes: PUT replaces"),
        # what a DELETE ends or takes back
        ("DELETE /jobs/{id}/stop", ("StopJob",), 'writes: DELETE, but "stop" can be undone'),
        ("DELETE /x", ("", "Stop and delete it"), "destroys: DELETE removes"),
        (
            "DELETE /session",
            ("", "Close the session"),
            'writes: DELETE, but "logout" can be undone',
        ),
        (
            "DELETE /x/{id}",
            ("", "", "Unlikes a track"),
            'writes: DELETE, but "unlike" can be undone',
        ),
        (
            "DELETE /x/{id}",
            ("", "", "Deletes a rating"),
            "writes: DELETE, but it takes back a rating",
        ),
    ],
)
def test_other_methods_are_heard_as_well(key: str, words: tuple[str, ...], expected: str) -> None:
    assert verdict(key, *words) == expected
