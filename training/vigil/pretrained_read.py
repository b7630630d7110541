"""Pretrained networks out of npm packages, read by code of ours into one list of nodes.

A node is a dict: `op` (conv, add, cat, max, act), `name`, `in` (names; "input" is the picture) and what its kind needs: conv has `w`
[out, in / groups, h, w], `b`, `stride`, `pad` ("same" as TensorFlow has it, or [left, right, top, bottom]) and `groups`; every kind may end in
an `act` (relu, relu6, leaky with `alpha`). Everything is NCHW float32, batch norm folded as it comes.
"""

import base64
import json

import numpy as np
from flatbuffers import encode, number_types, table


class Table:
    """A table of a flatbuffer, its fields by number."""

    def __init__(self, data, at):
        self.t = table.Table(data, at)

    @classmethod
    def root(cls, data):
        return cls(data, encode.Get(number_types.UOffsetTFlags.packer_type, data, 0))

    def scalar(self, field, kind, default=0):
        """A number of one of flatbuffers' types."""
        o = self.t.Offset(4 + 2 * field)
        return self.t.Get(kind, self.t.Pos + o) if o else default

    def table(self, field):
        """A table of its own."""
        o = self.t.Offset(4 + 2 * field)
        return Table(self.t.Bytes, self.t.Indirect(self.t.Pos + o)) if o else None

    def tables(self, field):
        """A vector of tables."""
        o = self.t.Offset(4 + 2 * field)
        at = self.t.Vector(o) if o else 0
        return [Table(self.t.Bytes, self.t.Indirect(at + 4 * i)) for i in range(self.t.VectorLen(o))] if o else []

    def numbers(self, field, kind):
        """A vector of numbers."""
        o = self.t.Offset(4 + 2 * field)
        return self.t.GetVectorAsNumpy(kind, o) if o else np.zeros(0, np.uint8)


#: What this reads of TensorFlow Lite's schema: operators by number, tensor types, activations.
ADD, CONV, DEPTHWISE, DEQUANTIZE = 0, 3, 4, 6
TYPES = {0: np.float32, 1: np.float16, 2: np.int32}
ACTS = {0: None, 1: "relu", 3: "relu6"}


def tflite_nodes(data) -> list[dict]:
    """The convolutions and sums of a TensorFlow Lite file, as far as they follow each other from the picture."""
    byte, whole = number_types.Int8Flags, number_types.Int32Flags
    model = Table.root(data)
    codes = [max(c.scalar(0, byte), c.scalar(3, whole)) for c in model.tables(1)]
    graph, buffers = model.tables(2)[0], model.tables(4)
    tensors, halved, nodes = graph.tables(0), {}, []
    known = {int(i) for i in graph.numbers(1, whole)}
    name = {i: "input" for i in known}

    def constant(i):
        t = tensors[halved.get(i, i)]
        raw = buffers[t.scalar(2, number_types.Uint32Flags)].numbers(0, number_types.Uint8Flags)
        return np.frombuffer(raw.tobytes(), TYPES[t.scalar(1, byte)]).reshape(t.numbers(0, whole)).astype(np.float32)

    for o in graph.tables(3):
        kind = codes[o.scalar(0, number_types.Uint32Flags)]
        ins, out, options = [int(i) for i in o.numbers(1, whole)], int(o.numbers(2, whole)[0]), o.table(4)
        if kind == DEQUANTIZE:
            halved[out] = ins[0]
            continue
        node = {"name": name.setdefault(out, f"t{out}")}
        if kind in (CONV, DEPTHWISE) and ins[0] in known:
            deep = kind == DEPTHWISE
            w = constant(ins[1]).transpose((3, 0, 1, 2) if deep else (0, 3, 1, 2))
            node |= {"op": "conv", "in": [name[ins[0]]], "w": w, "b": constant(ins[2]), "groups": len(w) if deep else 1,
                     "stride": (options.scalar(2, whole), options.scalar(1, whole)), "pad": "same" if options.scalar(0, byte) == 0 else [0] * 4,
                     "act": ACTS[options.scalar(4 if deep else 3, byte)]}
        elif kind == ADD and known.issuperset(ins):
            node |= {"op": "add", "in": [name[i] for i in ins], "act": ACTS[options.scalar(0, byte) if options else 0]}
        else:
            continue
        known.add(out)
        nodes.append(node)
    return nodes


def tfjs_weights(specs, data) -> dict:
    """The weights of a TensorFlow.js file by name, unpacked."""
    out, at = {}, 0
    for s in specs:
        packed = s.get("quantization")
        kind = np.dtype((packed or s)["dtype"])
        v = np.frombuffer(data, kind, int(np.prod(s["shape"])), at)
        at += v.nbytes
        if packed and "scale" in packed:
            v = v.astype(np.float32) * packed["scale"] + packed["min"]
        out[s["name"]] = v.astype(np.float32 if s["dtype"] == "float32" else v.dtype).reshape(s["shape"])
    assert at == len(data), f"{at} of {len(data)} bytes are weights"
    return out


def text(value) -> str:
    return base64.b64decode(value).decode()


def tfjs_nodes(model, data) -> list[dict]:
    """The convolutions, sums and pools of a TensorFlow.js graph model, as far as they follow each other from the picture."""
    weights = tfjs_weights(model["weightsManifest"][0]["weights"], data)
    alias, padded, nodes, known = {}, {}, [], {"input"}
    for x in model["modelTopology"]["node"]:
        kind, own, a = x["op"], x["name"], x.get("attr", {})
        if kind == "Placeholder":
            alias[own] = "input"
            continue
        ins = [i.split(":")[0] for i in x.get("input", []) if not i.startswith("^")]
        came = [alias.get(i, i) for i in ins]
        node = {"name": own, "in": came[:1], "act": None}
        if kind in ("Transpose", "Identity"):
            alias[own] = came[0]
            continue
        if kind in ("Pad", "PadV2"):
            if ins[1] not in weights:
                continue
            p = weights[ins[1]].astype(int)
            p = p[1:3] if p[1].any() else p[2:4]
            padded[own] = ([int(p[1][0]), int(p[1][1]), int(p[0][0]), int(p[0][1])], came[0])
            alias[own] = own
            continue
        whole = lambda key: tuple(int(v) for v in a[key]["list"]["i"])[1:3]
        pad = "same" if "padding" in a and text(a["padding"]["s"]) == "SAME" else [0] * 4
        if came and came[0] in padded:
            pad, node["in"] = padded[came[0]][0], [padded[came[0]][1]]
        if kind in ("Conv2D", "_FusedConv2D", "DepthwiseConv2dNative", "FusedDepthwiseConv2dNative"):
            fused = [text(v) for v in a.get("fused_ops", {}).get("list", {}).get("s", [])]
            deep = "epthwise" in kind
            w = weights[ins[1]].transpose((2, 3, 0, 1) if deep else (3, 2, 0, 1))
            act = {"Relu": "relu", "Relu6": "relu6", "LeakyRelu": "leaky"}.get(fused[-1]) if fused else None
            node |= {"op": "conv", "w": w, "b": weights[ins[2]] if "BiasAdd" in fused else None, "stride": whole("strides"), "pad": pad,
                     "groups": len(w) if deep else 1, "act": act, "alpha": (a.get("leakyrelu_alpha") or {}).get("f")}
        elif kind in ("Add", "AddV2") and ins[1] in weights:
            before = next((n for n in nodes if n["name"] == came[0] and n["op"] == "conv" and n["b"] is None), None)
            if before:
                before["b"] = weights[ins[1]].reshape(-1)
                alias[own] = came[0]
            continue
        elif kind in ("Add", "AddV2"):
            node |= {"op": "add", "in": came}
        elif kind == "ConcatV2":
            node |= {"op": "cat", "in": came[:-1]}
        elif kind == "MaxPool":
            node |= {"op": "max", "k": whole("ksize"), "stride": whole("strides"), "pad": pad}
        elif kind in ("Relu", "Relu6", "LeakyRelu"):
            node |= {"op": "act", "act": {"Relu": "relu", "Relu6": "relu6", "LeakyRelu": "leaky"}[kind], "alpha": (a.get("alpha") or {}).get("f")}
        else:
            continue
        if known.issuperset(node["in"]):
            nodes.append(node)
            known.add(own)
    return nodes
