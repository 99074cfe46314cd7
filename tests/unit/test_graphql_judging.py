"""Documents that are judged together have the verdicts that they have alone."""

from toolmint.generator.sources.graphql.core import Core, Text, from_sdl

SDL = "type Query { pet(id: ID!): Pet  pets: [Pet] }  type Pet { id: ID!  name: String }"
GOOD = "query Pets {\n  pets { id }\n}\n"
ANOTHER = "query Pet($id: ID!) {\n  pet(id: $id) { name }\n}\n"
WRONG = "query Wrong {\n  pets { age }\n}\n"
UNREADABLE = "query Half {\n"


def judge() -> Core:
    return from_sdl([Text("schema.graphql", SDL)])[1]


def test_valid_documents_are_known_and_the_verdict_of_others_stays() -> None:
    for company in ([], [WRONG], [UNREADABLE], [GOOD, GOOD]):  # the last: a name used twice
        together, alone = judge(), judge()
        together.judge_together([GOOD, ANOTHER, *company])
        for document in (GOOD, ANOTHER, WRONG, UNREADABLE):
            assert together.faults(document) == alone.faults(document)
    assert judge().faults(GOOD) == judge().faults(ANOTHER) == []


def test_a_wrong_document_costs_no_other_one_its_place() -> None:
    many = [GOOD.replace("Pets", f"Pets{number}") for number in range(200)]
    one = judge()
    one.judge_together([*many, WRONG])
    assert [document for document in many if one.faults(document)] == []
    assert [fault.text for fault in one.faults(WRONG)] == [
        "Cannot query field 'age' on type 'Pet'. Did you mean 'name'?"
    ]
