#!/usr/bin/env python3
"""Tests of run_conformance.py itself, with a shell script in the place of rlc."""

import contextlib
import io
import stat
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import run_conformance
from support.outputs import first_difference, texts_agree


class RunnerTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def run_program(self, program, script, *options):
        rlc = self.folder / "rlc"
        rlc.write_text("#!/bin/sh\n" + script + "\n")
        rlc.chmod(rlc.stat().st_mode | stat.S_IXUSR)
        if program is not None:
            (self.folder / "program.rl").write_text(program)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = run_conformance.main(
                ["--rlc", str(rlc), "--folder", str(self.folder), "--timeout", "5", *options]
            )
        return status, output.getvalue()

    def assert_passes(self, *args):
        status, output = self.run_program(*args)
        self.assertEqual((status, output.splitlines()[-1]), (0, "1 passed, 0 failed"), output)

    def assert_fails(self, words, *args):
        status, output = self.run_program(*args)
        self.assertEqual(status, 1, output)
        self.assertIn(words, output)

    def test_expected_output_passes(self):
        self.assert_passes("# expect: x[t=3] = 0.25\nprint x\n", "echo 'x[t=3] = 0.2500001'")

    def test_warnings_are_expected_or_fail(self):
        warns = "echo 'a.rl:2:7: warning[E0403]: this gradient is 0: why' >&2; echo 'x = 1'"
        self.assert_passes("# expect: x = 1\n# warning: E0403 2:7 why\n", warns)
        self.assert_fails("unexpected warning `E0403 2:7", "# expect: x = 1\n", warns)
        self.assert_fails("expected warning", "# expect: x = 1\n# warning: E0403 2:7 why\n", "echo 'x = 1'")

    def test_wrong_value_fails(self):
        self.assert_fails("expected `x = 0.25`, got `x = 0.26`", "# expect: x = 0.25\n", "echo 'x = 0.26'")

    def test_wrong_index_fails(self):
        self.assert_fails("expected", "# expect: x[t=3] = 1\n", "echo 'x[t=4] = 1'")

    def test_missing_and_additional_lines_fail(self):
        self.assert_fails("got nothing", "# expect: x = 1\n# expect: y = 2\n", "echo 'x = 1'")
        self.assert_fails("expected nothing", "# expect: x = 1\n", "echo 'x = 1'; echo 'y = 2'")

    def test_tolerance_applies(self):
        self.assert_passes("# tolerance: 0.1\n# expect: x = 1.0\n", "echo 'x = 1.05'")

    def test_missing_expectation_fails(self):
        self.assert_fails("expects nothing", "print 1\n", "echo 'x = 1'")

    def test_misspelt_error_fails(self):
        self.assert_fails("cannot read", "# error: E12 words\n", "exit 1")

    def test_empty_run_fails(self):
        status, output = self.run_program(None, "exit 0")
        self.assertEqual((status, output), (1, "no program to run\n"))

    def test_missing_binary_fails(self):
        program = self.folder / "program.rl"
        program.write_text("# expect: x = 1\n")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            status = run_conformance.main(["--rlc", "/nonexistent/rlc", "--folder", str(self.folder)])
        self.assertEqual(status, 1)
        self.assertIn("FileNotFoundError", output.getvalue())

    def test_error_is_matched_by_code_place_and_words(self):
        script = "echo 'program.rl:2:5: error[E0123]: x is not defined at t = 3' >&2; exit 1"
        self.assert_passes("# error: E0123 2:5 not defined t=3\n", script)
        self.assert_passes("# error: E???? 2:* x\n", script)
        self.assert_fails("expected error", "# error: E0124 2:5 x\n", script)
        self.assert_fails("expected error", "# error: E0123 2:6 x\n", script)
        self.assert_fails("expected error", "# error: E0123 2:5 twice\n", script)
        self.assert_fails("got no more", "# error: E0123 2:5 x\n# error: E0123 3:1 y\n", script)

    def test_additional_error_fails(self):
        script = "for i in 2 3; do echo \"program.rl:$i:5: error[E0123]: x\" >&2; done; exit 1"
        self.assert_fails("unexpected error", "# error: E0123 2:5 x\n", script)

    def test_exit_status_is_checked(self):
        self.assert_fails("expected exit status 1", "# error: E0123 2:5 x\n", "exit 0")
        self.assert_fails("expected exit status 3", "# fault: division\n", "echo division >&2; exit 1")
        self.assert_passes("# fault: division\n", "echo division by zero >&2; exit 3")
        self.assert_passes("# usage: seed\n", "echo bad seed >&2; exit 2")

    def test_a_run_that_prints_and_fails_fails(self):
        self.assert_fails("expected exit status 0", "# expect: x = 1\n", "echo 'x = 1'; exit 1")

    def test_signal_timeout_and_exception_text_fail(self):
        self.assert_fails("SIGSEGV", "# error: E0123 2:5 x\n", "kill -SEGV $$")
        self.assert_fails("time limit", "# expect: x = 1\n", "sleep 60", "--timeout", "0.2")
        self.assert_fails("what():", "# expect: x = 1\n", "echo 'x = 1'; echo 'what(): bad' >&2")

    def test_update_fills_in_codes_only_where_the_rest_agrees(self):
        script = "echo 'program.rl:2:5: error[E0123]: x is twice' >&2; exit 1"
        self.run_program("# error: E???? 2:5 twice\n", script, "--update")
        self.assertEqual((self.folder / "program.rl").read_text(), "# error: E0123 2:5 twice\n")
        self.run_program("# error: E???? 2:*\n", script, "--update")
        self.assertEqual((self.folder / "program.rl").read_text(), "# error: E0123 2:5 x is twice\n")
        self.run_program("# error: E???? 2:9 twice\n", script, "--update")
        self.assertEqual((self.folder / "program.rl").read_text(), "# error: E???? 2:9 twice\n")

    def test_rewrite_moves_the_lines_with_the_expectations(self):
        script = "echo 'p.rl:3:5: error[E0123]: a' >&2; echo 'p.rl:4:1: error[E0124]: b' >&2; exit 1"
        self.run_program("# error: E???? 9:9 z\nx\ny\n", script, "--rewrite")
        self.assertEqual(
            (self.folder / "program.rl").read_text(), "# error: E0123 4:5 a\n# error: E0124 5:1 b\nx\ny\n"
        )

    def test_same_and_differs(self):
        script = 'case "$*" in *n=9*) echo "x = 1"; echo "x = 2";; *) echo "x = 1";; esac'
        self.assert_passes("# same: n=9\n", script)
        self.assert_passes("# differs: n=9\n", script)
        self.assert_fails("the same lines", "# differs: n=8\n", script)
        self.assert_fails("is not printed", "# args: n=9\n# same: n=8\n", 'echo "x = $*"')

    def test_other_options_reach_rlc(self):
        self.assert_passes("# expect: disable - pass\n", 'for a; do :; done; echo "$a" | cut -c3-14', "--disable-pass=cse")


class OutputsTest(unittest.TestCase):
    def test_integers_are_exact(self):
        self.assertTrue(texts_agree("x = 2147483647", "x = 2147483647", 1e-5))
        self.assertFalse(texts_agree("x = 2147483647", "x = 2147483646", 1e-5))

    def test_integral_floats_may_have_a_point(self):
        self.assertTrue(texts_agree("x = 1", "x = 1.0", 1e-5))

    def test_spaces_do_not_matter(self):
        self.assertTrue(texts_agree("x = [1, 2]", "x = [1,2]", 1e-5))

    def test_signs_do(self):
        self.assertFalse(texts_agree("x = -1", "x = 1", 1e-5))

    def test_nan_and_infinities(self):
        self.assertTrue(texts_agree("x = nan", "x = nan", 1e-5))
        self.assertFalse(texts_agree("x = inf", "x = -inf", 1e-5))
        self.assertFalse(texts_agree("x = 1.0", "x = nan", 1e-5))

    def test_booleans_are_not_numbers(self):
        self.assertFalse(texts_agree("x = true", "x = 1", 1e-5))

    def test_json_lines(self):
        left = '{"print": "x", "index": {"t": 3}, "value": [0.25, true]}'
        self.assertIsNone(first_difference([left], ['{"value":[0.25,true],"index":{"t":3},"print":"x"}'], 1e-5))
        self.assertIsNotNone(first_difference([left], [left.replace("true", "1")], 1e-5))
        self.assertIsNotNone(first_difference([left], ["not json"], 1e-5))


if __name__ == "__main__":
    unittest.main()
