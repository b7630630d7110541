"""The patch classifier: fixed Gabor energies of four scales and six directions, normalised by the contrast around,
fixed profile figures, what a pretrained backbone says (first_layer_deep), and a small learnt part on the grid of 16 px
that answers for each 32 px cell of a 256 px picture.

Energies alone are blind to gaps: dark between beads is as strong a wave whether it is a valley or the bare bed. What
tells them apart is another hue (shading keeps the ratio of the colours) and that narrow is darker, or brighter, than wide.

The fixed part is the same for every step of training, so its answers are kept and training costs little.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from .first_layer_beads import CLASSES

DIRECTIONS, SCALES, TAPS = 6, 4, 9
#: Channels of the Gabor half of the fixed part: mean and peak of each energy, contrast, colour and its spread, profile.
FEATURES = SCALES * DIRECTIONS * 2 + 1 + 3 + 2 + SCALES + 9
#: Channels of its pretrained half.
DEEP = 144 + 192 + 96


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
    """[n,3,256,256] in 0..1 to [n,67,16,16]; nothing in it is learnt."""

    def __init__(self):
        super().__init__()
        self.register_buffer("bank", gabors())
        self.register_buffer("grey", torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1))
        self.register_buffer("opponents", torch.tensor([[1.0, -1.0, 0.0], [-0.5, -0.5, 1.0]]).view(2, 3, 1, 1))

    def forward(self, x):
        level = F.conv2d(x, self.grey)
        means, peaks, lopsided = [], [], []
        for scale in range(SCALES):
            # Every other place of the finest energies is enough: they are smooth.
            step = 2 if scale == 0 else 1
            waves = F.conv2d(level, self.bank, stride=step, padding=TAPS // 2)
            energy = torch.sqrt(waves[:, :DIRECTIONS] ** 2 + waves[:, DIRECTIONS:] ** 2 + 1e-8)
            size = (16 >> scale) // step
            even = waves[:, :DIRECTIONS]
            signed = F.avg_pool2d((even * even.abs()).sum(1, keepdim=True), size)
            lopsided.append(signed / (F.avg_pool2d((even * even).sum(1, keepdim=True), size) + 1e-6))
            means.append(F.avg_pool2d(energy, size))
            peaks.append(F.max_pool2d(energy, size))
            level = F.avg_pool2d(level, 2)
        contrast = F.avg_pool2d(torch.cat(means, 1).sum(1, keepdim=True), 5, 1, 2, count_include_pad=False) + 0.02
        waves = torch.sqrt(torch.cat(means + peaks, 1) / contrast)
        colour = F.avg_pool2d(x, 16)
        chroma = F.conv2d(x, self.opponents)
        spread = torch.sqrt(F.relu(F.avg_pool2d(chroma**2, 16) - F.avg_pool2d(chroma, 16) ** 2) + 1e-6)
        return torch.cat([waves, torch.log(contrast), colour, spread, *lopsided, self.profile(F.avg_pool2d(x, 2))], 1)

    def profile(self, x):
        """[n,9,16,16] of the picture at half its size: how grey levels lie around their mean (skewness, relative
        spread) and how far colours part from mere shading, of each cell and of the nine around it."""
        level = F.conv2d(x, self.grey)
        ratio = F.conv2d(x, self.opponents) / (level + 0.08)
        squared = level * level
        moments = F.avg_pool2d(torch.cat([level, squared, squared * level, ratio, ratio * ratio], 1), 8)
        found = []
        for m in (moments, F.avg_pool2d(moments, 3, 1, 1, count_include_pad=False)):
            mean, second, third, hue, hues = m[:, :1], m[:, 1:2], m[:, 2:3], m[:, 3:5], m[:, 5:7]
            spread = torch.sqrt(F.relu(second - mean * mean) + 1e-5)
            skew = (third - 3 * mean * second + 2 * mean * mean * mean) / (spread * spread * spread)
            found += [torch.clamp(skew, -3, 3), spread / (mean + 0.08), torch.sqrt(F.relu(hues - hue * hue) + 1e-5)]
        high = F.max_pool2d(level, 8) - moments[:, :1]
        low = moments[:, :1] + F.max_pool2d(-level, 8)
        return torch.cat([*found, (high - low) / (high + low + 0.02)], 1)


class Residual(nn.Module):
    """Two convolutions beside the identity."""

    def __init__(self, c):
        super().__init__()
        self.a, self.an = nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c)
        self.b, self.bn = nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c)

    def forward(self, x):
        return F.relu(x + self.bn(self.b(F.relu(self.an(self.a(x))))))


def block(wide, c, kernel=1, stride=1):
    """A convolution with its norm."""
    return [nn.Conv2d(wide, c, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(c), nn.ReLU()]


class Head(nn.Module):
    """[n,499,16,16] to logits [n,7,8,8] in the order of `CLASSES`.

    Issues are told by all of the fixed part, whether it is a nozzle camera by its Gabor half alone: renders can't teach the
    pretrained half what real nozzle pictures look like, and it tells renders from photos too well.
    """

    def __init__(self):
        super().__init__()
        self.issues = nn.Sequential(
            nn.BatchNorm2d(FEATURES + DEEP, affine=False), nn.Dropout2d(0.1), *block(FEATURES + DEEP, 64), *block(64, 64, 3),
            *block(64, 64, 3, 2), Residual(64), nn.Dropout2d(0.15), nn.Conv2d(64, len(CLASSES) - 1, 1))
        self.strange = nn.Sequential(
            nn.BatchNorm2d(FEATURES, affine=False), *block(FEATURES, 32), *block(32, 32, 3, 2), Residual(32), nn.Dropout2d(0.15),
            nn.Conv2d(32, 1, 1))

    def forward(self, x):
        return torch.cat([F.log_softmax(self.issues(x), 1), self.strange(x[:, :FEATURES])], 1)


class Patches(nn.Module):
    """The Gabor half and the learnt part, the mean of some heads: [n,3,256,256] in 0..1 and what the pretrained half says
    [n,432,16,16] to [n,7,8,8]."""

    def __init__(self, heads):
        super().__init__()
        self.front, self.heads = Front(), nn.ModuleList(heads)

    def forward(self, x, deep):
        x = torch.cat([self.front(x), deep], 1)
        mean = torch.stack([head(x) for head in self.heads]).mean(0)
        last = len(CLASSES) - 1
        return torch.cat([F.log_softmax(mean[:, :last], 1), mean[:, last:]], 1)
