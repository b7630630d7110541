"""The network: a small fully convolutional heat map of strands, stride 8, with wide context."""

import math

import torch
from torch import nn
from torch.nn import functional as F

STRIDE = 8


class Conv(nn.Sequential):
    """Convolution (3x3 unless told), batch norm, ReLU."""

    def __init__(self, cin: int, cout: int, stride: int = 1, size: int = 3):
        super().__init__(
            nn.Conv2d(cin, cout, size, stride, size // 2, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
        )


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, c: int):
        super().__init__()
        self.a = Conv(c, c)
        self.b = nn.Sequential(nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return F.relu(x + self.b(self.a(x)))


class Bank(nn.Module):
    """Fixed texture energies at stride 4: Gabor pairs in six directions at wavelengths 3, 6 and 12 px.

    Nothing here is learnt, so no gradient runs through the costly high resolutions, and strands,
    which are crossing lines at a few pixels' width, stand out before the first training step.
    """

    def __init__(self):
        super().__init__()
        self.register_buffer("fine", self.pairs(7, 3.2, 1.6))
        self.register_buffer("wide", self.pairs(11, 6.0, 2.8))
        self.register_buffer("grey", torch.tensor([0.3, 0.5, 0.2]).view(1, 3, 1, 1))

    @staticmethod
    def pairs(size, wave, sigma, directions=6):
        """[2 * directions, 1, size, size]: even filters, then odd ones; none answers to flat grey."""
        r = torch.arange(size) - size // 2
        y, x = torch.meshgrid(r.float(), r.float(), indexing="ij")
        window = torch.exp(-(x**2 + y**2) / (2 * sigma**2))
        even, odd = [], []
        for d in range(directions):
            a = math.pi * d / directions
            phase = 2 * math.pi / wave * (x * math.cos(a) + y * math.sin(a))
            for out, f in ((even, torch.cos(phase) * window), (odd, torch.sin(phase) * window)):
                f = f - window * (f.sum() / window.sum())
                out.append(f / f.abs().sum())
        return torch.stack(even + odd)[:, None]

    @staticmethod
    def energy(y, filters, size):
        """Strength in each direction, whatever the phase, at half the resolution."""
        even, odd = F.conv2d(y, filters, stride=2, padding=size // 2).split(6, 1)
        return torch.sqrt(even * even + odd * odd + 1e-6)

    def forward(self, x):
        y = F.conv2d(x, self.grey)
        e = [F.avg_pool2d(self.energy(y, f, n), 2) for f, n in ((self.fine, 7), (self.wide, 11))]
        e.append(self.energy(F.avg_pool2d(y, 2), self.wide, 11))
        return torch.cat([torch.log(torch.cat(e, 1) + 0.004) * 0.7 + 2.5, F.avg_pool2d(x, 4) * 2 - 1], 1)


class Strands(nn.Module):
    """RGB in 0..1 to one map of logits at stride 8: fixed and learnt texture, with context from strides 16 and 32."""

    def __init__(self, own: int = 16, c8: int = 64, c16: int = 96, c32: int = 128):
        super().__init__()
        self.bank = Bank()
        self.own = Conv(3, own, 4, 7)
        self.s8 = nn.Sequential(Conv(21 + own, c8, 2), Residual(c8))
        self.s16 = nn.Sequential(Conv(c8, c16, 2), Residual(c16))
        self.s32 = nn.Sequential(Conv(c16, c32, 2), Residual(c32), Residual(c32), nn.Conv2d(c32, c16, 1))
        self.mix16 = Conv(c16, c16)
        self.up16 = nn.Conv2d(c16, c8, 1)
        self.mix8 = Conv(c8, c8)
        self.head = nn.Sequential(nn.Dropout2d(0.1), nn.Conv2d(c8, 1, 1))
        nn.init.constant_(self.head[1].bias, -2.0)

    def forward(self, x):
        with torch.no_grad():
            fixed = self.bank(x)
        c8 = self.s8(torch.cat([fixed, self.own(x)], 1))
        c16 = self.s16(c8)
        c16 = self.mix16(c16 + F.interpolate(self.s32(c16), scale_factor=2.0, mode="nearest"))
        return self.head(self.mix8(c8 + F.interpolate(self.up16(c16), scale_factor=2.0, mode="nearest")))
