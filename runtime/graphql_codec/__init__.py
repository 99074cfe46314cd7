"""How GraphQL travels: requests from documents and variables, data and errors from answers."""
