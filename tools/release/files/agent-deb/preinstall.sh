#!/bin/sh
set -e
case $1 in install | 1) touch /run/corral-agent.installed ;; esac
