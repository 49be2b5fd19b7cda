"""The page of a graph in headless Chromium: no errors, zoom, search and folding, light and dark.

SELFSAME_PICTURES names a folder for the pictures that docs/go-ownership.md shows.
"""

# Requirement: G5

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from scripts.tools.commands import ROOT

TOOL = ROOT / "build" / "bin" / "selfsame-ffi"
PYTHON = ROOT / "build" / "venv" / "bin" / "python"


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graph")
    subprocess.run([PYTHON, ROOT / "scripts/browser/example_graph.py", folder / "shop.json"], check=True)
    subprocess.run([TOOL, "graph", folder / "shop.json", "-o", folder / "shop.html"], check=True)
    return folder / "shop.html"


@pytest.fixture
def browser():
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    yield made
    log = made.get_log("browser")
    made.quit()
    assert log == [], "the console has messages"


@pytest.fixture
def opened(browser, page):
    browser.get(page.as_uri() + "?theme=light")
    return browser


def count(browser, selector):
    return len(browser.find_elements(By.CSS_SELECTOR, selector))


def rectangle(browser, selector):
    """The place and size of an element, once the page is drawn: zoom and pan take effect in the next frame."""
    browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")
    return browser.find_element(By.CSS_SELECTOR, selector).rect


def view_width(browser, selector):
    return rectangle(browser, selector)["width"]


def fold_of_the_stock(browser):
    return next(fold for fold in browser.find_elements(By.CSS_SELECTOR, "[data-fold]") if "99" in fold.text)


def test_ten_thousand_objects_are_shown_folded(opened):
    assert 10 < count(opened, "#view .node") < 60
    assert "more" in fold_of_the_stock(opened).text
    assert count(opened, "#view .edge.cycle") >= 2 and count(opened, "#view .node.shared") >= 1


def test_page_asks_for_no_file(opened):
    urls = opened.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert urls == []


def test_fan_unfolds_and_folds(opened):
    before = count(opened, "#view .node")
    fold_of_the_stock(opened).click()
    assert count(opened, "#view .node") >= before + 40
    opened.find_element(By.ID, "fold").click()
    assert count(opened, "#view .node") == before
    node = opened.find_element(By.CSS_SELECTOR, "#view .node.root")
    ActionChains(opened).double_click(node).perform()
    assert count(opened, "#view .node") < before


def test_search_finds_a_folded_object_and_goes_there(opened):
    opened.find_element(By.ID, "search").send_keys("shop.Item name=thing")
    assert opened.find_element(By.ID, "count").text.endswith("found")
    box = opened.find_element(By.ID, "search")
    box.clear()
    box.send_keys("thing7777")
    assert opened.find_element(By.ID, "count").text == "1 found"
    box.send_keys(Keys.ENTER)
    assert count(opened, "#view .node.found") == 1
    assert "thing7777" in opened.find_element(By.ID, "about").text
    found = rectangle(opened, "#view .node.found")
    middle = found["x"] + found["width"] / 2
    assert 0 < middle < 960, "the object that was found is not in view"


def test_zoom_by_buttons_and_wheel(opened):
    first = view_width(opened, "#view .node.root")
    opened.find_element(By.ID, "in").click()
    closer = view_width(opened, "#view .node.root")
    assert closer > first * 1.1
    opened.execute_script(
        "document.querySelector('#view svg').dispatchEvent(new WheelEvent('wheel',"
        " {deltaY: -300, clientX: 400, clientY: 300, bubbles: true, cancelable: true}))"
    )
    assert view_width(opened, "#view .node.root") > closer
    opened.find_element(By.ID, "fit").click()
    assert abs(view_width(opened, "#view .node.root") - first) < 2


def test_details_say_owners_of_an_object(opened):
    opened.find_element(By.CSS_SELECTOR, "#view .node.shared").click()
    text = opened.find_element(By.ID, "about").text
    assert "Kept alive by" in text and "its Python wrapper" in text and "Native owners" in text


def test_keys_work(opened):
    opened.find_element(By.TAG_NAME, "body").send_keys("/")
    assert opened.switch_to.active_element.get_attribute("id") == "search"


def test_light_and_dark(browser, page):
    colours = []
    for theme in ("light", "dark"):
        browser.get(page.as_uri() + f"?theme={theme}")
        body = browser.find_element(By.TAG_NAME, "body")
        colours.append(body.value_of_css_property("background-color"))
        if theme == "dark":
            fold_of_the_stock(browser).click()
        if os.environ.get("SELFSAME_PICTURES"):
            browser.save_screenshot(str(Path(os.environ["SELFSAME_PICTURES"]) / f"graph-{theme}.png"))
        browser.find_element(By.ID, "theme").click()
        assert body.value_of_css_property("background-color") != colours[-1]
    assert colours[0] != colours[1]
