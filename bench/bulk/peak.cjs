// Preloaded into a process: writes its peak memory in MB when it exits.
const { writeFileSync } = require('node:fs')

process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS / 1024)))
