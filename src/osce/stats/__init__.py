"""Means with intervals, paired tests, win rate, order bias. Arrays in, tables out; numpy only; imports no other room."""

from osce.stats.bootstrap import Estimate, Interval, estimate
from osce.stats.compare import Comparison, holm, paired
from osce.stats.order_bias import Answers, OrderBias, order_bias
from osce.stats.winrate import DataSet, Standing, pair_rates, standings

__all__ = [
    "Answers",
    "Comparison",
    "DataSet",
    "Estimate",
    "Interval",
    "OrderBias",
    "Standing",
    "estimate",
    "holm",
    "order_bias",
    "pair_rates",
    "paired",
    "standings",
]
