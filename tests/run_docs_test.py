#!/usr/bin/env python3
"""Tests of run_docs.py, with a shell script in the place of rlc."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import run_docs


class DocsTest(unittest.TestCase):
    def run_docs(self, text, script):
        with tempfile.TemporaryDirectory() as scratch:
            rlc, page = Path(scratch) / "rlc", Path(scratch) / "page.md"
            rlc.write_text("#!/bin/sh\n" + script + "\n")
            rlc.chmod(0o755)
            page.write_text(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = run_docs.main(["--rlc", str(rlc), str(page)])
            return status, output.getvalue()

    def page(self, comment, output):
        return f"Text.\n\n{comment}\n```rl\nx = 1\nprint x\n```\n\nPrints\n\n```text\n{output}\n```\n"

    def test_an_example_that_prints_what_it_should(self):
        self.assertEqual(self.run_docs(self.page("<!-- run: n=3 -->", "x = 1"), 'cat example.rl >/dev/null && echo "x = 1"')[0], 0)

    def test_arguments_are_passed(self):
        self.assertEqual(self.run_docs(self.page("<!-- run: n=3 -->", "run example.rl n=3"), 'echo "$1 $2 $3"')[0], 0)

    def test_other_output_fails(self):
        status, output = self.run_docs(self.page("<!-- run: -->", "x = 1"), 'echo "x = 2"')
        self.assertEqual(status, 1)
        self.assertIn("page.md:4: prints something else", output)

    def test_dots_stand_for_lines(self):
        self.assertEqual(self.run_docs(self.page("<!-- run: -->", "x = 1\n...\nx = 9"), "for k in 1 2 3 9; do echo x = $k; done")[0], 0)
        self.assertEqual(self.run_docs(self.page("<!-- run: -->", "x = 1\n...\nx = 9"), "for k in 1 2 3; do echo x = $k; done")[0], 1)

    def test_a_refused_example_shows_its_error(self):
        script = "echo 'example.rl:1:5: error[E0101]: there is no `y`' >&2; exit 1"
        self.assertEqual(self.run_docs(self.page("<!-- run: -->", "example.rl:1:5: error[E0101]: there is no `y`"), script)[0], 0)

    def test_a_block_without_an_order_fails(self):
        status, output = self.run_docs(self.page("<!-- run: -->", "x = 1") + "\n```rl\ny\n```\n", 'echo "x = 1"')
        self.assertEqual(status, 1)
        self.assertIn("neither run, check nor fragment", output)

    def test_a_page_without_examples_fails(self):
        self.assertEqual(self.run_docs("Nothing.\n", "exit 0")[0], 1)

    def test_check_and_fragment(self):
        page = self.page("<!-- check -->", "").split("Prints")[0]
        self.assertEqual(self.run_docs(page, "exit 0")[0], 0)
        self.assertEqual(self.run_docs(page, "echo bad >&2; exit 1")[0], 1)
        self.assertEqual(self.run_docs(page + "<!-- fragment -->\n```rl\n...\n```\n", "exit 0")[0], 0)


if __name__ == "__main__":
    unittest.main()
