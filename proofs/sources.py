# SPDX-License-Identifier: Apache-2.0
"""What the proof must not rest on, looked for in the sources themselves."""
import re
from pathlib import Path

# Every function of these is proved, and every inline one of the headers that they include.
PROVED = ("src/pool/*.c", "src/registry/*.c", "src/device/planner.c", "proofs/laws/*.c")
# Save these: what the proofs call of them is taken at its contract, and no more is called.
EXCEPT = ("src/registry/hash.c", "src/registry/engine.c", "src/registry/engine_bed.c",
          "src/registry/engine_life.c", "src/registry/engine_queue.c",
          "src/registry/engine_serve.c")
ASSUMED = ("kvp_hash_block", "kvp_hash_sequence")
# All that these read, and more, is searched.
FOLDERS = ("include/kvpool", "spec/logic", "src/pool", "src/registry", "src/device",
           "proofs/laws")
FORBIDDEN = {
    r"\b(axiom|axiomatic|admit|inductive)\b": "nothing may be taken for true",
    r"\bcheck\s+[a-z\\]": "what is only checked proves nothing later",
    r"\bterminates\s+(?!\\true;)": "every function ends",
    r"\b(__asm__|asm)\b": "no prover reads it",
}
# The only way to show a prover other text than the compiler, but for two branches. That of the
# dialect is pinned whole.
LOGIC = re.compile(r'#ifdef __FRAMAC__\n(#include "spec/logic/\w+\.h"\n)+#endif\n')
BRANCHES = {
    "src/pool/bits.h": re.compile(r"#if defined\(__GNUC__\) && !defined\(__FRAMAC__\)\n"),
    "src/device/dialect.h": re.compile(
        r"#elif defined\(__FRAMAC__\)\n\n/\*[^/]*\*/\n#define GLOBAL\n"
        r"#define FUNCTION static inline\n#define LOAD\(p\) \(\*\(p\)\)\n"
        r"#define STORE\(p, v\) \(\*\(p\) = \(v\)\)\n\n#else\n"),
}
TRUSTED = Path("proofs/trusted.md")


def proved_files():
    return [str(path) for pattern in PROVED for path in sorted(Path().glob(pattern))
            if str(path) not in EXCEPT]


def texts():
    for folder in FOLDERS:
        for path in sorted(Path(folder).glob("*.[ch]")):
            yield str(path), path.read_text(encoding="utf-8")


def without_prose(text):
    """The text without its comments, but with annotations."""
    return re.sub(r"/\*(?!@).*?\*/|//(?!@).*?$", "", text, flags=re.S | re.M)


def recursive_definitions(text):
    pattern = r"\b(?:logic|predicate)\s+(?:[\w*]+\s+)*?(\w+)\s*(?:\{[^}]*\})?\s*\([^)]*\)\s*=(.*?);"
    return [name for name, body in re.findall(pattern, text, re.S)
            if re.search(rf"\b{name}\b", body)]


def inline_functions():
    """Those that headers define."""
    return {name for path, text in texts() if path.endswith(".h")
            for name in re.findall(r"^(?:static inline|FUNCTION) [^(;]*?(\w+)\(", text, re.M)}


def complaints():
    trusted = TRUSTED.read_text(encoding="utf-8")
    found = [f"{name}'s contract is taken on trust, and {TRUSTED} does not name it"
             for name in ASSUMED if f"`{name}`" not in trusted]
    for path, text in texts():
        proved = without_prose(text)
        for pattern, why in FORBIDDEN.items():
            found += [f"{path}: `{match[0].strip()}`: {why}"
                      for match in re.finditer(pattern, proved)]
        found += [f"{path}: {name} is recursive, and {TRUSTED} does not name it"
                  for name in recursive_definitions(proved) if f"`{name}`" not in trusted]
        rest = LOGIC.sub("", text)
        if path in BRANCHES:
            rest = BRANCHES[path].sub("", rest, count=1)
        if "__FRAMAC__" in rest:
            found.append(f"{path}: __FRAMAC__ hides code from the proof")
    return found
