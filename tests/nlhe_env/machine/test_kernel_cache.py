"""The files of compiled kernels, written by several processes at once."""

from __future__ import annotations

import pytest

from nlhe_env.machine.compilation import _KernelCacheFile

STAMP = "digest of the source"


@pytest.mark.parametrize("step", ["_load_index", "_save_index", "_save_data"])
def test_no_process_gets_the_code_that_another_one_compiled_for_other_arguments(tmp_path, step):
    """One process saves its code at any step of the other's saving."""
    one, other = (_KernelCacheFile(str(tmp_path), "kernel-1.py311", STAMP) for _ in range(2))
    plain = getattr(one, step)

    def interrupted(*arguments):
        delattr(one, step)
        if step == "_load_index":
            read = plain(*arguments)
            other.save("int64", "code for int64")
            return read
        other.save("int64", "code for int64")
        return plain(*arguments)

    setattr(one, step, interrupted)
    one.save("float64", "code for float64")
    late = _KernelCacheFile(str(tmp_path), "kernel-1.py311", STAMP)
    found = {key: late.load(key) for key in ("int64", "float64")}
    assert found["float64"] == "code for float64"
    assert found["int64"] in ("code for int64", None)  # None: it is compiled again


def test_code_of_another_source_is_not_loaded(tmp_path):
    _KernelCacheFile(str(tmp_path), "kernel-1.py311", STAMP).save("int64", "code")
    assert _KernelCacheFile(str(tmp_path), "kernel-1.py311", "another").load("int64") is None
