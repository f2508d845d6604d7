"""youju eval: question sets, runs, reports, and what is decided by them. One file a group of commands."""

from youju.cli.eval.deciding import compare, gate
from youju.cli.eval.labels import label
from youju.cli.eval.making import draft, import_, split
from youju.cli.eval.run import report, run_
from youju.cli.eval.sets import audit
from youju.cli.eval.tuning import calibrate, sweep
from youju.cli.frame import Group

eval_ = Group("eval", help="评测：题目集、对照运行、报告与门禁。", short_help="评测")
for command in (draft, import_, split, audit, run_, report, compare, gate, calibrate, sweep, label):
    eval_.add_command(command)
