"""The ticket desk itself: what the demo's API knows and does, free of HTTP."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Ticket: TypeAlias = dict[str, Any]

AGENTS = ("ada", "grace")
_STATES = ("open", "waiting", "solved")
_PRIORITIES = ("low", "normal", "high")


class Problem(Exception):
    """An answer that is not the wanted one: a status and what to tell the caller."""

    def __init__(self, status: int, detail: str) -> None:
        self.status, self.detail = status, detail
        super().__init__(detail)


@dataclass
class Desk:
    """The tickets of one demo. Not safe for threads: its server locks around it."""

    tickets: dict[int, Ticket] = field(default_factory=dict[int, Ticket])

    def open(self, body: Ticket) -> Ticket:
        """A new ticket; 422 where the title, the customer or the priority is no good."""
        title, customer = body.get("title"), body.get("customer")
        if not isinstance(title, str) or len(title) < 3:
            raise Problem(422, "title needs at least three characters")
        if not isinstance(customer, dict) or not {"name", "email"} <= customer.keys():
            raise Problem(422, "customer needs a name and an email")
        number = max(self.tickets, default=0) + 1
        self.tickets[number] = {
            "number": number,
            "title": title,
            "status": "open",
            "priority": _one_of(_PRIORITIES, body.get("priority", "normal")),
            "customer": customer,
            "agent": None,
            "labels": list(body.get("labels", [])),
            "comments": [],
        }
        return self.tickets[number]

    def get(self, number: int) -> Ticket:
        """The ticket; 404 where there is none."""
        if number not in self.tickets:
            raise Problem(404, f"there is no ticket {number}")
        return self.tickets[number]

    def newest(self, states: Sequence[str], limit: int) -> Sequence[Ticket]:
        """The newest tickets in any of the states; all when none is named."""
        wanted = {_one_of(_STATES, state) for state in states} or set(_STATES)
        ranked = sorted(self.tickets.values(), key=lambda ticket: -ticket["number"])
        return [ticket for ticket in ranked if ticket["status"] in wanted][:limit]

    def search(self, words: Sequence[str]) -> Sequence[Ticket]:
        """The tickets in which every word occurs."""
        return [
            ticket
            for ticket in self.tickets.values()
            if all(word.lower() in _text(ticket) for word in words)
        ]

    def update(self, number: int, body: Ticket) -> Ticket:
        """The ticket with its state or agent changed; an absent member changes nothing."""
        ticket = self.get(number)
        if "status" in body:
            ticket["status"] = _one_of(_STATES, body["status"])
        if "agent" in body:
            ticket["agent"] = _one_of((*AGENTS, None), body["agent"])
        return ticket

    def comment(self, number: int, body: Ticket) -> Ticket:
        """The ticket with one more comment."""
        ticket = self.get(number)
        ticket["comments"].append(str(body.get("text", "")))
        return ticket

    def delete(self, number: int) -> None:
        """Forget the ticket."""
        del self.tickets[self.get(number)["number"]]

    def agents(self) -> Sequence[dict[str, Any]]:
        """Each agent and how many tickets they have."""
        held = [ticket["agent"] for ticket in self.tickets.values()]
        return [{"name": name, "tickets": held.count(name)} for name in AGENTS]


def example() -> Desk:
    """A desk with a little work on it."""
    desk = Desk()
    ada = {"name": "Ada", "email": "ada@customer.example"}
    kim = {"name": "Kim", "email": "kim@customer.example"}
    desk.open({"title": "Cannot log in", "customer": ada, "priority": "high"})
    desk.open({"title": "Wrong total on the invoice", "customer": kim, "labels": ["billing"]})
    desk.update(2, {"status": "waiting", "agent": "grace"})
    return desk


def _one_of(allowed: Sequence[str | None], value: object) -> str | None:
    for one in allowed:
        if value == one:
            return one
    raise Problem(422, f"{value!r} is not one of {', '.join(map(str, allowed))}")


def _text(ticket: Ticket) -> str:
    return " ".join([ticket["title"], *ticket["comments"]]).lower()
