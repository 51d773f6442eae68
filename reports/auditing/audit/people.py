"""The people whose recorded data a framework is fitted to, in an audit: what a mechanism leaks
about each under a chain of its own, and the verdict that counts them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pufferproof.lp.accounting.releases.least import Who, who_of
from pufferproof.lp.accounting.releases.plan import Fitted, Plan
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.reports.auditing.words import audit_lines
from pufferproof.reports.console.people import contrary_text, people_lines
from pufferproof.reports.schemas import audit as schema
from pufferproof.reports.schemas.fit import Doubt
from pufferproof.reports.schemas.fit import Who as WhoAnswer
from pufferproof.verify.audit import Audit

_PEOPLE = "people"


@dataclass(frozen=True)
class People:
    """An audit of the chain that is fitted to recorded data, and what is leaked about every group;
    `who` is None without groups.
    """

    fit: Fit
    audit: Audit
    who: Who | None

    @classmethod
    def of(cls, fitted: Fitted, audit: Audit, told: Callable[[str], object], accept_doubt: bool) -> "People":
        """Audit every group."""
        form, fit = audit.mechanism, fitted.fit
        queries = form.queries if isinstance(form, NoisyQueries) else ()
        along = tuple(query for query in queries if isinstance(query, RecordQuery))
        planned = along if len(along) == len(queries) else ()
        plan = Plan(audit.of or audit.framework, (planned,), audit.level, data=("", fit))
        who = who_of(plan, told, accept_doubt, None if planned else form)
        return cls(fit, audit, who)

    @property
    def contrary(self) -> bool:
        """Whether the model keeps the level and groups that differ from it do not."""
        model = self.audit.verdict
        return self.who is not None and self.who.verdict(model) is not model

    @property
    def accepted(self) -> bool:
        """Whether the verdict is that of the model because the doubt is accepted."""
        return self.who is not None and self.who.set_aside(self.audit.verdict)

    def answer(self, answer: schema.Audit) -> schema.Audit:
        """Return the answer with what is leaked about groups."""
        fields: dict[str, object] = {"doubts": [Doubt.model_validate(doubt.as_json()) for doubt in self.fit.doubts]}
        if self.who is not None:
            model, verdict = self.audit.verdict, self.who.verdict(self.audit.verdict)
            fields["model"] = None if model is None else model.value
            fields["verdict"] = None if verdict is None else verdict.value
            fields["who"] = WhoAnswer.model_validate(self.who.as_json())
        return answer.model_copy(update=fields)

    def lines(self) -> list[str]:
        """Say the same on a terminal, the verdict first."""
        first, *others = audit_lines(self.audit)
        if self.contrary and self.who is not None:
            first = contrary_text(self.who, _PEOPLE)
        doubts = [f"doubt     {doubt}" for doubt in self.fit.doubts]
        people = people_lines(self.who, _PEOPLE, self.accepted)
        assumed = [f"assumed   {each}" for each in self.fit.beside]
        return [first, *doubts, *assumed, *people, *others]
