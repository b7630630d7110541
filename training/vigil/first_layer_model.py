"""The patch classifier: fixed Gabor energies of four scales and six directions, normalised by the contrast around,
and a small learnt part on the grid of 16 px that answers for each 32 px cell of a 256 px picture.

The fixed part is the same for every step of training, so its answers are kept and training costs little.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from .first_layer_render import CLASSES

DIRECTIONS, SCALES, TAPS = 6, 4, 9
#: Channels of the fixed part: mean and peak of each energy, contrast, colour and its spread.
FEATURES = SCALES * DIRECTIONS * 2 + 1 + 3 + 2


def gabors():
    """[12,1,9,9]: even and odd waves of about 4.5 px in six directions, without a mean."""
    at = torch.arange(TAPS) - (TAPS - 1) / 2
    y, x = torch.meshgrid(at, at, indexing="ij")
    out = []
    for phase in (0.0, math.pi / 2):
        for i in range(DIRECTIONS):
            a = math.pi * i / DIRECTIONS
            along = x * math.cos(a) + y * math.sin(a)
            wave = torch.exp(-(x**2 + y**2) / (2 * 1.9**2))
            g = wave * torch.cos(2 * math.pi * along / 4.5 - phase)
            g = g - wave * (g.sum() / wave.sum())
            out.append(g / g.abs().sum())
    return torch.stack(out)[:, None]


class Front(nn.Module):
    """[n,3,256,256] in 0..1 to [n,54,16,16]; nothing in it is learnt."""

    def __init__(self):
        super().__init__()
        self.register_buffer("bank", gabors())
        self.register_buffer("grey", torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1))
        self.register_buffer("opponents", torch.tensor([[1.0, -1.0, 0.0], [-0.5, -0.5, 1.0]]).view(2, 3, 1, 1))

    def forward(self, x):
        level = F.conv2d(x, self.grey)
        means, peaks = [], []
        for scale in range(SCALES):
            # Every other place of the finest energies is enough: they are smooth.
            step = 2 if scale == 0 else 1
            waves = F.conv2d(level, self.bank, stride=step, padding=TAPS // 2)
            energy = torch.sqrt(waves[:, :DIRECTIONS] ** 2 + waves[:, DIRECTIONS:] ** 2 + 1e-8)
            size = (16 >> scale) // step
            means.append(F.avg_pool2d(energy, size))
            peaks.append(F.max_pool2d(energy, size))
            level = F.avg_pool2d(level, 2)
        contrast = F.avg_pool2d(torch.cat(means, 1).sum(1, keepdim=True), 5, 1, 2, count_include_pad=False) + 0.02
        waves = torch.sqrt(torch.cat(means + peaks, 1) / contrast)
        colour = F.avg_pool2d(x, 16)
        chroma = F.conv2d(x, self.opponents)
        spread = torch.sqrt(F.relu(F.avg_pool2d(chroma**2, 16) - F.avg_pool2d(chroma, 16) ** 2) + 1e-6)
        return torch.cat([waves, torch.log(contrast), colour, spread], 1)


class Residual(nn.Module):
    """Two convolutions beside the identity."""

    def __init__(self, c):
        super().__init__()
        self.a, self.an = nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c)
        self.b, self.bn = nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c)

    def forward(self, x):
        return F.relu(x + self.bn(self.b(F.relu(self.an(self.a(x))))))


class Head(nn.Module):
    """[n,54,16,16] to logits [n,7,8,8] in the order of `CLASSES`."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm2d(FEATURES), nn.Conv2d(FEATURES, 44, 1, bias=False), nn.BatchNorm2d(44), nn.ReLU(),
            Residual(44), nn.Conv2d(44, 64, 3, 2, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), Residual(64))
        self.out = nn.Sequential(nn.Dropout2d(0.15), nn.Conv2d(64, len(CLASSES), 1))

    def forward(self, x):
        return self.out(self.body(x))


class Patches(nn.Module):
    """Both parts: [n,3,256,256] in 0..1 to [n,7,8,8]."""

    def __init__(self, head):
        super().__init__()
        self.front, self.head = Front(), head

    def forward(self, x):
        return self.head(self.front(x))
