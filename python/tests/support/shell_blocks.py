"""The commands in the shell blocks of pages, and what is wrong with them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

from repository import ROOT

#: Programs that pages may call besides those that are checked.
KNOWN = {".", "cargo", "cd", "cmake", "curl", "docker", "export", "g++", "go", "mkdir", "pip", "unzip", "uv", "which"}
_PUNCTUATION = "();<>|&\n"


def commands(text: str) -> list[list[str]]:
    """The simple commands of a script, without assignments and redirections; those in `$(...)` come by themselves."""
    text = re.sub(
        r"(^|\s)#[^'\"\n]*$", r"\1", text, flags=re.MULTILINE
    )  # shlex takes a line's end as part of its comment
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    found: list[list[str]] = []
    outer: list[list[str]] = []
    command: list[str] = []
    file_follows = False
    for token in lexer:
        if set(token) <= set(_PUNCTUATION):
            file_follows = token in ("<", ">", ">>")
            if token == "(":
                outer.append(command)
                command = []
            elif token == ")":
                found.append(command)
                command = outer.pop()
            elif not file_follows:
                found.append(command)
                command = []
        elif file_follows:
            file_follows = False
        elif command or not re.match(r"\w+=", token):
            command.append(token)
    return [one for one in [*found, command] if one and one != ["$"]]


@cache
def _help_of(*command: str) -> str:
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=1800)
    return done.stdout if done.returncode == 0 else ""


def _unknown_options(command: list[str], text: str) -> list[str]:
    options = [word.partition("=")[0] for word in command if word.startswith("--")]
    return [f"no option {option}" for option in options if not re.search(rf"{re.escape(option)}\b", text)]


def wrong(command: list[str], tool: Path) -> list[str]:
    """What is wrong with a command: a program, a subcommand, an option, a target or a module that does not exist."""
    program, *rest = command
    if program == "selfsame-ffi":
        text = _help_of(str(tool), rest[0]) if rest else ""
        return _unknown_options(rest, text) if text else ["no such subcommand"]
    if program == "selfsame-ffi-config":
        return _unknown_options(rest, _help_of(sys.executable, "-m", "selfsame_ffi.config"))
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        return [f"no target {target}" for target in rest if target not in targets]
    if program in ("python", "python3", ".venv/bin/python"):
        if not rest:  # the prompt
            return []
        if rest[:1] == ["-c"]:
            compile(rest[1], "command", "exec")
            return []
        if rest[0].endswith(".py"):
            return [] if any(ROOT.glob(f"examples/*/{rest[0]}")) else ["no such program of an example"]
        known = rest[0] == "-m" and rest[1] in ("build", "pip", "pytest", "twine", "venv")
        return [] if known else ["not a known module"]
    return [] if program in KNOWN or program.startswith("./") else ["not a known program"]


def faults(text: str, tool: Path) -> list[str]:
    """What is wrong with a block; empty when nothing is."""
    syntax = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, timeout=1800)
    if syntax.returncode != 0:
        return [syntax.stderr]
    return [f"{shlex.join(command)}: {fault}" for command in commands(text) for fault in wrong(command, tool)]
