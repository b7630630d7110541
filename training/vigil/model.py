"""The network: a small fully convolutional heat map of strands, stride 8, with wide context."""

import torch
from torch import nn
from torch.nn import functional as F

STRIDE = 8


class Conv(nn.Sequential):
    """3x3 convolution, batch norm, ReLU."""

    def __init__(self, cin: int, cout: int, stride: int = 1):
        super().__init__(
            nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
        )


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, c: int):
        super().__init__()
        self.a = Conv(c, c)
        self.b = nn.Sequential(nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return F.relu(x + self.b(self.a(x)))


class Strands(nn.Module):
    """RGB in 0..1 to one map of logits at stride 8; detail from stride 8, context from 16 and 32."""

    def __init__(self, w: int = 16):
        super().__init__()
        self.stem = nn.Sequential(Conv(3, w, 2), Conv(w, 2 * w, 2), Conv(2 * w, 2 * w))
        self.s8 = nn.Sequential(Conv(2 * w, 4 * w, 2), Residual(4 * w))
        self.s16 = nn.Sequential(Conv(4 * w, 6 * w, 2), Residual(6 * w), Residual(6 * w))
        self.s32 = nn.Sequential(Conv(6 * w, 8 * w, 2), Residual(8 * w), Residual(8 * w))
        self.up32 = nn.Conv2d(8 * w, 6 * w, 1)
        self.up16 = nn.Conv2d(6 * w, 4 * w, 1)
        self.mix16 = Conv(6 * w, 6 * w)
        self.mix8 = Conv(4 * w, 4 * w)
        self.head = nn.Conv2d(4 * w, 1, 1)
        nn.init.constant_(self.head.bias, -2.0)

    def forward(self, x):
        c8 = self.s8(self.stem(x))
        c16 = self.s16(c8)
        c32 = self.s32(c16)
        p16 = self.mix16(c16 + F.interpolate(self.up32(c32), scale_factor=2.0, mode="nearest"))
        p8 = self.mix8(c8 + F.interpolate(self.up16(p16), scale_factor=2.0, mode="nearest"))
        return self.head(p8)
