// Package compress is Zstandard for Python: of bytes, and of files of any size.
package compress

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/selfsame-ffi/selfsame"
)

type codec struct {
	selfsame.Object
	encoder selfsame.Value[*zstd.Encoder]
	decoder selfsame.Value[*zstd.Decoder]
}

func (c *codec) open(level int) error {
	encoder, failed := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)))
	decoder, err := zstd.NewReader(nil)
	c.encoder.Set(encoder)
	c.decoder.Set(decoder)
	return errors.Join(failed, err)
}

// writer returns a file: what is written to it arrives compressed in another one. It must be closed.
func writer(to io.Writer, level int) (io.WriteCloser, error) {
	return zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)))
}

// reader returns a file with the decompressed content of another one.
func reader(from io.Reader) (io.ReadCloser, error) {
	decoder, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1))
	return decoder.IOReadCloser(), err
}

func init() {
	selfsame.MustRegister[codec]("compress.Codec", selfsame.Doc("Compresses and decompresses bytes. Threads may share it."),
		selfsame.Init((*codec).open, "level=3"),
		selfsame.Method("compress", func(c *codec, data []byte) []byte { return c.encoder.Get().EncodeAll(data, nil) }, "", "data"),
		selfsame.Method("decompress", func(c *codec, data []byte) ([]byte, error) { return c.decoder.Get().DecodeAll(data, nil) },
			"What was compressed. ValueError for other data.", "data"),
		selfsame.OnDrop(func(c *codec) { c.decoder.Get().Close() }))
	selfsame.MustRegisterFunc("compress.writer", writer, selfsame.ArgNames("target", "level=3"))
	selfsame.MustRegisterFunc("compress.reader", reader, selfsame.ArgNames("source"))
	selfsame.MustRegisterErrorKind(zstd.ErrMagicMismatch, "ValueError")
}
