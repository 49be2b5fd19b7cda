package main

// fromSite leads from the folder site-packages of an environment to the environment.
const fromSite = "../.."

// pythonPlaces are where an environment, or an installation, has its interpreter.
var pythonPlaces = []string{"Scripts/python.exe", "python.exe"}
