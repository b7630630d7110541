"""The patch classifier: a small residual network that answers for each 32 px cell of a 256 px picture.

All of it is learnt, from the edges up: that beads touch or leave the bed bare shows in the profile across them
(abrupt to another colour, or shaded), which energies of fixed filters do not tell apart.
"""

import torch
from torch import nn
from torch.nn import functional as F

from .first_layer_beads import CLASSES

#: Channels at 128, 64, 32, 16 and 8 cells a side.
WIDTHS = (16, 32, 48, 64, 96)


def halved(c, d, kernel=3):
    """A convolution to half the size."""
    return [nn.Conv2d(c, d, kernel, 2, kernel // 2, bias=False), nn.BatchNorm2d(d), nn.ReLU()]


class Residual(nn.Module):
    """Two convolutions beside the identity."""

    def __init__(self, c):
        super().__init__()
        self.a, self.an = nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c)
        self.b, self.bn = nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c)

    def forward(self, x):
        return F.relu(x + self.bn(self.b(F.relu(self.an(self.a(x))))))


class Patches(nn.Module):
    """[n,3,256,256] in 0..1 to logits [n,7,8,8] in the order of `CLASSES`."""

    def __init__(self):
        super().__init__()
        a, b, c, d, e = WIDTHS
        self.register_buffer("grey", torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1))
        self.body = nn.Sequential(
            *halved(4, a, 5), *halved(a, b), *halved(b, c), Residual(c), *halved(c, d), Residual(d), *halved(d, e), Residual(e))
        self.out = nn.Sequential(nn.Dropout2d(0.1), nn.Conv2d(e, len(CLASSES), 1))

    def forward(self, x):
        """Colours are taken relative to the brightness around (some 50 px), which goes in beside them: dark corners
        and lamps count for little."""
        around = F.avg_pool2d(F.avg_pool2d(F.conv2d(x, self.grey), 16), 3, 1, 1, count_include_pad=False)
        around = F.interpolate(around, scale_factor=16, mode="bilinear", align_corners=False)
        return self.out(self.body(torch.cat([x / (around + 0.08) - 1, around - 0.5], 1)))
