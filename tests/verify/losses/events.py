"""Stand-ins for the events of dp_accounting, told by the names of their classes and package: the
library asks for an older attrs than the tests have.
"""

from types import SimpleNamespace

_FIELDS = {
    "NoOpDpEvent": "",
    "NonPrivateDpEvent": "",
    "UnsupportedDpEvent": "",
    "RandomizedResponseDpEvent": "noise_parameter num_buckets",
    "GaussianDpEvent": "noise_multiplier",
    "LaplaceDpEvent": "noise_multiplier",
    "DiscreteLaplaceDpEvent": "noise_parameter sensitivity",
    "SelfComposedDpEvent": "event count",
    "ComposedDpEvent": "events",
    "PoissonSampledDpEvent": "sampling_probability event",
    "SampledWithReplacementDpEvent": "source_dataset_size sample_size event",
    "SampledWithoutReplacementDpEvent": "source_dataset_size sample_size event",
    "SingleEpochTreeAggregationDpEvent": "noise_multiplier step_counts",
    "RepeatAndSelectDpEvent": "event mean shape",
    "MixtureOfGaussiansDpEvent": "standard_deviation sensitivities sampling_probs",
    "ZCDpEvent": "rho xi",
    "TruncatedSubsampledGaussianDpEvent": "dataset_size sampling_probability truncated_batch_size noise_multiplier",
}


def _class(name, fields):
    def start(self, *values):
        vars(self).update(zip(fields.split(), values, strict=True))

    return type(name, (), {"__init__": start, "__module__": "dp_accounting.dp_event"})


EVENTS = {name: _class(name, fields) for name, fields in _FIELDS.items()}
dp = SimpleNamespace(**{name.removesuffix("DpEvent"): made for name, made in EVENTS.items()})
