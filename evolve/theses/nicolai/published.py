"""Published results of Nicolai's thesis, and decisions of our runs on its claims."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Literal

from agents.statistics.estimates import Sample, TTest
from evolve.theses.nicolai.summary import Experiment
from evolve.training.config_files import VARIANTS, variant_like, without_variant

Outcome = Literal["agrees", "contradicts", "undecided", "not tested"]


@dataclass(frozen=True)
class PublishedExperiment:
    """One published experiment.

    Attributes:
        name: Name of the preset.
        title: Its name in the source.
        controls: Mean rank of every champion (table 5.1).
        figure: Number of the figure of its progress.
        progress: Statement of the source about that figure.
    """

    name: str
    title: str
    controls: tuple[float, ...]
    figure: str
    progress: str

    @property
    def place(self) -> float:
        """Mean of the champions' ranks."""
        return math.fsum(self.controls) / len(self.controls)


@dataclass(frozen=True)
class Claim:
    """A published claim; ``published.toml`` explains the kinds."""

    kind: Literal["order", "against", "opponent", "trend"]
    better: str = ""
    worse: str = ""
    experiment: str = ""
    expected: str = ""
    opponents: tuple[str, ...] = ()
    opponent: str = ""
    easier: str = ""
    harder: str = ""


@dataclass(frozen=True)
class Published:
    """All of ``published.toml``."""

    source: str
    blocks: int
    generations: int
    tournaments: int
    population: int
    baseline_field: dict[str, float]
    experiments: tuple[PublishedExperiment, ...]
    claims: tuple[Claim, ...]

    def experiment(self, name: str) -> PublishedExperiment | None:
        """The experiment of a preset, under any of its readings."""
        plain = without_variant(name)
        return next((one for one in self.experiments if one.name == plain), None)


@cache
def load_published() -> Published:
    """The published results."""
    text = (resources.files("evolve.theses.nicolai") / "published.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    return Published(
        experiments=tuple(
            PublishedExperiment(**{**one, "controls": tuple(one["controls"])})
            for one in values.pop("experiment")
        ),
        claims=tuple(
            Claim(**{**one, "opponents": tuple(one.get("opponents", ()))})
            for one in values.pop("claim")
        ),
        **values,
    )


@dataclass(frozen=True)
class Finding:
    """Decision of our runs on a claim.

    Attributes:
        claim: The claim in words.
        difference: Our estimate, negative where the first-named is better; nan if not tested.
        low: Lower bound of its 95% interval; nan with a single seed.
        high: Upper bound.
        unit: Unit of the difference.
        p: p-value of the difference, of this claim alone; nan with a single seed.
        published: The published difference, where there is one.
        outcome: Conclusion.
    """

    claim: str
    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    unit: str = "places"
    published: float | None = None
    outcome: Outcome = field(default="not tested")

    @property
    def published_size(self) -> str:
        """``"inside"`` or ``"outside"`` for the published difference; empty if unknown.

        >>> Finding("a claim", -0.1, -0.3, 0.1, published=-1.9).published_size
        'outside'
        """
        if self.published is None or math.isnan(self.low):
            return ""
        return "inside" if self.low <= self.published <= self.high else "outside"


def decide(low: float, high: float, expected: str) -> Outcome:
    """Outcome of a claim by the interval of a difference; negative is better.

    A claim of no difference is contradicted by an interval without zero, and cannot be confirmed.

    >>> decide(-2.0, -1.0, "better"), decide(-2.0, -1.0, "worse"), decide(-1.0, 1.0, "better")
    ('agrees', 'contradicts', 'undecided')
    """
    if math.isnan(low) or low <= 0.0 <= high:
        return "undecided"
    return "agrees" if expected == ("better" if high < 0.0 else "worse") else "contradicts"


def findings(experiments: Mapping[str, Experiment]) -> list[Finding]:
    """Decisions on all published claims, as far as our runs permit.

    Claims under the readings of the published presets come first, then those under other readings.
    """
    found: list[Finding] = []
    for interpretation in VARIANTS:
        claims = {_read(claim, interpretation): None for claim in load_published().claims}
        decided = [_find(claim, experiments) for claim in claims]
        known = {one.claim for one in found}
        found += [
            one
            for one in decided
            if not interpretation or (one.outcome != "not tested" and one.claim not in known)
        ]
    return found


def _read(claim: Claim, interpretation: str) -> Claim:
    """The claim under other readings."""

    def read(name: str) -> str:
        return variant_like(name, interpretation) if name else name

    return replace(
        claim,
        better=read(claim.better),
        worse=read(claim.worse),
        experiment=read(claim.experiment),
        easier=read(claim.easier),
        harder=read(claim.harder),
    )


def _find(claim: Claim, ours: Mapping[str, Experiment]) -> Finding:
    published = load_published()
    if claim.kind == "order":
        first, second = published.experiment(claim.better), published.experiment(claim.worse)
        gap = first.place - second.place if first and second else None
        words = f"{claim.better} is better than {claim.worse}"
        if claim.better not in ours or claim.worse not in ours:
            return Finding(words, published=gap)
        test = ours[claim.better].place.compare(ours[claim.worse].place, lower_is_better=True)
        return replace(_decided(words, test, "better"), published=gap)
    if claim.kind == "opponent":
        words = f"{claim.opponent} does worse against {claim.harder} than against {claim.easier}"
        if not {claim.harder, claim.easier} <= set(ours):
            return Finding(words)
        if claim.opponent not in ours[claim.harder].runs[0].opponents:
            return Finding(words)
        harder = ours[claim.harder].opponent(claim.opponent)
        easier = ours[claim.easier].opponent(claim.opponent)
        return _decided(words, harder.compare(easier, lower_is_better=True), "worse")
    if claim.kind == "against":
        return _find_against(claim, ours.get(claim.experiment))
    return _find_trend(claim, ours.get(claim.experiment))


def _find_against(claim: Claim, experiment: Experiment | None) -> Finding:
    words = f"{claim.experiment} is {claim.expected} than {_listed(claim.opponents)}"
    known = experiment.runs[0].opponents if experiment else {}
    if experiment is None or not set(claim.opponents) <= set(known):
        return Finding(words)
    samples = [experiment.ahead_of(name) for name in claim.opponents]
    # The claim is about all of them, so the closest one decides.
    closest = (max if claim.expected == "better" else min)(samples, key=lambda one: one.mean)
    outcomes = {decide(*sample.interval(), claim.expected) for sample in samples}
    outcome: Outcome = "undecided"
    if outcomes == {"agrees"}:
        outcome = "agrees"
    elif "contradicts" in outcomes:
        outcome = "contradicts"
    return replace(_decided(words, _against_zero(closest), claim.expected), outcome=outcome)


def _find_trend(claim: Claim, experiment: Experiment | None) -> Finding:
    what = {"better": "makes progress", "worse": "gets worse", "none": "makes no progress"}
    words = f"{claim.experiment} {what[claim.expected]}"
    gain = experiment.gain if experiment else None
    if gain is None:
        return Finding(words, unit="% of the field")
    percent = Sample(tuple(100.0 * value for value in gain.values))
    found = _decided(words, _against_zero(percent), claim.expected)
    return replace(found, unit="% of the field")


def _against_zero(sample: Sample) -> TTest:
    """Test of the mean of a sample of differences."""
    return TTest(sample.mean, sample.error, sample.count - 1, lower_is_better=True)


def _decided(words: str, test: TTest, expected: str) -> Finding:
    low, high = test.interval()
    outcome = decide(low, high, expected)
    return Finding(words, test.difference, low, high, test.p, outcome=outcome)


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
