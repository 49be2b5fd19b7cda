"""The same server in Python, with FastAPI under uvicorn: python serve.py MODEL ADDRESS"""

import socket
import sys

import joblib
import numpy as np
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

model = joblib.load(sys.argv[1])
app = FastAPI()


class Question(BaseModel):
    rows: list[list[float]]


@app.post("/predict")
async def predict(question: Question) -> dict[str, list[list[float]]]:
    return {"probabilities": model.predict_proba(np.array(question.rows)).tolist()}


host, port = sys.argv[2].split(":")
# asyncio sends answers at once, without Nagle's algorithm, where the socket's protocol is named.
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listener.bind((host, int(port)))
listener.listen()
print("{}:{}".format(*listener.getsockname()), flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
