"""Teachers of sieve's network: large transformers that read the training pages, with or without gold text.

    pip install torch                            a GPU makes it ten minutes; two cores need a day
    python -m bench.teach --work train-work --out bench/taught.npz
    tamis train --taught bench/taught.npz --work train-work

Every teacher sees all blocks of a page at once: attention between all pairs, with a bias per head for their distance,
depthwise convolution over neighbours, feed-forward layers. Half of the teachers are also told which blocks look alike
or share an ancestor, and learn from partial gold. The mean of their log odds is what the file holds. With
``--without`` a dataset is left out of gold, to judge by it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamis.evaluation.datasets import open_dataset
from tamis.extractors.sieve.class_names import ClassNames
from tamis.extractors.sieve.features import look_groups
from tamis.extractors.sieve.page_types import PAGE_TYPES
from tamis.page.text import Floats
from tamis.training.block_records import LabelledBlocks, read_records
from tamis.training.class_names import fit_table
from tamis.training.folds import FOLDS
from tamis.training.network import Example, _scales
from tamis.training.sieve import DATASETS, all_columns
from tamis.training.taught import write_taught
from tamis.training.wording import fit_wording

ANCESTORS = (1, 2, 3)  # levels at which blocks may share a container


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """From published notes; not swept, but told apart by leaving datasets out: with and without pairs, partial gold."""

    width: int = 160
    layers: int = 5
    heads: int = 8
    dropout: float = 0.2
    epochs: int = 14
    batch: int = 16
    rate: float = 1e-3
    decay: float = 0.02
    page_loss: float = 0.3
    type_loss: float = 0.05
    longest: int = 1000  # blocks of a page that take part in one step
    sees_pairs: bool = True
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Pages:
    """All pages end to end, as arrays on the device."""

    sizes: Any
    starts: Any
    inputs: Any
    words: Any
    labels: Any
    weights: Any
    alike: Any  # numbers of the look and of ancestors: equal on one page, equal here
    is_whole: Any
    types: Any  # number of the page type; that of none of them if it is not known


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--work", type=Path, required=True, help="the folder of tamis train --work")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--teachers", type=int, default=10)
    arguments.add_argument("--without", default="", help="a dataset whose gold is not learned from")
    given = arguments.parse_args()
    records = _records(given.work)
    known = [record for record in records if record.has_text and not _is_of(record, given.without)]
    others = [[record for record in known if record.fold != fold] for fold in range(FOLDS)]
    tables = [(ClassNames(fit_table(pages)), fit_wording(pages)) for pages in others]
    pages = lay_out(records, [all_columns(record, tables) for record in records])
    learned = np.array([bool(record.weights.any()) and not _is_of(record, given.without) for record in records])
    answers = [
        teach(pages, learned, Recipe(sees_pairs=number % 2 == 0, seed=(10, 20)[number % 2] + number // 2))
        for number in range(given.teachers)
    ]
    odds = np.split(np.mean(answers, axis=0), np.cumsum(pages.sizes)[:-1])
    write_taught(given.out, zip(records, odds, strict=True))


def _records(work: Path) -> list[LabelledBlocks]:
    """All pages; one of which nothing is known, and that stands in a set before, is left out."""
    found: list[LabelledBlocks] = []
    urls: set[str] = set()
    for name in DATASETS:
        dataset = open_dataset(name)
        url = {sample.id: sample.url for sample in dataset}
        found += [one for one in read_records(dataset, work, 2) if one.weights.any() or url[one.id] not in urls]
        urls.update(filter(None, url.values()))
    return found


def _is_of(record: LabelledBlocks, dataset: str) -> bool:
    return bool(dataset) and record.dataset.endswith(dataset)


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def lay_out(records: Sequence[LabelledBlocks], columns: Sequence[Any]) -> Pages:
    """The pages as the teachers read them; features are squashed and standardised as for the network."""
    import torch

    examples = [
        Example(
            np.ascontiguousarray(own.T),
            *(part.astype(np.float32) for part in (record.words, record.labels, record.weights)),
        )
        for record, own in zip(records, columns, strict=True)
    ]
    half, centre, spread = _scales(examples, np.random.default_rng(0))
    squashed = [(page.features / (np.abs(page.features) + half) - centre) / spread for page in examples]
    alike = [
        np.stack([look_groups(one.containers), *one.containers.ancestors[list(ANCESTORS)]], axis=1) for one in records
    ]

    def joined(parts: Sequence[Any], kind: Any = np.float32) -> Any:
        return torch.from_numpy(np.concatenate(parts).astype(kind)).to(_device())

    sizes = np.array([len(record.words) for record in records])
    return Pages(
        sizes=sizes,
        starts=np.cumsum(sizes) - sizes,
        inputs=joined(squashed),
        words=joined([record.words for record in records]),
        labels=joined([record.labels for record in records]),
        weights=joined([record.weights for record in records]),
        alike=joined(alike, np.int32),
        is_whole=np.array([record.gold is not None for record in records]),
        types=np.array([(*PAGE_TYPES, record.page_type).index(record.page_type) for record in records]),
    )


def teach(pages: Pages, learned: Any, recipe: Recipe) -> Floats:
    """One teacher: fitted to the pages that may be learned from, asked about all of them."""
    import torch

    torch.manual_seed(recipe.seed)
    random = np.random.default_rng(recipe.seed)
    model = _teacher(pages.inputs.shape[1], recipe).to(_device())
    chosen = np.flatnonzero(learned & (pages.is_whole | recipe.sees_pairs))
    steps = recipe.epochs * math.ceil(len(chosen) / recipe.batch)
    descent = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=recipe.decay, betas=(0.9, 0.98))
    rate = torch.optim.lr_scheduler.OneCycleLR(descent, recipe.rate, total_steps=steps + 1, pct_start=0.25)
    for _ in range(recipe.epochs):
        model.train()
        for batch in _batches(chosen, pages.sizes, recipe.batch, random):
            rows, mask = _rows(pages, batch, random, recipe.longest)
            odds, types = _asked(model, pages, rows, mask)
            loss = _loss(odds, pages, rows, mask, pages.is_whole[batch], recipe.page_loss)
            loss = loss + recipe.type_loss * _type_loss(types, pages.types[batch])
            descent.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            descent.step()
            rate.step()
    model.eval()
    answers = np.zeros(int(pages.sizes.sum()))
    with torch.no_grad():
        for page in range(len(pages.sizes)):
            rows, mask = _rows(pages, np.array([page]), None, int(pages.sizes[page]))
            answers[rows[mask].cpu().numpy()] = _asked(model, pages, rows, mask)[0][mask].cpu().numpy()
    return answers


def _asked(model: Any, pages: Pages, rows: Any, mask: Any) -> tuple[Any, Any]:
    """Log odds of blocks and of page types; on a GPU in short numbers."""
    import torch

    with torch.autocast(_device(), torch.bfloat16, enabled=_device() == "cuda"):
        odds, types = model(pages, rows, mask)
    return odds.float(), types.float()


def _batches(chosen: Any, sizes: Any, batch: int, random: np.random.Generator) -> list[Any]:
    """Pages in random order, but those of a batch of similar length, so that little is padded."""
    order, found = random.permutation(chosen), []
    for start in range(0, len(order), 8 * batch):
        part = order[start : start + 8 * batch]
        part = part[np.argsort(sizes[part], kind="stable")]
        found += [part[first : first + batch] for first in range(0, len(part), batch)]
    return [found[place] for place in random.permutation(len(found))]


def _rows(pages: Pages, batch: Any, random: np.random.Generator | None, longest: int) -> tuple[Any, Any]:
    """For each page and place the row of its block, and whether there is one; of long pages a stretch."""
    import torch

    sizes = np.minimum(pages.sizes[batch], longest)
    offset = random.integers(0, pages.sizes[batch] - sizes + 1) if random else np.zeros(len(batch), dtype=np.int64)
    place = np.arange(sizes.max())[None]
    rows = (pages.starts[batch] + offset)[:, None] + np.minimum(place, sizes[:, None] - 1)
    return torch.from_numpy(rows).to(_device()), torch.from_numpy(place < sizes[:, None]).to(_device())


def _loss(odds: Any, pages: Pages, rows: Any, mask: Any, is_whole: Any, page_loss: float) -> Any:
    """Weighted cross entropy of blocks, and one minus the soft F1 of pages whose gold is whole."""
    import torch

    words, labels, weights = pages.words[rows], pages.labels[rows] * mask, pages.weights[rows] * mask
    entropy = torch.nn.functional.binary_cross_entropy_with_logits(odds, labels, reduction="none")
    chances = torch.sigmoid(odds) * mask
    matched, both = (chances * labels * words).sum(1), ((chances + labels) * words).sum(1) + 1
    whole = torch.from_numpy(is_whole).to(odds)
    blocks = (weights * entropy).sum() / weights.sum().clamp_min(1)
    return blocks + page_loss * (whole * (1 - 2 * matched / both)).mean()


def _type_loss(odds: Any, types: Any) -> Any:
    """Cross entropy of the page types that are known."""
    import torch

    wanted = torch.from_numpy(np.where(types < len(PAGE_TYPES), types, -1)).to(odds.device)
    total = torch.nn.functional.cross_entropy(odds, wanted, ignore_index=-1, reduction="sum")
    return total / len(types)


def _teacher(inputs: int, recipe: Recipe) -> Any:
    """A transformer over the blocks of pages."""
    import torch
    from torch import nn
    from torch.nn import functional

    width, heads = recipe.width, recipe.heads
    pairs = 2 + len(ANCESTORS) if recipe.sees_pairs else 1

    class Layer(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.asked, self.mixed = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.pair = nn.Parameter(torch.zeros(heads, pairs))
            self.pair.data[:, 0] = -torch.linspace(0, 1.5, heads)  # some heads look near, some everywhere
            self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
            self.near = nn.Conv1d(width, width, 5, padding=2, groups=width)
            self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
            self.drop = nn.Dropout(recipe.dropout)

        def forward(self, hidden: Any, pair: Any, mask: Any) -> Any:
            batch, size, _ = hidden.shape
            parts = self.asked(self.norms[0](hidden)).view(batch, size, 3, heads, width // heads)
            query, key, value = parts.permute(2, 0, 3, 1, 4)
            bias = torch.einsum("hp,bpij->bhij", self.pair.to(pair.dtype), pair)
            bias = bias.masked_fill(~mask[:, None, None], -1e4).to(query.dtype)
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
            hidden = hidden + self.drop(self.mixed(seen.transpose(1, 2).reshape(batch, size, width)))
            rows = (self.norms[1](hidden) * mask[..., None]).transpose(1, 2)
            hidden = hidden + self.drop(functional.gelu(self.near(rows).transpose(1, 2)))
            wide = self.drop(functional.gelu(self.up(self.norms[2](hidden))))
            return hidden + self.drop(self.down(wide))

    class Teacher(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Linear(inputs, width)
            self.layers = nn.ModuleList(Layer() for _ in range(recipe.layers))
            self.norm, self.pool, self.out = nn.LayerNorm(width), nn.Linear(width, width), nn.Linear(width, 1)
            self.kinds = nn.Linear(2 * width, len(PAGE_TYPES))

        def forward(self, pages: Pages, rows: Any, mask: Any) -> Any:
            read, lost = pages.inputs[rows], recipe.dropout / 2
            if self.training:  # whole features of a page are left out
                kept = torch.rand(len(read), 1, read.shape[2], device=read.device) > lost
                read = read * kept / (1 - lost)
            place = torch.arange(rows.shape[1], device=rows.device)
            pair = torch.log1p((place[:, None] - place).abs().float()).expand(len(rows), 1, -1, -1)
            if recipe.sees_pairs:
                alike = pages.alike[rows].permute(0, 2, 1)
                pair = torch.cat((pair, (alike[..., None] == alike[:, :, None]).float()), dim=1)
            pair = pair.to(torch.bfloat16 if read.is_cuda else torch.float32)
            hidden = self.dense(read)
            for layer in self.layers:
                hidden = layer(hidden, pair, mask)
            hidden = self.norm(hidden)
            weights = (pages.words[rows] + 1) * mask
            mean = (weights[..., None] * hidden).sum(1) / weights.sum(1, keepdim=True)
            odds = self.out(functional.gelu(hidden + self.pool(mean)[:, None])).squeeze(-1)
            likely = weights * torch.sigmoid(odds)
            kept = (likely[..., None] * hidden).sum(1) / (likely.sum(1, keepdim=True) + 1)
            return odds, self.kinds(torch.cat((mean, kept), dim=-1))

    return Teacher()


if __name__ == "__main__":
    main()
