"""What the programs of scripts/ share.

commands      a command's output, or an error that ends the program; what the user is told
environments  virtual environments and folders of packages, which are made once
downloads     distributions of PyPI and artifacts of Maven
debian        programs that Debian's packages have, installed where that is possible
processes     programs with a limit of time
tables        tables as text and in Markdown, and those that a page keeps
check_list, suite   checks and the tests of python/tests on another system
"""
