"""The example compress, used from Python: `make examples-real` builds it."""

import io
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

compress = pytest.importorskip("compress", reason="run `make examples-real`, which builds the package")

TEXT = b"".join(b"%d bottles of %s, " % (n, name) for n in range(2000) for name in (b"beer", b"milk", b"tea"))


def test_bytes_come_back():
    small, fast = compress.Codec(level=19), compress.Codec(1)
    for codec in (small, fast, compress.Codec()):
        packed = codec.compress(TEXT)
        assert len(packed) < len(TEXT) / 5
        assert codec.decompress(packed) == TEXT
        assert codec.decompress(codec.compress(b"")) == b""
    assert small.compress(TEXT) != fast.compress(TEXT)


def test_wrong_data_is_refused():
    codec = compress.Codec()
    with pytest.raises(ValueError, match="magic"):
        codec.decompress(b"no such data")
    with pytest.raises(EOFError):
        codec.decompress(codec.compress(TEXT)[:-7])
    with pytest.raises(TypeError, match="compress"):
        codec.compress("text")


def test_threads_share_a_codec():
    codec = compress.Codec()
    texts = [bytes([n]) * 10_000 for n in range(64)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: codec.decompress(codec.compress(text)), texts)) == texts


def test_files_of_any_kind(tmp_path):
    (tmp_path / "text").write_bytes(TEXT * 20)
    with (tmp_path / "text").open("rb") as source, (tmp_path / "packed").open("wb") as target:
        with compress.writer(target, level=7) as packed:
            shutil.copyfileobj(source, packed)
    assert (tmp_path / "packed").stat().st_size < len(TEXT)
    with (tmp_path / "packed").open("rb") as source, compress.reader(source) as content:
        assert content.read(7) == TEXT[:7]
        assert content.read() == (TEXT * 20)[7:]
    memory = io.BytesIO()
    with io.TextIOWrapper(compress.writer(memory)) as lines:
        lines.writelines(f"line {n}\n" for n in range(1000))
    lines = io.TextIOWrapper(compress.reader(memory.getvalue()))
    assert [int(line.split()[1]) for line in lines] == list(range(1000))


def test_errors_of_the_file_reach_the_caller():
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(28, "no space left")

    with pytest.raises(OSError, match="no space left"):
        with compress.writer(Full()) as packed:
            packed.write(TEXT * 100)
    with pytest.raises(ValueError, match="magic"):
        compress.reader(b"no such data").read()


def test_a_codec_does_not_travel():
    import pickle

    with pytest.raises(TypeError, match="compress.Codec: objects cannot be pickled"):
        pickle.dumps(compress.Codec())
