"""Sources: one kind of input a module, each lowering it to the model."""
