"""Properties files: what is written is what Java reads."""

import json
import subprocess
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.sonarqube.java import SCANNER_JAVA, find_java
from swe_assets.sonarqube.java_properties import properties_text

SETTINGS = {
    "sonar.projectName": " leading blank, = : # ! and \\ back",
    "key with = : # !": "value\nwith\tcontrols\r\f",
    "ação": "é 漢字 \U0001f600",
    "empty": "",
    "m1.sonar.inclusions": "#a.py,!b.py",
}
READER = """
import java.io.*; import java.nio.charset.*; import java.util.*;
public class Reader {
  public static void main(String[] a) throws Exception {
    Properties p = new Properties();
    try (Reader0 r = new Reader0(a[0])) { p.load(r); }
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    for (String k : p.stringPropertyNames()) out.println(hex(k) + " " + hex(p.getProperty(k)));
  }
  static class Reader0 extends InputStreamReader {
    Reader0(String f) throws IOException { super(new FileInputStream(f), StandardCharsets.UTF_8); }
  }
  static String hex(String s) {
    StringBuilder b = new StringBuilder("x");
    for (byte c : s.getBytes(StandardCharsets.UTF_8)) b.append(String.format("%02x", c));
    return b.toString();
  }
}
"""


def test_the_escapes_of_the_format() -> None:
    """Separators in keys, a leading blank, controls and what is not ASCII are escaped."""
    assert properties_text({"a b": " c", "d": "é\\"}) == "a\\ b=\\ c\nd=\\u00e9\\\\\n"


def test_java_reads_what_was_written(tmp_path: Path) -> None:
    """`java.util.Properties.load` gives back every key and value."""
    try:
        java = find_java(SCANNER_JAVA, what="this test").path
    except ConfigurationError as lacking:
        pytest.skip(str(lacking))
    (tmp_path / "Reader.java").write_text(READER, encoding="utf-8")
    (tmp_path / "p").write_text(properties_text(SETTINGS), encoding="ascii")
    command = [str(java), str(tmp_path / "Reader.java"), str(tmp_path / "p")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if "compiler" in done.stderr.lower() and done.returncode:
        pytest.skip("this Java cannot compile")
    pairs = (line.split() for line in done.stdout.splitlines())
    read = {bytes.fromhex(k[1:]).decode(): bytes.fromhex(v[1:]).decode() for k, v in pairs}
    assert json.dumps(read, sort_keys=True) == json.dumps(SETTINGS, sort_keys=True)
