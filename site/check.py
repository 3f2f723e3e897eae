"""Prints every link, picture and style sheet of a folder of HTML pages that leads nowhere in it: to no file, to no
element with this id, or out of the folder. Links to other sites are not followed.

usage: check.py FOLDER
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.targets = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            if name in ("href", "src"):
                self.targets.append((self.getpos()[0], value))


def fault_of(target, path, folder, pages):
    parts = urllib.parse.urlsplit(target)
    if parts.scheme:
        return None
    file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if folder not in file.parents or not file.is_file():
        return "there is no file " + target
    if parts.fragment and (file not in pages or urllib.parse.unquote(parts.fragment) not in pages[file].ids):
        return "there is no place " + target
    return None


def main(folder):
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    ntarget = nfault = 0
    for path, page in pages.items():
        for line, target in page.targets:
            ntarget += 1
            why = fault_of(target, path, folder, pages)
            if why:
                nfault += 1
                print(f"{path.relative_to(folder)}:{line}: {why}")
    print(f"{len(pages)} pages, {ntarget} links, {nfault} lead nowhere")
    return 1 if nfault or not ntarget else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
