"""What a webcam does to a scene: exposure, colour, lens, motion, noise, compression, and words laid on top."""

import cv2
import numpy as np

_NOISE = np.random.default_rng(11).standard_normal((640, 640, 3), np.float32)


class Webcam:
    """One camera; its ways stay the same for a whole print. Pictures are RGB uint8 in, RGB uint8 out."""

    def __init__(self, rng, w, h):
        self.size = (w, h)
        self.target = rng.uniform(70, 150) if rng.random() < 0.88 else rng.choice([30, 185])
        self.auto = rng.uniform(0.3, 0.9)
        self.gamma = float(np.exp(rng.normal(0, 0.2)))
        self.contrast = rng.uniform(0.75, 1.35)
        self.black = rng.uniform(-14, 18)
        self.sat = rng.uniform(0.45, 1.35)
        self.tint = np.exp(rng.normal(0, 0.07, 3))
        r = rng.random()
        self.grey = r < 0.11
        self.purple = 0.11 < r < 0.17
        self.fish = float(rng.uniform(0.06, 0.42) * rng.choice([1, -0.5, -0.5])) if rng.random() < 0.35 else 0
        self.vignette = rng.uniform(0, 0.55) * (rng.random() < 0.6)
        self.spot = rng.uniform(0, 1, 2)
        self.bloom = rng.uniform(0.1, 0.6) * (rng.random() < 0.4)
        self.soft = rng.uniform(0, 0.9) if rng.random() < 0.8 else rng.uniform(0.9, 2)
        self.sharp = rng.uniform(0.3, 1.8) * (rng.random() < 0.5)
        self.noise = float(np.exp(rng.uniform(np.log(0.4), np.log(7))))
        self.chroma = rng.random() < 0.6
        self.quality = int(rng.integers(28, 93))
        self.small = rng.uniform(0.45, 0.85) if rng.random() < 0.22 else 1
        self.haze = rng.uniform(0.1, 0.4) if rng.random() < 0.12 else 0
        self.stamp = rng.random() < 0.06
        self.gain = None
        self.map = self._lens()
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        far = np.hypot(xx / w - self.spot[0], yy / h - self.spot[1])
        edge = np.hypot(xx / w - 0.5, yy / h - 0.5)
        self.fall = ((1.12 - self.vignette * far) * (1 - (0.7 if self.grey else 0.25) * edge**2)).astype(np.float32)

    def _lens(self):
        if not self.fish:
            return None
        w, h = self.size
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        x, y = (xx - w / 2) / (w / 2), (yy - h / 2) / (w / 2)
        r = x * x + y * y
        k = (1 + self.fish * r) / (1 + abs(self.fish) * 0.25)
        return ((x * k + 1) * w / 2).astype(np.float32), (y * k * w / 2 + h / 2).astype(np.float32)

    def take(self, img, mask, rng, dark=1.0, motion=0.0):
        """(picture, mask) as this camera gives them; `dark` is the light left, `motion` a blur in pixels."""
        if self.map is not None:
            img = cv2.remap(img, *self.map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            mask = cv2.remap(mask, *self.map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        if motion > 1.5:
            n = int(motion)
            k = np.zeros((n, n), np.float32)
            a = rng.uniform(0, np.pi)
            c = (n - 1) / 2
            cv2.line(k, (int(c - c * np.cos(a)), int(c - c * np.sin(a))), (int(c + c * np.cos(a)), int(c + c * np.sin(a))), 1.0, 1)
            img = cv2.filter2D(img, -1, k / k.sum())
        x = img.astype(np.float32) * self.fall[..., None]
        mean = float(x[::4, ::4].mean()) + 1
        want = (self.target / mean) ** self.auto
        self.gain = want if self.gain is None else 0.7 * self.gain + 0.3 * want
        x *= np.float32(np.clip(self.gain, 0.3, 4) * dark)
        if self.bloom or self.haze:
            glow = cv2.GaussianBlur(np.maximum(cv2.resize(x, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA) - 170, 0), (0, 0), 5)
            x = x * np.float32(1 - self.haze) + cv2.resize(glow, self.size) * np.float32(self.bloom) + np.float32(self.haze * 150 * dark)
        x = self._colours(x)
        x = self._optics(x)
        x = self._sensor(x.astype(np.float32), rng, dark)
        out = np.clip(x, 0, 255).astype(np.uint8)
        if self.stamp:
            self._write(out, rng)
        data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
        return cv2.imdecode(data, cv2.IMREAD_COLOR), mask

    def _colours(self, x):
        """White balance and saturation as one matrix, then the camera's curve by table."""
        luma = np.tile([0.3, 0.59, 0.11], (3, 1))
        m = luma if self.grey else (luma + (np.eye(3) - luma) * self.sat) * self.tint[:, None]
        if self.purple and not self.grey:
            m = np.c_[m * np.array([1.08, 0.82, 1.2])[:, None], [14, 4, 22]]
        x = cv2.transform(x, m.astype(np.float32))
        curve = 255 * (np.arange(256) / 255.0) ** self.gamma
        curve = (curve - 110) * self.contrast + 110 + self.black
        return cv2.LUT(np.clip(x, 0, 255).astype(np.uint8), curve.astype(np.float32))

    def _optics(self, x):
        if self.small < 1:
            w, h = self.size
            x = cv2.resize(cv2.resize(x, (int(w * self.small), int(h * self.small)), interpolation=cv2.INTER_AREA), (w, h), interpolation=cv2.INTER_CUBIC)
        if self.soft > 0.3:
            x = cv2.GaussianBlur(x, (0, 0), self.soft)
        if self.sharp:
            x = x + self.sharp * (x - cv2.GaussianBlur(x, (0, 0), 1.2))
        return x

    def _sensor(self, x, rng, dark):
        w, h = self.size
        i, j = rng.integers(0, 640 - h + 1), rng.integers(0, 640 - w + 1)
        n = _NOISE[i : i + h, j : j + w]
        if self.chroma and not self.grey:
            n = n[..., :1] * 0.8 + cv2.resize(n[: h // 2, : w // 2], (w, h)) * 0.7
        else:
            n = n[..., :1]
        return x + n * np.float32(self.noise * (1 + 1.2 * (dark < 0.6)))

    def _write(self, out, rng):
        colour = (255, 255, 255) if self.spot[0] < 0.7 else (60, 230, 60)
        y = 14 if self.spot[1] < 0.5 else out.shape[0] - 8
        cv2.putText(out, f"2024-0{rng.integers(1, 9)}-1{rng.integers(9)} {rng.integers(10, 23)}:{rng.integers(10, 59)}:{rng.integers(10, 59)}", (6, y), 0, 0.38, colour, 1, cv2.LINE_AA)
