"""Programs that build, test and release selfsame: each runs from the repository's root, `python3 -m scripts.NAME`.

They share scripts/tools. A module is named by its whole path, so that no program changes sys.path; one that imports
nothing of this package may also be run by its file's name.
"""
