"""Checks many things at once and says how many passed."""

from concurrent.futures import ThreadPoolExecutor


def check_all(items, check, name, jobs):
    """The exit status; `check` gives what is wrong with an item, or None, and `name` what to call it."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        problems = list(pool.map(check, items))
    failed = 0
    for item, problem in zip(items, problems):
        if problem:
            failed += 1
            print(f"FAILED {name(item)}: {problem}")
    print(f"{len(items) - failed} passed, {failed} failed")
    return 1 if failed else 0
