"""Forty strings that would do something if any page took them for more than text, and a table made of them."""

from __future__ import annotations

import csv
from pathlib import Path

HOST = "evil.example"
NAMES = (
    f"![name](http://{HOST}/name.png)",
    "<script>window.__hit='name'</script>",
    f"<img src=x onerror=\"window.__hit='name';fetch('http://{HOST}/n')\">",
    f"[name](http://{HOST}/name)",
    r"$\href{javascript:alert(1)}{name}$",
    "**bold** _name_ `code`",
    "</style><script>alert('name')</script>",
    "group <marquee onstart=alert(4)>",
)
LEVELS = (
    (f"![a](http://{HOST}/a.png)", f"<a href='http://{HOST}/b'>b</a>", f"<http://{HOST}/c>", f"http://{HOST}/d"),
    ("<b onmouseover=alert('e')>e</b>", "<svg/onload=alert('f')>", "<iframe src=javascript:alert('g')>", "</div><h1>h"),
    ("javascript:alert('i')", "data:text/html,<script>alert('j')</script>", "{{7*7}} ${7*7} k", "%3Cscript%3El"),
    ("'; alert('m');//", '"><script>alert("n")</script>', "<!--o", "]]><p>p"),
    (":material/home: q", ":red[r] :smile:", "# heading s", "- list t"),
    (f"=HYPERLINK('http://{HOST}/u')", "@SUM(1+1) v", "<style>*{display:none}</style>w", "<meta http-equiv=refresh>x"),
    ("[y]: http://evil.example", "~~z~~ <br>", "&lt;script&gt;", "&#60;img src=x onerror=alert(5)&#62;"),
    ("<button autofocus onfocus=alert(6)>", "<input type=image src=x onerror=alert(7)>"),
)
TARGET = f"<img src='http://{HOST}/t.png' onload=alert(1)>"
OUTCOMES = (f"![yes](http://{HOST}/yes.png)", "<em onclick=alert(2)>no</em>")
FILE = "<img src=x onerror=alert(3)>.csv"
STRINGS = (*NAMES, *(level for levels in LEVELS for level in levels), TARGET, *OUTCOMES, FILE)
# What the strings would have made: elements, attributes or a mark left by a script.
SCAN = """() => {
  const bad = [];
  if (window.__hit) bad.push("a script ran");
  for (const element of document.querySelectorAll("*")) {
    for (const attribute of element.attributes) {
      const points = ["src", "href", "action", "data", "xlink:href"].includes(attribute.name);
      if (points && /evil\\.example|javascript:|data:text/.test(attribute.value)) bad.push(element.outerHTML);
      if (attribute.name.startsWith("on")) bad.push(element.outerHTML);
    }
    if (["IFRAME", "OBJECT", "EMBED", "META"].includes(element.tagName) && element.closest("#root")) {
      bad.push(element.outerHTML);
    }
  }
  return bad.map((html) => html.slice(0, 200));
}"""


def write_hostile(folder: Path) -> Path:
    """Write a table of 480 people; the later a level stands in its column, the better for who is at it."""
    path = folder / FILE
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*NAMES, TARGET])
        for number in range(480):
            places = [number * step // 7 % 4 for step in (7, 11, 13, 17, 23, 29, 31)]
            places.append(number % 2)
            good = sum(places[:4]) + places[7] > 4
            writer.writerow([*(levels[at] for levels, at in zip(LEVELS, places, strict=True)), OUTCOMES[not good]])
    return path
