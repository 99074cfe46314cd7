"""The compiler: API descriptions in, files of a tool package out."""
