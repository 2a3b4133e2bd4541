# SPDX-License-Identifier: Apache-2.0
"""HTML of plans and reports, for notebooks."""
import html
from pathlib import Path

_BAD = ' style="background:#fdd"'


def _cells(values, tag="td"):
    return "".join(f"<{tag}>{html.escape(str(value))}</{tag}>" for value in values)


def plan(self):
    """A plan's own words, as a table: passes, traffic, expected cost, and the model's counts."""
    rows = [line.split(None, 1) for line in self.explain().splitlines() if line and not line.startswith(" ")]
    model = [line.split() for line in self.explain().splitlines() if line.startswith("  ")]
    body = "".join(f"<tr>{_cells(row[:1], 'th')}{_cells(row[1:])}</tr>" for row in rows)
    return f"<table>{body}</table>" + (f"<pre>{html.escape(chr(10).join('  '.join(row) for row in model))}</pre>" if model else "")


def report(self):
    """A row for each array that a line of the source accesses, the most wasteful first and those that waste marked, what would
    mend them, the hazards, and the source."""
    head = ["line", "space", "op", "array", "rounds", "requests", "ideal", "wasted", "verdict"]
    body, advice, wasteful = [], [], self.wasteful
    for r in sorted(self.rounds, key=lambda r: min(r["ideal_requests"] - r["requests"], 0)):
        values = [r_place(r), r["space"], r["op"], r.get("array", ""), r["rounds"], r["requests"], r["ideal_requests"],
                  f"{r.get('share', 0):.1%}", r["verdict"]]
        body.append(f"<tr{_BAD if r in wasteful else ''}>{_cells(values)}</tr>")
        if "advice" in r:
            advice.append(f"<li>{html.escape(r_place(r))}, {r['space']} {r['op']} of {html.escape(r['array'])}: {html.escape(r['advice'])}</li>")
    hazards = "".join(f"<li>{html.escape(f'{h_file(h)}: {h_text(h)}')}</li>" for h in self.hazards)
    return (f"<table><tr>{_cells(head, 'th')}</tr>{''.join(body)}</table>" + (f"<ul>{''.join(advice)}</ul>" if advice else "")
            + f"<p>{self.time_units} time units</p>" + (f"<ul>{hazards}</ul>" if hazards else "") + _source(self))


def r_place(row):
    """A row's line, and where its function was called."""
    return f"{row['file']}:{row['line']}" + (f" < {row['called_from']}" if row.get("called_from") else "")


def h_file(hazard):
    return f"{hazard['file']}:{hazard['line']}"


def h_text(hazard):
    return f"{hazard['kind']} in {hazard['kernel']}: {hazard['text']} ({hazard['count']} times)"


def _source(self):
    """The file of a lint, or its text, with what was counted beside its lines."""
    is_text = self.source is not None and "\n" in self.source
    if self.source is None or not (is_text or Path(self.source).exists()):
        return ""
    name = "source.cu" if is_text else Path(self.source).name
    notes, bad, wasteful = {}, {h["line"] for h in self.hazards}, self.wasteful
    for r in self.rounds:
        if r["file"] == name:
            notes.setdefault(r["line"], []).append(f"{r['space']} {r['op']}: {r['requests']} for {r['ideal_requests']}")
            if r in wasteful:
                bad.add(r["line"])
    lines = (self.source if is_text else Path(self.source).read_text(errors="replace")).splitlines()
    marked = (f"<span{_BAD if k in bad else ''}>{k:4}  {html.escape(line)}{html.escape('   // ' + '; '.join(notes[k])) if k in notes else ''}</span>"
              for k, line in enumerate(lines, start=1))
    return "<details><summary>source</summary><pre>" + "\n".join(marked) + "</pre></details>"
