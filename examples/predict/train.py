"""Trains a pipeline on the pictures of digits that come with scikit-learn, and writes it with rows to ask about.

Usage: python train.py FOLDER      writes model.joblib and rows.json there
"""

import json
import sys
from pathlib import Path

import joblib
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

folder = Path(sys.argv[1])
digits = load_digits()
pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(
    digits.data[:1500], digits.target[:1500]
)
joblib.dump(pipeline, folder / "model.joblib")
(folder / "rows.json").write_text(json.dumps(digits.data[1500:].tolist()))
print(f"accuracy {pipeline.score(digits.data[1500:], digits.target[1500:]):.3f}")
