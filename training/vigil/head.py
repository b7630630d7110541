"""A head of ours on a backbone's maps: one hidden layer on some of the strides 8, 16 and 32, in torch and in ONNX."""

import torch
from torch import nn
from torch.nn import functional as F

from .pretrained import Builder

#: Share of the hidden units that are left out of a frame in training.
DROP = 0.15


class Head(nn.Module):
    """Maps by stride to logits [B,1,h,w] at stride 8. What it takes is brought to mean 0 and deviation 1 a channel by its weights."""

    def __init__(self, widths: dict, hidden: int = 64):
        """`widths`: channels by stride, of every stride that is used."""
        super().__init__()
        self.strides, self.hidden = tuple(widths), hidden
        for s, width in widths.items():
            self.register_buffer(f"mean{s}", torch.zeros(width))
            self.register_buffer(f"deviation{s}", torch.ones(width))
            self.register_parameter(f"w{s}", nn.Parameter(torch.randn(hidden, width) * (2 / width) ** 0.5 * 0.6))
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.out = nn.Parameter(torch.randn(1, hidden) * (1 / hidden) ** 0.5)
        self.level = nn.Parameter(torch.full((1,), -2.0))
        #: From the mean of a frame's hottest cells to the log-odds that it fails: for the loss alone.
        self.scale = nn.Linear(1, 1)
        nn.init.constant_(self.scale.weight, 1.0)
        nn.init.constant_(self.scale.bias, 1.0)

    def size(self, maps: dict) -> None:
        """Take mean and deviation of every channel from these maps."""
        for s in self.strides:
            deviation = maps[s].float().std((0, 2, 3))
            getattr(self, f"mean{s}").copy_(maps[s].float().mean((0, 2, 3)))
            getattr(self, f"deviation{s}").copy_(deviation + 0.1 * deviation.mean())

    def plain(self, stride: int):
        """(weights, bias) of a stride for maps as they come."""
        w = getattr(self, f"w{stride}") / getattr(self, f"deviation{stride}")
        b = -(w @ getattr(self, f"mean{stride}"))
        return w, b + self.bias if stride == 8 else b

    def forward(self, maps: dict) -> torch.Tensor:
        total = None
        for s in self.strides:
            w, b = self.plain(s)
            y = F.conv2d(maps[s], w[:, :, None, None], b)
            y = y if s == 8 else F.interpolate(y, scale_factor=s // 8, mode="nearest")
            total = y if total is None else total + y
        y = F.relu(total)
        if self.training:
            y = y * (torch.rand(len(y), self.hidden, 1, 1, device=y.device) > DROP).float() / (1 - DROP)
        return F.conv2d(y, self.out[:, :, None, None], self.level)

    def build(self, b: Builder, taps: list, own: str) -> str:
        """The same as nodes named `own`; returns its map of logits."""
        total = None
        for tap, s in zip(taps, self.strides):
            w, bias = (v.detach().numpy() for v in self.plain(s))
            y = b.add("Conv", [tap, b.weight(f"{own}.w{s}", w[:, :, None, None]), b.weight(f"{own}.b{s}", bias)], f"{own}.y{s}")
            if s != 8:
                scales = b.weight(f"{own}.times{s}", [1, 1, s // 8, s // 8])
                y = b.add("Resize", [y, "", scales], f"{own}.up{s}", mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
            total = y if total is None else b.add("Add", [total, y], f"{own}.sum{s}")
        hot = b.add("Relu", [total], f"{own}.hidden")
        out, level = self.out.detach().numpy()[:, :, None, None], self.level.detach().numpy()
        return b.add("Conv", [hot, b.weight(f"{own}.out", out), b.weight(f"{own}.level", level)], own)
