// The whole of calctl as one script, as it stands in src.
import { start } from '../../src/main.ts'

await start()
