import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Vitest leaves one of two cores alone by itself.
    maxWorkers: 2,
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/reporter.ts'],
    env: { NO_COLOR: '', TZ: 'Europe/Madrid' },
  },
})
