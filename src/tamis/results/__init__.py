"""What methods return: frozen values that say what was chosen, why, and by whom.

A result holds places in pages (spans, node numbers), never copies of them. Text, Markdown, HTML, JSON and TEI are
renderings of an ``Extraction``, made when asked for by the modules in ``outputs/``.
"""

from tamis.results.extractions import WALL, BlockChoice, Chunk, Extraction, Memo, without_wall
from tamis.results.groups import Clustering, Merge
from tamis.results.made import Made
from tamis.results.segmentations import Labelling, Region, Segmentation
from tamis.results.templates import TEMPLATE_FORMAT, Part, Template

__all__ = [
    "TEMPLATE_FORMAT",
    "WALL",
    "BlockChoice",
    "Chunk",
    "Clustering",
    "Extraction",
    "Labelling",
    "Made",
    "Memo",
    "Merge",
    "Part",
    "Region",
    "Segmentation",
    "Template",
    "without_wall",
]
