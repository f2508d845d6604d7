"""The parts of the built-in embedder: weights, tokens, graph, engines."""
