"""Iterators and channels of Go in asyncio code."""

# Requirement: D10

import asyncio
import threading

import pytest
from waiting import wait_until


def test_async_loops_get_the_elements_in_order(go):
    async def main():
        numbers = [x async for x in go.counting(2000)]
        pairs = [pair async for pair in go.items({"b": 2, "a": 1})]
        sent = [text async for text in go.ticks(3)]
        lazy = []
        async for x in go.counting_lazily(5):
            lazy.append(x)
        return numbers, pairs, sent, lazy

    numbers, pairs, sent, lazy = asyncio.run(main())
    assert numbers == list(range(2000))
    assert pairs == [("a", 1), ("b", 2)]
    assert sent == ["tick 0", "tick 1", "tick 2"]
    assert lazy == list(range(5))


def test_other_tasks_run_while_an_async_loop_waits(go):
    async def main():
        other = asyncio.create_task(asyncio.sleep(0, "ran"))
        async for x in go.ticking_on():
            if other.done() and x > 10:
                break
            await asyncio.sleep(0)
        return await other

    assert asyncio.run(main()) == "ran"
    wait_until(lambda: go.contexts_open() == 0, "the loop of an iterator that was left goes on")


def test_errors_of_the_loop_are_raised_in_place(go):
    async def main():
        got = []
        with pytest.raises(KeyError, match="no more"):
            async for x in go.failing():
                got.append(x)
        return got

    assert asyncio.run(main()) == [1]


def test_no_element_is_lost_when_a_task_is_cancelled(go):
    async def main():
        sent, go_on = go.ticks_when_told()
        waiting = asyncio.create_task(anext_of(sent))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        threading.Thread(target=lambda: [go_on() for _ in range(3)]).start()
        got = [await anext_of(sent) for _ in range(3)]
        sent.close()
        return got

    async def anext_of(iterator):
        return await iterator.__anext__()

    assert asyncio.run(main()) == [0, 1, 2]


def test_tasks_share_an_iterator(go):
    async def main():
        numbers, taken = go.counting(1000), []

        async def take():
            async for x in numbers:
                taken.append(x)

        await asyncio.gather(take(), take(), take())
        return taken

    assert sorted(asyncio.run(main())) == list(range(1000))
