import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Vitest leaves one of two cores alone by itself.
    maxWorkers: 2,
    // Some tests take seconds, and several times as long on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // On the shared machines of CI one slow moment must not refuse a change; the last lines name what needed a second try.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', './test/reporter.ts'],
    env: { NO_COLOR: '', TZ: 'Europe/Madrid' },
    setupFiles: ['test/temp-folder.ts'],
    include: ['test/**/*.test.ts'],
  },
})
