// calctl, as bin/calctl.js starts it.
import { start } from '../../src/main.ts'

await start()
