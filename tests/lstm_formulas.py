"""LSTM blocks and networks of them by the printed formulas, in float64."""

import numpy as np

from agents.players.networks.lstm_blocks import count_block_weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def plain_block(weights, inputs, cells, outputs):
    """One time step by the printed formulas (Li 2018, 3.3.1), in float64."""
    n, c = len(inputs), len(cells)
    weights = weights.astype(np.float64)
    links = weights[: (n + c) * 4 * c].reshape(n + c, 4 * c)
    biases, peepholes = np.split(weights[(n + c) * 4 * c :], [4 * c])
    sums = np.concatenate([inputs, outputs]) @ links + biases
    z, i, f, o = sums.reshape(4, c)
    p_i, p_f, p_o = peepholes.reshape(3, c)
    after = sigmoid(i + p_i * cells) * np.tanh(z) + sigmoid(f + p_f * cells) * cells
    return after, sigmoid(o + p_o * after) * np.tanh(after)


class PlainNetwork:
    """Blocks below a hidden layer and outputs.

    The genes are those of the blocks, of the hidden layer, of the outputs, and the first cells.
    ``n_beside`` inputs are seen by the hidden layer alone.
    """

    def __init__(self, genes, n_inputs, cells, hidden, n_answers=1, n_beside=0):
        lengths = [count_block_weights(n_inputs, size) for size in cells]
        *self.blocks, rest = np.split(genes.astype(np.float64), np.cumsum(lengths))
        layers = (sum(cells) + n_beside + 1, hidden), (hidden + 1, n_answers)
        *links, first = np.split(rest, np.cumsum([rows * columns for rows, columns in layers]))
        self.to_hidden, self.to_answers = map(np.reshape, links, layers)
        self.first = np.split(first, np.cumsum(cells)[:-1])
        self.state = self.fresh(self.first)

    @staticmethod
    def fresh(cells):
        """The state of blocks that have seen nothing."""
        return [(cell, np.zeros(len(cell))) for cell in cells]

    def after(self, state, inputs):
        steps = zip(self.blocks, state, strict=True)
        return [plain_block(block, np.array(inputs), *one) for block, one in steps]

    def see(self, inputs):
        self.state = self.after(self.state, inputs)

    def answers(self, state, *beside):
        seen = np.concatenate([*(outputs for _, outputs in state), beside, [1.0]])
        return np.append(np.tanh(seen @ self.to_hidden), 1.0) @ self.to_answers
