//go:build !windows

package main

// fromSite leads from the folder site-packages of an environment to the environment.
const fromSite = "../../.."

// pythonPlaces are where an environment has its interpreter.
var pythonPlaces = []string{"bin/python"}
