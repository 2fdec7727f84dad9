// Loaded into a process before anything else: writes the most memory that it ever took, in MB, when it ends.
const { writeFileSync } = require('node:fs')

process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS / 1024)))
