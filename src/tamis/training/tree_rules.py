"""Learned trees for readers: as indented text, and as a picture."""

from __future__ import annotations

from html import escape

from tamis.extractors.elements.trees import DecisionTree, ElementModel, condition

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y = 150, 34, 12, 34
_MAIN, _NOISY = "#0072b2", "#d55e00"  # of Okabe & Ito: told apart by everybody


def rules_text(model: ElementModel) -> str:
    """All trees of a model: a line for each answer, and at the leaves what is said and how sure."""
    parts = []
    for name, tree in model.trees.items():
        parts.append(f"{name}: {_counts(tree, 0)}")
        parts += [f"{'  ' * (depth + 1)}{text}" for depth, text in _lines(model, tree)]
    return "\n".join(parts) + "\n"


def tree_picture(model: ElementModel, name: str) -> str:
    """One tree as SVG: a box for each node, yes to the left; the fill says how much of it is main content."""
    tree = model.trees[name]
    place, depth = _layout(tree)
    width = round((max(place) + 1) * (_WIDTH + _GAP_X) + _GAP_X)
    height = (max(depth) + 1) * (_HEIGHT + _GAP_Y) + _GAP_X
    lines, boxes = [], []
    for node in range(len(tree)):
        x, y = _GAP_X + place[node] * (_WIDTH + _GAP_X), _GAP_X + depth[node] * (_HEIGHT + _GAP_Y)
        share = float(tree.main[node] / max(tree.main[node] + tree.noisy[node], 1e-12))
        if tree.feature[node] >= 0:
            feature, border = model.features[tree.feature[node]], float(tree.border[node])
            title = condition(feature, border, is_below=True)
            for child, answer in ((node + 1, "yes"), (int(tree.other[node]), "no")):
                to_x, to_y = _GAP_X + place[child] * (_WIDTH + _GAP_X), y + _HEIGHT + _GAP_Y
                middle = (y + _HEIGHT + to_y) / 2
                lines.append(
                    f'<path d="M{x + _WIDTH / 2:.0f} {y + _HEIGHT}V{middle:.0f}H{to_x + _WIDTH / 2:.0f}V{to_y}" '
                    f'fill="none" stroke="currentColor"/>'
                    f'<text x="{to_x + _WIDTH / 2 + 4:.0f}" y="{to_y - 4}">{answer}</text>'
                )
        else:
            title = "main" if share > 0.5 else "noisy"
        boxes.append(
            f'<rect x="{x:.0f}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="3" stroke="currentColor" '
            f'fill="{_MAIN if share > 0.5 else _NOISY}" fill-opacity="{abs(2 * share - 1) * 0.5:.2f}"/>'
            f'<text x="{x + _WIDTH / 2:.0f}" y="{y + 14}" text-anchor="middle">{escape(title)}</text>'
            f'<text x="{x + _WIDTH / 2:.0f}" y="{y + 27}" text-anchor="middle">{_counts(tree, node)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="10" role="img"><title>Decision tree for {escape(name)}</title>'
        f"{''.join(lines)}{''.join(boxes)}</svg>\n"
    )


def _lines(model: ElementModel, tree: DecisionTree) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    waiting = [(0, 0, "")]
    while waiting:
        node, depth, said = waiting.pop()
        is_leaf = tree.feature[node] < 0
        verdict = f" → {'main' if tree.main[node] > tree.noisy[node] else 'noisy'}" if is_leaf else ""
        if said or is_leaf:
            found.append((max(depth - 1, 0), f"{said or 'always'}{verdict} {_counts(tree, node)}"))
        if not is_leaf:
            feature, border = model.features[tree.feature[node]], float(tree.border[node])
            waiting.append((int(tree.other[node]), depth + 1, condition(feature, border, is_below=False)))
            waiting.append((node + 1, depth + 1, condition(feature, border, is_below=True)))
    return found


def _counts(tree: DecisionTree, node: int) -> str:
    return f"({tree.main[node]:,.0f} main, {tree.noisy[node]:,.0f} noisy)"


def _layout(tree: DecisionTree) -> tuple[list[float], list[int]]:
    """For each node its column, leaves side by side and others between theirs, and its row."""
    depth = [0] * len(tree)
    for node in range(len(tree)):
        if tree.feature[node] >= 0:
            depth[node + 1] = depth[int(tree.other[node])] = depth[node] + 1
    place = [0.0] * len(tree)
    column = 0
    for node in range(len(tree)):  # leaves from left to right
        if tree.feature[node] < 0:
            place[node], column = float(column), column + 1
    for node in range(len(tree) - 1, -1, -1):
        if tree.feature[node] >= 0:
            place[node] = (place[node + 1] + place[int(tree.other[node])]) / 2
    return place, depth
