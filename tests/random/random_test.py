#!/usr/bin/env python3
"""Tests of the generator, the comparer and the minimizer, with a shell script in the place of rlc."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare
import endings
import gradients
from generate import generate
from minimize import minimized


class GeneratorTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_program(self):
        self.assertEqual(generate("3:4", 6), generate("3:4", 6))
        self.assertNotEqual(generate("3:4", 6), generate("3:5", 6))

    def test_every_program_prints_something(self):
        for number in range(300):
            self.assertIn("\nprint ", generate(f"1:{number}", 4))

    def test_the_kinds_of_things_occur(self):
        text = "".join(generate(f"2:{number}", 6) for number in range(200))
        for part in ("grad(", "~ Uniform", "where", "until", "[..]", "f64(", "clip(", " over ", "record", "softmax(", "argmax(",
                     "cumsum(", "sort(", "begin(", "end(", "..=", "if ", "any(", "reparam("):
            self.assertIn(part, text)
        self.assertRegex(text, r"\w+\[.*\] = if \w+ == k\d+\b.* else y\d+\[")


class EndingsTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_program(self):
        self.assertEqual(endings.generate("3:4"), endings.generate("3:4"))
        self.assertNotEqual(endings.generate("3:4"), endings.generate("3:5"))

    def test_the_kinds_of_things_occur(self):
        text = "".join(endings.generate(f"2:{number}") for number in range(100))
        for part in ("until", "grad(", "end(s)", "max(", "mean(", "sum(", "[b, s+1] =", "[b, s: s - 1]", "~ Uniform", "dot("):
            self.assertIn(part, text)


class MinimizeTest(unittest.TestCase):
    def test_only_what_matters_stays(self):
        text = "a = 1\nb = f(2 + g(3))\nc = 4\n"
        self.assertEqual(minimized(text, lambda t: "g(3)" in t), "b = f(2 + g(3))\n")
        self.assertEqual(minimized(text, lambda t: "b =" in t), "b = 0.5\n")


class CompareTest(unittest.TestCase):
    def compare(self, script, *options):
        with tempfile.TemporaryDirectory() as folder:
            rlc = Path(folder) / "rlc"
            rlc.write_text("#!/bin/sh\n" + script + "\n")
            rlc.chmod(0o755)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = compare.main(["--rlc", str(rlc), "--count", "4", "--seed", "1", "--out", folder + "/out", *options])
            return status, output.getvalue()

    def test_agreement(self):
        status, output = self.compare("echo 'x = 1.0'")
        self.assertEqual(status, 0, output)
        self.assertIn("4 agree, 0 differ, 0 refused", output)

    def test_another_value_fails(self):
        status, output = self.compare('case "$*" in *interp*) echo "x = 1.0";; *) echo "x = 1.1";; esac')
        self.assertEqual(status, 1)
        self.assertIn("expected `x = 1.0`, got `x = 1.1`", output)

    def test_a_value_within_tolerance_passes(self):
        status, _ = self.compare('case "$*" in *interp*) echo "x = 1.0";; *) echo "x = 1.00001";; esac')
        self.assertEqual(status, 0)

    def test_flags_are_runs_of_their_own(self):
        status, output = self.compare('case "$*" in *=cse*) echo "x = 2.0";; *) echo "x = 1.0";; esac', "--flags=--disable-pass=cse")
        self.assertEqual(status, 1)
        self.assertIn("disable-pass=cse", output)

    def test_each_pass_is_left_out_in_turn(self):
        script = 'case "$*" in *=?) echo "no pass; the passes are fold, cse" >&2; exit 2;; *=cse*) echo "x = 2";; *) echo "x = 1";; esac'
        status, output = self.compare(script, "--passes", "each", "--no-minimize")
        self.assertEqual(status, 1)
        self.assertIn("cpu --disable-pass=cse: line 1", output)

    def test_some_passes_are_left_out(self):
        script = """case "$*" in *=?) echo "the passes are fold, cse" >&2; exit 2;; *=fold*=cse*) echo "x = 2";; *) echo "x = 1";; esac"""
        status, output = self.compare(script, "--passes", "random", "--no-minimize", "--count", "20")
        self.assertEqual(status, 1)
        self.assertIn("--disable-pass=fold --disable-pass=cse: line 1", output)
        self.assertRegex(output, r"[1-9]\d* agree")

    def test_a_crash_fails(self):
        status, output = self.compare('case "$*" in *interp*) echo "x = 1.0";; *) kill -SEGV $$;; esac', "--no-minimize")
        self.assertEqual(status, 1)
        self.assertIn("SIGSEGV", output)

    def test_programs_that_both_refuse_fail(self):
        status, output = self.compare("echo 'p.rl:1:1: error[E0101]: unknown' >&2; exit 1", "--no-minimize")
        self.assertEqual(status, 1)
        self.assertIn("4 refused", output)


class GradientsTest(unittest.TestCase):
    def gradients(self, lines):
        with tempfile.TemporaryDirectory() as folder:
            rlc = Path(folder) / "rlc"
            rlc.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines))
            rlc.chmod(0o755)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = gradients.main(["--rlc", str(rlc), "--count", "2", "--out", folder + "/out"])
            return status, output.getvalue()

    def test_what_the_differences_show_passes(self):
        status, output = self.gradients(["L = 1.5", "g = [0.0, 0.0, 0.0]", "h = [0.0, 0.0, 0.0]"])
        self.assertEqual(status, 0, output)
        self.assertIn("12 derivatives compared", output)

    def test_another_first_or_second_derivative_fails(self):
        for wrong in (["g = [0.0, 0.1, 0.0]", "h = [0.0, 0.0, 0.0]"], ["g = [0.0, 0.0, 0.0]", "h = [0.0, 0.0, 0.1]"]):
            status, output = self.gradients(["L = 1.5", *wrong])
            self.assertEqual(status, 1)
            self.assertIn("= 0.1, by differences 0.0", output)

    def test_the_kinds_of_things_occur(self):
        text = "".join(gradients.Maker(f"1:{number}").text() for number in range(60))
        for part in ("[t: j]", "logsumexp(", "softmax(", "cumsum(", "sort(", "max(", "R(u", "concat(", "k in 0..=t", "if k % 2"):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
