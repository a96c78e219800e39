"""The colours of images, read from a screenshot."""

from __future__ import annotations

import dataclasses
import io

import numpy as np

from tamis.errors import MissingExtraError
from tamis.page.boxes import IMAGE, Boxes


def with_image_colors(boxes: Boxes, screenshot: bytes) -> Boxes:
    """The same boxes; the colour of each image is the mean of what is seen in its place."""
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("rendering", "reading screenshots") from error
    images = np.flatnonzero((boxes.kind == IMAGE) & boxes.visible)
    if not len(images):
        return boxes
    with Image.open(io.BytesIO(screenshot)) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    color = boxes.color.copy()
    height, width = pixels.shape[:2]
    for image in images.tolist():
        left, top, right, bottom = np.rint(boxes.rect[image]).astype(np.int64).tolist()
        part = pixels[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
        color[image] = np.rint(part.mean(axis=(0, 1))) if part.size else boxes.background[image]
    return dataclasses.replace(boxes, color=color)
