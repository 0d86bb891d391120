"""The model itself, and an honest day."""

from __future__ import annotations

import numpy as np


class Hostile:
    """A model whose rows say what it should do."""

    classes_ = np.array(["no", "yes"])

    def predict(self, frame):
        act, where = frame["act"].iloc[0], frame["where"].iloc[0]
        return globals()[act](frame, where)

    def predict_proba(self, frame):
        return self.predict(frame)


def honest(frame, where):
    return np.array(["yes"] * len(frame))
