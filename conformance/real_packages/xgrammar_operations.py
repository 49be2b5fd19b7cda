"""xgrammar: grammars made, compiled, matched, stored."""

from __future__ import annotations

import json
import re
from typing import Any, Callable

import numpy as np
import xgrammar
from operations import Step, operation
from xgrammar import testing

WORDS = ["true", "false", "null", '{"', '":', '",', '"}', "[[", "]]", "name", "age", "city", " ", "  ", "123", "4567"]
VOCABULARY = ["<s>", "</s>", *(chr(code) for code in range(32, 127)), *WORDS]
VOCABULARY += [first + second for first in "abcdefghijklmnopqrst" for second in 'aeiou"{}[]:,0123456789']

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer", "minimum": 0, "maximum": 150},
            "tags": {"type": "array", "items": {"enum": ["a", "b", "c"]}},
            "place": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
        "required": ["name", "age"],
    }
)
TEXT = '{"name": "somebody", "age": 42, "tags": ["a", "b"], "place": {"city": "x"}}'
EBNF = """root ::= expression
expression ::= term (("+" | "-") term)*
term ::= factor (("*" | "/") factor)*
factor ::= [0-9]+ | "(" expression ")"
"""


def tokenizer() -> xgrammar.TokenizerInfo:
    """Return the vocabulary as xgrammar wants it."""
    return xgrammar.TokenizerInfo(VOCABULARY, stop_token_ids=[1])


def compiler(cached: bool = False) -> xgrammar.GrammarCompiler:
    """Return a compiler with one thread."""
    return xgrammar.GrammarCompiler(tokenizer(), max_threads=1, cache_enabled=cached)


def matcher(compiled: xgrammar.CompiledGrammar) -> xgrammar.GrammarMatcher:
    """Return a matcher of a grammar."""
    return xgrammar.GrammarMatcher(compiled)


def masks(matcher: xgrammar.GrammarMatcher, text: str) -> np.ndarray:
    """Return which tokens may follow after each character of a text."""
    mask = xgrammar.allocate_token_bitmask(1, len(VOCABULARY))
    seen = []
    for character in text:
        matcher.fill_next_token_bitmask(mask)
        seen.append(mask.numpy().copy())
        assert matcher.accept_token(VOCABULARY.index(character))
    return np.concatenate(seen)


@operation("tokenizer information")
def _() -> Step:
    return lambda: tokenizer().vocab_size


@operation("tokenizer information, stored and loaded")
def _() -> Step:
    info = tokenizer()

    def step() -> list[Any]:
        loaded = xgrammar.TokenizerInfo.deserialize_json(info.serialize_json())
        return [loaded.vocab_size, loaded.stop_token_ids]

    return step


@operation("tokenizer information: the decoded vocabulary")
def _() -> Step:
    info = tokenizer()
    return lambda: list(info.decoded_vocab)


@operation("grammar from EBNF")
def _() -> Step:
    return lambda: str(xgrammar.Grammar.from_ebnf(EBNF))


@operation("grammar from a JSON schema")
def _() -> Step:
    return lambda: str(xgrammar.Grammar.from_json_schema(SCHEMA))


@operation("grammar from a regular expression")
def _() -> Step:
    return lambda: str(xgrammar.Grammar.from_regex(r"(\d{3}-)?[a-z]+(@[a-z]{2,5}\.(com|org))?"))


@operation("union and concatenation of grammars")
def _() -> Step:
    first, second = xgrammar.Grammar.from_regex("[a-c]+"), xgrammar.Grammar.from_ebnf(EBNF)

    def step() -> list[str]:
        return [str(xgrammar.Grammar.union(first, second)), str(xgrammar.Grammar.concat(first, second))]

    return step


@operation("grammar, stored and loaded")
def _() -> Step:
    grammar = xgrammar.Grammar.from_json_schema(SCHEMA)
    return lambda: str(xgrammar.Grammar.deserialize_json(grammar.serialize_json()))


@operation("compile the JSON grammar")
def _() -> Step:
    made = compiler()
    return lambda: made.compile_builtin_json_grammar().serialize_json()


@operation("compile a JSON schema")
def _() -> Step:
    made = compiler()
    return lambda: made.compile_json_schema(SCHEMA).serialize_json()


@operation("compile a JSON schema, from the cache")
def _() -> Step:
    made = compiler(cached=True)
    return lambda: str(made.compile_json_schema(SCHEMA).grammar)


@operation("compile EBNF")
def _() -> Step:
    made = compiler()
    return lambda: made.compile_grammar(EBNF).serialize_json()


@operation("compile a regular expression")
def _() -> Step:
    made = compiler()
    return lambda: made.compile_regex("[a-z]+@[a-z]+").serialize_json()


@operation("compiled grammar, loaded")
def _() -> Step:
    info = tokenizer()
    text = compiler().compile_json_schema(SCHEMA).serialize_json()
    return lambda: str(xgrammar.CompiledGrammar.deserialize_json(text, info).grammar)


@operation("make a matcher")
def _() -> Step:
    compiled = compiler().compile_json_schema(SCHEMA)
    return lambda: matcher(compiled).is_terminated()


@operation("match a text")
def _() -> Step:
    used = matcher(compiler().compile_json_schema(SCHEMA))

    def step() -> list[bool]:
        used.reset()
        return [used.accept_string(TEXT), used.is_completed(), used.accept_token(1), used.is_terminated()]

    return step


@operation("match tokens, the mask before each")
def _() -> Step:
    used = matcher(compiler().compile_json_schema(SCHEMA))

    def step() -> np.ndarray:
        used.reset()
        return masks(used, TEXT)

    return step


@operation("match a wrong text")
def _() -> Step:
    used = matcher(compiler().compile_builtin_json_grammar())

    def step() -> list[bool]:
        used.reset()
        return [used.accept_string('{"a": [1, 2'), used.accept_string("}"), used.accept_string("]}")]

    return step


@operation("roll back")
def _() -> Step:
    used = matcher(compiler().compile_grammar(EBNF))

    def step() -> np.ndarray:
        used.reset()
        first = masks(used, "(1+2")
        used.rollback(3)
        return np.concatenate([first, masks(used, "7*8)")])

    return step


@operation("jump-forward string")
def _() -> Step:
    used = matcher(compiler().compile_json_schema(SCHEMA))

    def step() -> list[str]:
        used.reset()
        found = []
        for character in '{"name": "x"':
            found.append(used.find_jump_forward_string())
            used.accept_string(character)
        return found

    return step


@operation("fork a matcher")
def _() -> Step:
    used = matcher(compiler().compile_grammar(EBNF))
    used.accept_string("(1+")

    def step() -> list[bool]:
        fork = used.fork()
        return [fork.accept_string("2)"), fork.is_completed(), used.is_completed()]

    return step


@operation("tokens rejected by a mask")
def _() -> Step:
    used = matcher(compiler().compile_builtin_json_grammar())
    mask = xgrammar.allocate_token_bitmask(1, len(VOCABULARY))
    used.accept_string('{"a": ')
    used.fill_next_token_bitmask(mask)
    return lambda: testing._get_masked_tokens_from_bitmask(mask, len(VOCABULARY))


@operation("JSON schema to EBNF")
def _() -> Step:
    return lambda: testing._json_schema_to_ebnf(SCHEMA)


def message(fails: Callable[[], Any]) -> str:
    """The class and text of the error, without the time of day that xgrammar writes into it."""
    try:
        fails()
    except Exception as error:
        return re.sub(r"\[\d\d:\d\d:\d\d\]", "[TIME]", f"{type(error).__name__}: {error}")
    return "no error"


@operation("a wrong grammar's error")
def _() -> Step:
    return lambda: message(lambda: xgrammar.Grammar.from_ebnf("root ::= unknown"))


@operation("a wrong JSON schema's error")
def _() -> Step:
    return lambda: message(lambda: xgrammar.Grammar.from_json_schema('{"type": "no such type"}'))
