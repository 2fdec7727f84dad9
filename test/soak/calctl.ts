// The whole of calctl as one script, built from src.
import { start } from '../../src/main.ts'

await start()
