// Loaded before calctl as the documents run it: the time is that of CALCTL_NOW, and the file CALCTL_SCREEN is a terminal, so that a
// command that writes there prints a table, and one that writes into a pipe or another file does not.
const { fstatSync, statSync } = require('node:fs')

const { CALCTL_NOW, CALCTL_SCREEN, CALCTL_COLUMNS } = process.env
const moment = Date.parse(CALCTL_NOW)
for (const name of ['CALCTL_NOW', 'CALCTL_SCREEN', 'CALCTL_COLUMNS']) delete process.env[name]

globalThis.Date = class extends Date {
  constructor(...values) {
    super(...(values.length === 0 ? [moment] : values))
  }

  static now() {
    return moment
  }
}

const screen = statSync(CALCTL_SCREEN)
for (const [fd, stream] of [
  [1, process.stdout],
  [2, process.stderr],
]) {
  const { ino, dev } = fstatSync(fd)
  if (ino === screen.ino && dev === screen.dev)
    Object.defineProperties(stream, { isTTY: { value: true }, columns: { value: Number(CALCTL_COLUMNS) } })
}
