"""What a model or a person is shown: schemas and results made to fit, and secrets hidden."""
