package compress

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/selfsame-ffi/selfsame"
)

// sample returns the text that the figures are about: 1 MB of words, as in examples/speed.py.
func sample() []byte {
	var text bytes.Buffer
	for i := 0; text.Len() < 1<<20; i++ {
		text.WriteString("word ")
		text.WriteByte(byte('a' + i*i%26))
		text.WriteByte(byte('a' + i%17))
		text.WriteByte(' ')
	}
	return text.Bytes()[:1<<20]
}

func TestCodec(t *testing.T) {
	made, err := selfsame.NewObject("compress.Codec", 3)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Release()
	packed, err := selfsame.CallMethod(made, "compress", sample())
	if err != nil || len(packed.([]byte)) > 1<<18 {
		t.Fatalf("%T, error %v", packed, err)
	}
	back, err := selfsame.CallMethod(made, "decompress", packed)
	if err != nil || !bytes.Equal(back.([]byte), sample()) {
		t.Errorf("another text came back, error %v", err)
	}
	var failure *selfsame.Error
	_, err = selfsame.CallMethod(made, "decompress", []byte("no such data"))
	if !errors.As(err, &failure) || failure.Kind != "ValueError" || !errors.Is(err, zstd.ErrMagicMismatch) {
		t.Errorf("other data: got %v, want a ValueError", err)
	}
}

func TestStreams(t *testing.T) {
	var packed bytes.Buffer
	w, err := writer(&packed, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(sample()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := reader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	back, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(back, sample()) {
		t.Errorf("another text came back, error %v", err)
	}
}

func BenchmarkCompress(b *testing.B) {
	encoder, _ := zstd.NewWriter(nil)
	text := sample()
	for b.Loop() {
		encoder.EncodeAll(text, nil)
	}
}

func BenchmarkDecompress(b *testing.B) {
	encoder, _ := zstd.NewWriter(nil)
	decoder, _ := zstd.NewReader(nil)
	packed := encoder.EncodeAll(sample(), nil)
	for b.Loop() {
		if _, err := decoder.DecodeAll(packed, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSmall(b *testing.B) {
	encoder, _ := zstd.NewWriter(nil)
	text := sample()[:100]
	for b.Loop() {
		encoder.EncodeAll(text, nil)
	}
}
