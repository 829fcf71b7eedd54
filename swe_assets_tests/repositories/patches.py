"""Patches that the tests apply, each as a model could have written it."""


def edit(path: str = "pkg/mod.py", header: str = "@@ -6,5 +6,5 @@", added: str = "    total = 1") -> str:
    """Return a patch of one line in the tests' module, under a header of choice."""
    return (
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{header}\n"
        f" \n \n def second(b):\n-    total = 0\n+{added}\n     return total + b\n"
    )


def new_file(path: str, *lines: str, count: int | None = None) -> str:
    """Return a patch that adds a file; `count` is what its header claims."""
    stated = len(lines) if count is None else count
    body = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +1,{stated} @@\n{body}"
    )


def deletion(path: str, *lines: str) -> str:
    """Return a patch that deletes a file of these lines."""
    body = "".join(f"-{line}\n" for line in lines)
    return (
        f"diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n"
        f"@@ -1,{len(lines)} +0,0 @@\n{body}"
    )


def rename(old: str, new: str, word: str = "rename") -> str:
    """Return a patch that renames or copies a file without changing it."""
    return f"diff --git a/{old} b/{new}\nsimilarity index 100%\n{word} from {old}\n{word} to {new}\n"
