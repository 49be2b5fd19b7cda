"""The documentation site in headless Chromium, after `make docs`: as on a phone and a desktop, light and dark."""

# Requirement: F4

from __future__ import annotations

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from scripts.tools.commands import ROOT

SITE = ROOT / "build/site"
PAGES = ["index.html", "install.html", "notebooks/first-steps.html", "figures.html"]
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
SCHEMES = {"light": "default", "dark": "slate"}

#: The contrast of each visible text with what is behind it, as WCAG 2 computes it; returns those below its bound.
CONTRAST = """
const luminance = ([r, g, b]) => {
  const part = [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
};
const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
const over = (top, below) => {
  const alpha = top.length > 3 ? top[3] : 1;
  return [0, 1, 2].map(i => top[i] * alpha + below[i] * (1 - alpha));
};
const behind = element => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
  return layers.reverse().reduce((below, top) => top.length < 3 ? below : over(top, below), [255, 255, 255]);
};
const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
const low = {};
for (let node; node = walker.nextNode();) {
  const element = node.parentElement, style = getComputedStyle(element), box = element.getBoundingClientRect();
  if (!node.data.trim() || !box.width || style.visibility === 'hidden' || style.opacity === '0') continue;
  if (element.closest('.headerlink, svg, .md-clipboard, .md-skip, [hidden]')) continue;
  const back = behind(element), front = over(parse(style.color), back);
  const [high, deep] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  const large = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700;
  const ratio = (high + 0.05) / (deep + 0.05);
  const colours = `${style.color} on ${back.map(Math.round)}`;
  if (ratio < (large ? 3 : 4.5)) low[colours] = [ratio.toFixed(2), node.data.trim().slice(0, 40)];
}
return low;
"""


@pytest.fixture(scope="module")
def browser():
    if not (SITE / "index.html").is_file():
        pytest.skip("the site has not been built: make docs")
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"):
        options.add_argument(option)
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    yield made
    made.quit()


def show(browser, page, size="desktop", scheme="light"):
    """Open a page at the size of a device, in a colour scheme."""
    width, height = SIZES[size]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    preference = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [preference]})
    browser.get((SITE / page).as_uri())
    browser.execute_script("localStorage.clear()")  # the choice of an earlier page
    browser.refresh()
    assert browser.find_element("tag name", "body").get_attribute("data-md-color-scheme") == SCHEMES[scheme]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", PAGES)
def test_pages_do_not_scroll_sideways(browser, page, size):
    show(browser, page, size)
    wide = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("page", PAGES)
def test_text_has_the_contrast_of_wcag(browser, page, scheme):
    show(browser, page, scheme=scheme)
    assert browser.execute_script(CONTRAST) == {}


@pytest.mark.parametrize("size", SIZES)
def test_first_screen_answers_what_for_whom_how_fast_and_how_to_begin(browser, size):
    show(browser, "index.html", size)
    for words in ("One native object", "Go engineers", "Python users", "15 ns", "pip install ."):
        bottom = browser.execute_script(
            "const walker = document.createTreeWalker(document.querySelector('article'), NodeFilter.SHOW_TEXT);"
            "for (let node; node = walker.nextNode();) if (node.data.includes(arguments[0])) {"
            "  const range = document.createRange(); range.selectNode(node);"
            "  return range.getBoundingClientRect().bottom; }",
            words,
        )
        assert bottom is not None and 0 < bottom <= SIZES[size][1], (words, bottom)


def test_search_leads_to_the_answer_of_a_question(browser):
    show(browser, "index.html")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=SITE)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.get(f"http://127.0.0.1:{server.server_port}/index.html?q=how+do+i+cancel")
        found = WebDriverWait(browser, 30).until(
            lambda made: made.find_elements("css selector", ".md-search-result__link")
        )
        first = found[0].get_attribute("href")
        server.shutdown()
    assert "/faq.html" in first, first


def test_keyboard_reaches_the_content_and_shows_where_it_is(browser):
    show(browser, "index.html")
    seen = []
    for _ in range(12):
        webdriver.ActionChains(browser).send_keys(Keys.TAB).perform()
        seen.append(
            browser.execute_script(
                "const e = document.activeElement, s = getComputedStyle(e);"
                "return [e.tagName, e.className, s.outlineStyle !== 'none' || s.boxShadow !== 'none' ||"
                " e.matches(':focus-visible')]"
            )
        )
    assert "md-skip" in seen[0][1], "the first stop leads past the navigation"
    assert all(stop[2] for stop in seen if stop[0] in ("A", "BUTTON", "INPUT")), seen
    assert len({tuple(stop) for stop in seen}) > 1
