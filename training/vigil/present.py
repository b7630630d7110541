"""The network that shipped before, trained from nothing on these pictures (vigil-strands-4), as git keeps it.

Unlike the heads it was trained on obico-white, the printer that validation fails on.
"""

import hashlib
import subprocess

import onnx

from .data import HERE
from .pretrained import Builder

COMMIT, PATH = "8b83553", "server/engines/inference/model/vigil-strands-4.onnx"
SHA256 = "462eb5f4e4a4e744406d18328bc8b453bc6f98c9c233ee2757c5b773bbeb7693"


def kept(path: str, commit: str = COMMIT) -> bytes:
    """A file of the commit that shipped it."""
    return subprocess.run(["git", "show", f"{commit}:{path}"], check=True, capture_output=True, cwd=HERE.parent).stdout


def present_pictures() -> list[str]:
    """The table of the pictures it was trained on, as its own attribution has it."""
    lines = kept(PATH.replace("vigil-strands-4.onnx", "ATTRIBUTION.md")).decode().splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith("| source")) :]


def present_network() -> onnx.ModelProto:
    """Its ONNX graph, checked, for pictures of any side that is a multiple of 32."""
    data = kept(PATH)
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        raise ValueError(f"{PATH} of {COMMIT} has SHA-256 {digest}, not {SHA256}")
    model = onnx.load_from_string(data)
    for value in (*model.graph.input, *model.graph.output):
        for name, axis in zip(("rows", "columns"), value.type.tensor_type.shape.dim[2:]):
            axis.dim_param = name
    return model


def add_present(b: Builder, out: str) -> str:
    """Its nodes and weights beside the others', reading the same input."""
    graph = present_network().graph
    known = {"": "", graph.input[0].name: "input", graph.output[0].name: out}
    name = lambda n: known.get(n, f"present.{n}")
    for w in graph.initializer:
        copy = onnx.TensorProto()
        copy.CopyFrom(w)
        copy.name = name(w.name)
        b.weights.append(copy)
    for n in graph.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(n)
        copy.name = f"present.{n.name}" if n.name else ""
        del copy.input[:], copy.output[:]
        copy.input.extend(name(i) for i in n.input)
        copy.output.extend(name(o) for o in n.output)
        b.nodes.append(copy)
    return out
