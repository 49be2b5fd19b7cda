package main

import (
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
)

// hosted is the pipeline in the Python of this process. The rows and the probabilities cross without a copy.
type hosted struct {
	pipeline *python.Object
	columns  int
}

func startPython(program string, path []string, file string) (*hosted, error) {
	py, err := python.Start(python.Executable(program), python.Path(path...))
	if err != nil {
		return nil, err
	}
	joblib, err := py.Import("joblib")
	if err != nil {
		return nil, err
	}
	pipeline, err := joblib.CallMethod("load", file)
	if err != nil {
		return nil, err
	}
	columns, err := python.As[int](pipeline.Attr("n_features_in_"))
	return &hosted{pipeline, columns}, err
}

func (h *hosted) features() int { return h.columns }

func (h *hosted) predict(rows []float64, features int) ([][]float64, error) {
	array, err := python.NumPy(rows, len(rows)/features, features)
	if err != nil {
		return nil, err
	}
	defer array.Release()
	tensor, err := python.As[*selfsame.Tensor](h.pipeline.CallMethod("predict_proba", array))
	if err != nil {
		return nil, err
	}
	flat, err := selfsame.Elements[float64](tensor)
	if err != nil {
		return nil, err
	}
	result := make([][]float64, len(rows)/features)
	classes := len(flat) / len(result)
	for i := range result {
		result[i] = append([]float64{}, flat[i*classes:(i+1)*classes]...)
	}
	tensor.Release()
	return result, nil
}
