"""Targets: one kind of output a package, each turning a catalogue into files."""
