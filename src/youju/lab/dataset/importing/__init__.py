"""Question sets of other layouts and rated questions of the log → cases that nobody has reviewed yet."""

from youju.lab.dataset.importing.imported import Imported
from youju.lab.dataset.importing.log import feedback, rated
from youju.lab.dataset.importing.ragas import ragas
from youju.lab.dataset.importing.squad import squad

__all__ = ["Imported", "feedback", "ragas", "rated", "squad"]
