"""The examples of the docstrings and of the README, and the notebooks."""

import doctest
import importlib
import pkgutil
import re
import runpy

import pytest
from conftest import PROJECT

import isolde

MODULES = [
    module.name for module in pkgutil.iter_modules(isolde.__path__, "isolde.") if not module.name.endswith("__main__")
]


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch):
    monkeypatch.chdir(PROJECT)


@pytest.mark.parametrize("name", ["isolde", *MODULES])
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_readme():
    readme = (PROJECT / "python" / "README.md").read_text()
    session = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE))
    runner = doctest.DocTestRunner()
    result = runner.run(doctest.DocTestParser().get_doctest(session, {}, "README.md", None, 0))
    assert result.attempted > 10 and result.failed == 0


@pytest.mark.parametrize("notebook", sorted((PROJECT / "python" / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_notebooks(notebook):
    source = notebook.read_text()
    assert source.startswith("# %% [markdown]") and "\n# %%\n" in source
    runpy.run_path(str(notebook), run_name="__main__")


def test_everything_public_is_documented():
    for name in isolde.__all__:
        thing = getattr(isolde, name)
        if callable(thing) and getattr(thing, "__module__", "").startswith("isolde"):
            assert thing.__doc__, name
