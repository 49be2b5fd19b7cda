"""Answers over a pipe, for the option -pipe: the number of features, then probabilities for each line of rows."""

import json
import sys

import joblib
import numpy as np

model = joblib.load(sys.argv[1])
print(model.n_features_in_, flush=True)
for line in sys.stdin:
    print(json.dumps(model.predict_proba(np.array(json.loads(line))).tolist()), flush=True)
