"""The Python side of docs/from-pybind11.md: the classes and functions of bank.cc."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import selfsame_ffi

selfsame_ffi.load_module(Path(__file__).parent / "build" / "bank.so")


@selfsame_ffi.register_error("bank.Overdrawn")
class Overdrawn(ValueError):
    """An account has less than it should give."""


@selfsame_ffi.register_object("bank.Account")
class Account(selfsame_ffi.Object):
    """An account of one owner."""

    __slots__ = ()

    def __init__(self, owner: str, balance: float = 0.0) -> None:
        self.__ffi_init__(owner, balance)

    def __repr__(self) -> str:
        return f"<{self.owner}: {self.balance:.2f}>"


@selfsame_ffi.register_object("bank.Savings")
class Savings(Account):
    """An account that earns interest."""

    __slots__ = ()

    def __init__(self, owner: str, balance: float, rate: float) -> None:
        self.__ffi_init__(owner, balance, rate)


@selfsame_ffi.register_object("bank.Bank")
class Bank(selfsame_ffi.Object):
    """Accounts, and a function that hears of each transfer. Objects may have attributes of their own."""

    def __init__(self, on_transfer: Callable[[Account, Account, float], None] | None = None) -> None:
        self.__ffi_init__(on_transfer)


selfsame_ffi.init_ffi_api("bank", __name__)
