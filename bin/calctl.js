#!/usr/bin/env node
require('../dist/start.js')
