"""From arrays to the tables of `osce rank`: who may be compared with whom, then figures with their uncertainty. No printing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from osce.cli._frames import Frames, RunFrame, Spent, Vocabulary, load
from osce.ledger import manifest as manifests
from osce.stats.bootstrap import MIN_CLUSTERS, Estimate, estimate
from osce.stats.compare import Comparison, holm, paired
from osce.stats.order_bias import OrderBias, order_bias
from osce.stats.resample import RESAMPLES, SEED, Floats
from osce.stats.winrate import DataSet, Missing, Standing, standings

CLEAR = 0.05
"""Family-wise error rate of the mark "clearly better than the next"."""
RANDOM = "baseline/random"


@dataclass(frozen=True)
class Row:
    """One run in its benchmark's table. `rank` is None for baselines where models are there too. `chance` says where the
    score stands to guessing: "", "below", or "within" the reference of `chance_from`."""

    label: str
    run: RunFrame
    score: Estimate
    rank: int | None
    chance: str
    chance_from: str
    p_next: float | None
    """Holm-adjusted p of the paired test against the next row (None in the last row); the family is all pairs of the table."""
    over_next: Comparison | None

    @property
    def clearly_better(self) -> bool:
        return self.p_next is not None and self.p_next <= CLEAR


@dataclass(frozen=True)
class Table:
    """The runs of one benchmark's variant that may be compared with one another, best first."""

    benchmark: str
    variant: str
    part: str
    """Empty, or what sets this table apart from the other ones of the same variant."""
    rows: list[Row]
    notes: list[str]

    @property
    def title(self) -> str:
        name = f"{self.benchmark}:{self.variant}" if self.variant else self.benchmark
        return f"{name} ({self.part})" if self.part else name


@dataclass(frozen=True)
class Overall:
    """Models over all benchmarks, best first; baselines do not compete where at least two models do."""

    benchmarks: list[str]
    rows: list[tuple[str, bool, Standing]]
    """(label, is a baseline, figures)."""
    missing: Missing
    notes: list[str]


@dataclass(frozen=True)
class Bias:
    label: str
    title: str
    figures: OrderBias


@dataclass(frozen=True)
class Ranking:
    tables: list[Table]
    overall: Overall | None
    bias: list[Bias]
    notes: list[str]


def rank(
    paths: Iterable[Path],
    *,
    orders: Collection[str] | None = None,
    missing: Missing = "skip",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Ranking:
    """All of `osce rank` in one call; `orders` keeps only the answers given in these option orders.

    Raises LedgerError for paths without runs.
    """
    frames = load(paths, orders=orders)
    lacking = "no answer in these orders" if orders else "no answer yet"
    notes = [f"{folder}: {lacking}, left out" for folder in frames.empty]
    labels, label_notes = _labels(frames.runs)
    notes += label_notes
    cells: dict[tuple[str, str], list[RunFrame]] = defaultdict(list)
    for run in frames.runs:
        cells[run.manifest.benchmark, run.manifest.variant].append(run)
    tables, entries = [], []
    for (benchmark, variant), runs in cells.items():
        vocabulary = frames.vocabularies[benchmark]
        parts = _comparable(runs)
        for part, members in parts:
            tables.append(_table(benchmark, variant, part, members, labels, vocabulary, len(parts), resamples, seed))
        entries.append((benchmark, variant, parts[0][1]))
        if len(parts) > 1:
            title = members[0].manifest.title
            notes.append(
                f"{title}: runs of {len(parts)} kinds are ranked apart; the overall table takes the largest ({parts[0][0]})"
            )
    overall = _overall(entries, labels, frames, missing, resamples, seed)
    bias = [
        Bias(labels[run.folder], run.manifest.title, order_bias(run.answers, resamples=resamples, seed=seed))
        for run in frames.runs
        if run.answers is not None
    ]
    return Ranking(tables, overall, bias, notes)


# Who is who -----------------------------------------------------------------------------------------------------------


def _settings(run: RunFrame) -> dict[str, Any]:
    """What may set two runs of one model's name apart, other than what separates tables."""
    fingerprint = run.manifest.fingerprint
    model = fingerprint.get("model")
    if isinstance(model, dict):  # the majority baseline learns from each benchmark anew
        model = {key: value for key, value in model.items() if key != "learned"}
    return {"model": model, "sampling": fingerprint.get("sampling")}


def _labels(runs: Sequence[RunFrame]) -> tuple[dict[Path, str], list[str]]:
    """A label for each run: the model's name, with the differing settings where a name was run in several ways on one
    benchmark; and the folder where nothing else tells two runs apart."""
    by_name: dict[str, list[RunFrame]] = defaultdict(list)
    for run in runs:
        by_name[run.manifest.model].append(run)
    labels: dict[Path, str] = {}
    notes: list[str] = []
    for name, mine in by_name.items():
        kinds = {manifests.digest(_settings(r)): r for r in mine}
        counts = Counter((r.manifest.benchmark, r.manifest.variant) for r in mine)
        first = _settings(mine[0])
        if len(kinds) > 1 and max(counts.values()) == 1:
            lines = sorted({line for r in kinds.values() for line in manifests.differences(first, _settings(r))})
            notes.append(f"{name} was run with different settings on different benchmarks: " + "; ".join(lines[:4]))
            kinds = {}
        for run in mine:
            labels[run.folder] = f"{name} [{_apart(run, list(kinds.values()))}]" if len(kinds) > 1 else name
    seen: Counter[tuple[str, str, str, str]] = Counter()
    for run in runs:
        m = run.manifest
        seen[labels[run.folder], m.benchmark, m.variant, manifests.digest(_content(run))] += 1
    for run in runs:
        m = run.manifest
        key = (labels[run.folder], m.benchmark, m.variant, manifests.digest(_content(run)))
        if seen[key] > 1:
            labels[run.folder] = f"{labels[run.folder]} [{run.folder}]"
            notes.append(f"{labels[run.folder]}: another run has the same model and settings; both are shown")
    return labels, notes


def _flat(value: object, path: str = "") -> dict[str, object]:
    if isinstance(value, dict):
        return {k: v for key, inner in value.items() for k, v in _flat(inner, f"{path}.{key}" if path else str(key)).items()}
    return {path: value}


def _apart(run: RunFrame, others: Sequence[RunFrame]) -> str:
    """The settings that differ among runs of one name, as this run has them: "temperature=0.7"."""
    flat = [_flat(_settings(r)) for r in others]
    keys = sorted({k for f in flat for k in f if any(f.get(k) != g.get(k) for g in flat)})
    mine = _flat(_settings(run))
    return ", ".join(f"{k.rpartition('.')[2]}={_short(mine.get(k))}" for k in keys[:4]) or run.folder.name


def _short(value: object) -> str:
    text = "default" if value is None else str(value)
    return text if len(text) <= 24 else text[:21] + "…"


# Who may be compared with whom ----------------------------------------------------------------------------------------

_NOT_CONTENT = frozenset({"licence", "license", "homepage", "url", "address", "folder", "path", "origin", "from", "fetched"})
"""Parts of a data source that say where it was read, not what was read: a local copy of the same bytes is the same data."""


def _bytes_only(data: object) -> object:
    """A data source without where it came from. A revision counts only where no file hashes do: bytes of a local copy may
    have no recorded revision."""
    if not isinstance(data, dict):
        return data
    hashed = "files" in data or "sha256" in data
    kept = {k: v for k, v in data.items() if k not in _NOT_CONTENT and not (hashed and k == "revision")}
    return {k: v if k in ("files", "sha256") else _bytes_only(v) for k, v in kept.items()}


def _content(run: RunFrame) -> dict[str, Any]:
    """What must be equal for two scores to be comparable: data, prompt form, versions of prompt and grading. The digest of
    the first prompts is left out, for it changes with --limit."""
    f = run.manifest.fingerprint
    prompt = f.get("prompt")
    return {
        "data": _bytes_only(f.get("data")),
        "format": prompt.get("format") if isinstance(prompt, dict) else prompt,
        "version": f.get("version"),
        "grading": f.get("grading"),
    }


def _comparable(runs: Sequence[RunFrame]) -> list[tuple[str, list[RunFrame]]]:
    """Runs in groups of equal content, largest first, each with the name of what sets it apart (empty for one group)."""
    groups: dict[str, list[RunFrame]] = defaultdict(list)
    for run in runs:
        groups[manifests.digest(_content(run))].append(run)
    ordered = sorted(groups.values(), key=lambda g: (-len(g), -sum(r.n_answers for r in g)))
    if len(ordered) == 1:
        return [("", ordered[0])]
    flats = [_flat(_content(g[0])) for g in ordered]
    keys = sorted({k for f in flats for k in f if any(f.get(k) != g.get(k) for g in flats)})
    named = []
    for group, flat in zip(ordered, flats, strict=True):
        parts = [f"{k.removeprefix('data.')} {_short_value(flat.get(k))}" for k in keys]
        named.append((", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else ""), group))
    return named


def _short_value(value: object) -> str:
    text = "not given" if value is None else str(value)
    return text[:12] if len(text) > 24 else text


# One benchmark --------------------------------------------------------------------------------------------------------


def _table(
    benchmark: str,
    variant: str,
    part: str,
    runs: Sequence[RunFrame],
    labels: dict[Path, str],
    vocabulary: Vocabulary,
    n_parts: int,
    resamples: int,
    seed: int,
) -> Table:
    clusters = vocabulary.clusters_of_items(variant)
    scores = {run.folder: run.item_scores(len(clusters)) for run in runs}
    estimates = {run.folder: _estimate(run, scores[run.folder], clusters, resamples, seed) for run in runs}

    def order(run: RunFrame) -> tuple[bool, float, str]:
        mean = estimates[run.folder].mean
        return (mean is None, -(mean or 0.0), labels[run.folder])

    ordered = sorted(runs, key=order)
    ps = _pairs([scores[r.folder] for r in ordered], clusters, seed)
    models = [r for r in ordered if not r.is_baseline] or ordered
    ranks = _ranks([estimates[r.folder].mean for r in models])
    rank_of = {r.folder: k for r, k in zip(models, ranks, strict=True)}
    random_run = next((r for r in ordered if r.manifest.model == RANDOM), None)
    rows = []
    for i, run in enumerate(ordered):
        score = estimates[run.folder]
        chance, source = _against_chance(run, score, random_run, estimates)
        following = ordered[i + 1] if i + 1 < len(ordered) else None
        over = None
        if following is not None:
            over = paired(scores[run.folder], scores[following.folder], clusters, resamples=resamples, seed=seed)
        rows.append(Row(labels[run.folder], run, score, rank_of.get(run.folder), chance, source, ps.get((i, i + 1)), over))
    notes = _table_notes(ordered, labels, len(clusters))
    if n_parts > 1:
        notes.insert(0, f"ranked apart from the other runs of this benchmark: {part}")
    return Table(benchmark, variant, part, rows, notes)


def _estimate(run: RunFrame, scores: Floats, clusters: np.ndarray[Any, Any], resamples: int, seed: int) -> Estimate:
    use = np.flatnonzero(run.asked)
    return estimate(scores[use], clusters[use], scored=run.scored[use], asked=run.asked[use], resamples=resamples, seed=seed)


def _pairs(scores: Sequence[Floats], clusters: np.ndarray[Any, Any], seed: int) -> dict[tuple[int, int], float | None]:
    """Holm-adjusted p of every pair of rows. The order of the rows was read off the data, so the family is all pairs, not the
    neighbours only."""
    pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores))]
    ps = [paired(scores[i], scores[j], clusters, seed=seed, interval=False).p for i, j in pairs]
    return dict(zip(pairs, holm(ps), strict=True))


def _ranks(means: Sequence[float | None]) -> list[int | None]:
    return [None if m is None else 1 + sum(o is not None and o > m + 1e-12 for o in means) for m in means]


def _against_chance(
    run: RunFrame, score: Estimate, random_run: RunFrame | None, estimates: dict[Path, Estimate]
) -> tuple[str, str]:
    """A score at or under the random baseline's interval; without such a run, an interval that reaches down to the expected
    score of a uniform guess."""
    if score.mean is None or run.is_baseline:
        return "", ""
    if random_run is not None:
        reference = estimates[random_run.folder]
        if reference.low is None or reference.high is None:
            return "", ""
        where = "below" if score.mean < reference.low else "within" if score.mean <= reference.high else ""
        return where, "the random baseline's interval" if where else ""
    if run.chance is None or score.low is None or score.high is None or score.low > run.chance:
        return "", ""
    return ("below" if score.high < run.chance else "within"), f"guessing ({100 * run.chance:.1f} %)"


def _table_notes(runs: Sequence[RunFrame], labels: dict[Path, str], n_items: int) -> list[str]:
    notes = []
    asked = [r.asked > 0 for r in runs]
    sizes = {int(a.sum()) for a in asked}
    padded = [np.flatnonzero(a) for a in asked]
    if len(sizes) > 1 or any(len(p) != len(padded[0]) or (p != padded[0]).any() for p in padded):
        common = set(padded[0].tolist()).intersection(*(p.tolist() for p in padded[1:]))
        notes.append(
            f"the runs hold different items ({min(sizes)} to {max(sizes)} of {n_items}; {len(common)} in all of them): "
            "scores are over each run's own items, paired tests over common ones"
        )
    if len({(frozenset(r.orders), r.rollouts) for r in runs}) > 1:
        notes.append("the runs differ in option orders or rollouts: an item's score is the mean over its own answers")
    for run in runs:
        m, label = run.manifest, labels[run.folder]
        if m.status != "finished":
            notes.append(f"{label}: the run is {m.status}; items not asked yet are unknown, not missing")
        if run.corrupt_lines:
            notes.append(f"{label}: {run.corrupt_lines} line(s) of its records cannot be read and are left out")
        if m.skipped_count:
            notes.append(f"{label}: {m.skipped_count} malformed row(s) of the data were left out")
        for what, spent in (("cost", run.cost_usd), ("tokens", run.output_tokens)):
            reason = why_missing(what, spent)
            if reason and not run.is_baseline:
                notes.append(f"{label}: {reason}")
    return notes


def why_missing(what: str, spent: Spent) -> str:
    """Why a sum is not shown; empty when it is."""
    if not spent.missing:
        return "" if spent.known or what == "cost" else "no token counts: every reply came from the cache or failed"
    because = "the price is not known" if what == "cost" else "the provider did not say"
    return f"no {what}: {because} for {spent.missing} of {spent.missing + spent.known} answers"


# All benchmarks -------------------------------------------------------------------------------------------------------


def _overall(
    entries: Sequence[tuple[str, str, list[RunFrame]]],
    labels: dict[Path, str],
    frames: Frames,
    missing: Missing,
    resamples: int,
    seed: int,
) -> Overall | None:
    names = list(dict.fromkeys(labels[r.folder] for _, _, runs in entries for r in runs))
    if len(names) < 2:
        return None
    baseline = {labels[r.folder]: r.is_baseline for _, _, runs in entries for r in runs}
    notes: list[str] = []
    uneven: list[str] = []
    data = []
    held: dict[str, list[str]] = {name: [] for name in names}
    for benchmark, variant, runs in entries:
        vocabulary = frames.vocabularies[benchmark]
        clusters = vocabulary.clusters_of_items(variant)
        scores = np.full((len(names), len(clusters)), np.nan)
        for run in runs:
            scores[names.index(labels[run.folder])] = run.item_scores(len(clusters))
            held[labels[run.folder]].append(f"{benchmark}:{variant}" if variant else benchmark)
        if len({(frozenset(r.orders), r.rollouts) for r in runs}) > 1:
            uneven.append(f"{benchmark}:{variant}" if variant else benchmark)
        few = len(np.unique(clusters))
        if few < MIN_CLUSTERS:
            notes.append(
                f"{benchmark}{':' + variant if variant else ''} has only {few} clusters: intervals here are too narrow"
            )
        use = ~np.isnan(scores).all(axis=0)
        if use.any():
            data.append(DataSet(benchmark, scores[:, use], clusters[use], variant))
    if not data:
        return None
    competing = [not baseline[n] for n in names]
    if sum(competing) < 2:
        competing = [True] * len(names)
        notes.append("baselines compete in the win rate, for fewer than two models are here")
    figures = standings(data, missing=missing, competing=competing, resamples=resamples, seed=seed)
    if uneven:
        notes.append(
            f"on {', '.join(uneven)} the models have different numbers of answers per item, and a win goes to the higher mean: "
            "0.67 of three beats 0 and loses to 1 of one. --orders natural compares like with like"
        )
    everything = [f"{b}:{v}" if v else b for b, v, _ in entries]
    for name in names:
        lacking = [t for t in everything if t not in held[name]]
        if lacking:
            notes.append(
                f"{name} lacks {', '.join(lacking)}: its mean and win rate are over what it has, "
                + ("and what it lacks counts as lost" if missing == "loss" else "so it is not ranked")
            )
    rows = sorted(
        zip(names, [baseline[n] for n in names], figures, strict=True),
        key=lambda r: (r[2].rank is None and not r[1], r[2].rate is None, -(r[2].rate or 0.0), r[0]),
    )
    return Overall(list(dict.fromkeys(b for b, _, _ in entries)), rows, missing, notes)
