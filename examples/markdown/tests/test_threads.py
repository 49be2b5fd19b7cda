"""Go functions run without the GIL, so several threads run them at the same time."""

# Requirement: D8

import threading

import markdown
from markdown_helpers import live, walk


def test_many_threads_share_a_document(handbook_text):
    text = handbook_text[:20_000]
    shared = markdown.parse(text)
    expected = shared.text_content()
    first = shared.children[0]
    failures = []
    start = threading.Barrier(8)

    def work(number):
        try:
            start.wait()
            for _ in range(5):
                own = markdown.parse(text)
                assert own.text_content() == expected
                for a, b in zip(walk(own), walk(shared)):
                    assert type(a) is type(b)
                    assert markdown.echo(b) is b
                assert shared.children[0] is first
                assert markdown.apply(lambda n: n, first) is first
                first.__dict__[f"seen by {number}"] = True
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=1800)
        assert not thread.is_alive()
    assert failures == []
    assert sorted(vars(first)) == [f"seen by {n}" for n in range(8)]


def test_threads_leave_nothing_behind():
    def use():
        def work():
            doc = markdown.parse("# a\n\n- b\n")
            for node in walk(doc):
                markdown.apply(lambda n: n, node)

        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=1800)

    use()
    before = live()
    for _ in range(5):
        use()
    assert live() == before
