import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Vitest leaves one of two cores alone by itself.
    maxWorkers: 2,
    // Some tests take seconds, and several times as long on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', './test/reporter.ts'],
    env: { NO_COLOR: '', TZ: 'Europe/Madrid' },
    setupFiles: ['test/temp-folder.ts'],
    include: ['test/**/*.test.ts'],
  },
})
